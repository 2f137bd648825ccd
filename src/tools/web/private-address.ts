// Which addresses lead into the machine or its network, and to no public server (IANA's special-purpose registries).
import { BlockList, isIP } from "node:net";

const blocked = new BlockList();
for (const [address, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  blocked.addSubnet(address, bits, "ipv4");
}
for (const [address, bits] of [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  blocked.addSubnet(address, bits, "ipv6");
}

/** Whether an address is no public one. What is no address at all counts as private. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const kind = isIP(bare);
  if (kind === 0) return true;
  if (kind === 4) return blocked.check(bare, "ipv4");
  // IPv4 in IPv6's clothes is judged as what it is; BlockList knows that form.
  return blocked.check(bare, "ipv6") || (/^(?:0*:)*:?ffff:/i.test(bare) && isMappedPrivate(bare));
}

function isMappedPrivate(address: string): boolean {
  const tail = address.slice(address.toLowerCase().lastIndexOf("ffff:") + 5);
  if (isIP(tail) === 4) return blocked.check(tail, "ipv4");
  const [high = "0", low = "0"] = tail.split(":");
  const number = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  const dotted = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
  return blocked.check(dotted, "ipv4");
}
