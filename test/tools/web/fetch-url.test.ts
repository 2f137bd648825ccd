import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ToolFailure, type ToolResult } from "../../../src/tools/index.ts";
import { fetchUrl } from "../../../src/tools/web/fetch-url.ts";
import { htmlToText } from "../../../src/tools/web/html-text.ts";
import { isPrivateAddress } from "../../../src/tools/web/private-address.ts";
import { toolContext } from "../tool-context.ts";

let server: http.Server;
let host: string;

const pages: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
  "/page": (response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<title>T</title><p>Hello <b>you</b></p>");
  },
  "/latin": (response) => {
    response.setHeader("content-type", "text/plain; charset=iso-8859-1");
    response.end(Buffer.from([0xe9]));
  },
  "/json": (response) => {
    response.setHeader("content-type", "application/problem+json");
    response.end('{"a":1}');
  },
  "/image": (response) => {
    response.setHeader("content-type", "image/png");
    response.end("png");
  },
  "/large": (response) => {
    response.setHeader("content-type", "text/plain");
    response.end("x".repeat(3 * 1024 * 1024));
  },
  "/gone": (response) => {
    response.statusCode = 404;
    response.end();
  },
  "/circle": (response) => {
    response.writeHead(302, { location: "/circle" }).end();
  },
  "/onward": (response) => {
    response.writeHead(301, { location: "/page" }).end();
  },
  "/inward": (response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  },
  "/silent": () => {},
};

beforeAll(async () => {
  server = http.createServer((request, response) => pages[request.url ?? ""]?.(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function fetchPage(url: string, asked: string[] = [], signal?: AbortSignal): Promise<ToolResult> {
  const context = {
    ...toolContext(signal),
    ask: async ({ patterns }: { readonly patterns: readonly string[] }) => void asked.push(...patterns),
  };
  const result = await fetchUrl({ privateHosts: [host] }).execute?.({ url }, context);
  if (result === undefined) throw new Error("no result");
  return result;
}

describe("fetch_url", () => {
  test.each<[string, string]>([
    ["/page", "T\n\nHello you"],
    ["/latin", "é"],
    ["/json", '{"a":1}'],
    ["/onward", "T\n\nHello you"],
  ])("%s", async (path, text) => {
    expect((await fetchPage(`http://${host}${path}`)).text).toBe(text);
  });

  test("asks again for where a redirection leads", async () => {
    const asked: string[] = [];
    await fetchPage(`http://${host}/onward#part`, asked);
    expect(asked).toEqual([`http://${host}/onward`, `http://${host}/page`]);
  });

  test("cuts what is too large, and says so", async () => {
    const { text = "" } = await fetchPage(`http://${host}/large`);
    expect(text.endsWith("[cut after 2097152 bytes]")).toBe(true);
  });

  test.each<[string, string]>([
    ["/image", "is image/png (3 bytes)"],
    ["/gone", "answered with status 404"],
    ["/circle", "leads on more than 5 times"],
    ["/inward", "an address of this machine"],
  ])("refuses %s", async (path, reason) => {
    await expect(fetchPage(`http://${host}${path}`)).rejects.toThrow(ToolFailure);
    await expect(fetchPage(`http://${host}${path}`)).rejects.toThrow(reason);
  });

  test.each<[string, string]>([
    ["file:///etc/passwd", "only http and https"],
    ["nonsense", "is no address"],
    ["http://user:word@example.com/", "no name or password"],
    ["http://127.0.0.1:1/", "this machine or its network"],
    ["http://2130706433/", "this machine or its network"],
    ["http://0x7f.1/", "this machine or its network"],
    ["http://[::1]/", "this machine or its network"],
    ["http://[::ffff:10.0.0.1]/", "this machine or its network"],
    ["http://169.254.169.254/latest/meta-data", "this machine or its network"],
    ["http://localhost:1/", "this machine or its network"],
  ])("refuses %s", async (url, reason) => {
    await expect(fetchPage(url)).rejects.toThrow(reason);
  });

  test("ends with its call", async () => {
    const controller = new AbortController();
    const fetched = fetchPage(`http://${host}/silent`, [], controller.signal);
    setTimeout(() => controller.abort(new Error("left")), 50);
    await expect(fetched).rejects.toThrow("left");
  });
});

test.each<[string, boolean]>([
  ["8.8.8.8", false],
  ["1.1.1.1", false],
  ["2606:4700::1111", false],
  ["::ffff:8.8.8.8", false],
  ["10.1.2.3", true],
  ["172.31.255.255", true],
  ["172.32.0.1", false],
  ["192.168.0.1", true],
  ["100.127.0.1", true],
  ["0.0.0.0", true],
  ["255.255.255.255", true],
  ["::", true],
  ["fe80::1%eth0", true],
  ["fd00::1", true],
  ["::ffff:192.168.0.1", true],
  ["::ffff:7f00:1", true],
  ["64:ff9b::7f00:1", true],
  ["not an address", true],
])("%s is private: %s", (address, isPrivate) => {
  expect(isPrivateAddress(address)).toBe(isPrivate);
});

test.each<[string, string]>([
  ["<h1>A</h1><p>b  c\n d</p><p>e</p>", "# A\n\nb c d\n\ne"],
  ["<ul><li>a<li>b</ul>", "- a\n- b"],
  ["a<br>b<script>x</script><style>y</style>c", "a\nbc"],
  ["<pre>a\n  b</pre>", "a\n  b"],
  ["<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 | 2 |\n3 |"],
  ["&lt;a&gt; &amp;amp; &#233; &#xe9; &nbsp;&unknown; &#0;", "<a> &amp; é é &unknown; \uFFFD"],
  ["<a href='x>y'>link</a> <img alt='a cat'>", "link [a cat]"],
  ["<!-- <p>no</p> -->yes<!doctype html>", "yes"],
  ["a < b and <unclosed", "a < b and <unclosed"],
  ["<nav><a>menu</a></nav>text", "text"],
])("%j reads %j", (html, text) => {
  expect(htmlToText(html)).toBe(text);
});
