// A shop: products in stock, a cart, vouchers, addresses and orders.
import { ToolFailure } from "../../../tools/index.ts";
import { entryOf, lines, optionalNumber, textAt, type WorldTools } from "../world.ts";

interface Product {
  readonly name: string;
  readonly about: string;
  readonly price: number;
  stock: number;
}

interface Order {
  readonly items: Record<string, number>;
  readonly total: number;
  readonly voucher: string;
  readonly address: string;
  status: string;
}

export interface ShopState {
  products: Record<string, Product>;
  cart: { items: Record<string, number>; voucher: string };
  /** Per cent off, by code. */
  vouchers: Record<string, number>;
  addresses: Record<string, string>;
  orders: Record<string, Order>;
}

export const shopTools: WorldTools<ShopState> = {
  search_products: ({ products }, input) => {
    const words = textAt(input, "query").toLowerCase().split(/\s+/);
    const most = optionalNumber(input, "max_price") ?? Number.POSITIVE_INFINITY;
    const found = Object.entries(products).filter(([, { name, about, price }]) => {
      const text = `${name} ${about}`.toLowerCase();
      return price <= most && words.some((word) => text.includes(word.replace(/s$/, "")));
    });
    return lines(
      found.map(([id, { name, price, stock }]) => `${id}: ${name}, ${price} euros, ${stock} in stock`),
      "Nothing was found.",
    );
  },
  get_product: ({ products }, input) => {
    const { name, about, price, stock } = entryOf(products, textAt(input, "product_id"), "product");
    return `${name}: ${about} ${price} euros, ${stock} in stock.`;
  },
  add_to_cart: ({ products, cart }, input) => {
    const id = textAt(input, "product_id");
    const { name, stock } = entryOf(products, id, "product");
    const quantity = (cart.items[id] ?? 0) + (optionalNumber(input, "quantity") ?? 1);
    if (quantity > stock) throw new ToolFailure(`Only ${stock} of ${name} are in stock.`);
    cart.items[id] = quantity;
    return `In the cart: ${quantity} of ${name}.`;
  },
  remove_from_cart: ({ cart }, input) => {
    const id = textAt(input, "product_id");
    entryOf(cart.items, id, "product in the cart:");
    delete cart.items[id];
    return "Removed.";
  },
  view_cart: (state) => {
    const rows = Object.entries(state.cart.items).map(
      ([id, quantity]) => `${quantity} x ${id} ${state.products[id]?.name}`,
    );
    const voucher = state.cart.voucher === "" ? "no voucher" : `voucher ${state.cart.voucher}`;
    return rows.length === 0
      ? "The cart is empty."
      : `${rows.join("\n")}\n${voucher}, total ${totalOf(state)} euros`;
  },
  apply_voucher: ({ cart, vouchers }, input) => {
    const code = textAt(input, "code");
    const percent = entryOf(vouchers, code, "voucher");
    cart.voucher = code;
    return `${percent} percent off.`;
  },
  list_addresses: ({ addresses }) =>
    lines(
      Object.entries(addresses).map(([id, text]) => `${id}: ${text}`),
      "There are no addresses.",
    ),
  place_order: (state, input) => {
    const { cart, products, orders } = state;
    const address = textAt(input, "address_id");
    entryOf(state.addresses, address, "address");
    if (Object.keys(cart.items).length === 0) throw new ToolFailure("The cart is empty.");
    const total = totalOf(state);
    const id = `O-${501 + Object.keys(orders).length}`;
    orders[id] = { items: cart.items, total, voucher: cart.voucher, address, status: "paid" };
    for (const [product, quantity] of Object.entries(cart.items)) {
      entryOf(products, product, "product").stock -= quantity;
    }
    state.cart = { items: {}, voucher: "" };
    return `Ordered as ${id}, total ${total} euros.`;
  },
  list_orders: ({ orders }) =>
    lines(
      Object.entries(orders).map(([id, { status, total }]) => `${id}: ${status}, ${total} euros`),
      "There are no orders.",
    ),
  get_order: ({ orders, products }, input) => {
    const { items, total, address, status } = entryOf(orders, textAt(input, "order_id"), "order");
    const rows = Object.entries(items).map(([id, quantity]) => `${quantity} x ${id} ${products[id]?.name}`);
    return `${status}; ${rows.join(", ")}; total ${total} euros; to ${address}`;
  },
  cancel_order: ({ orders, products }, input) => {
    const id = textAt(input, "order_id");
    const order = entryOf(orders, id, "order");
    if (order.status !== "paid")
      throw new ToolFailure(`Order ${id} is ${order.status} and cannot be cancelled.`);
    order.status = "cancelled";
    for (const [product, quantity] of Object.entries(order.items)) {
      entryOf(products, product, "product").stock += quantity;
    }
    return `Order ${id} is cancelled.`;
  },
};

/** Euros, rounded to cents. */
function totalOf({ cart, products, vouchers }: ShopState): number {
  const sum = Object.entries(cart.items).reduce(
    (total, [id, quantity]) => total + quantity * (products[id]?.price ?? 0),
    0,
  );
  return Math.round(sum * (100 - (vouchers[cart.voucher] ?? 0))) / 100;
}
