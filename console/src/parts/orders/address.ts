/** Between a shop and the id of its order in an address: neither can contain it. */
const SEPARATOR = "~";

/** A shop and the id of its order as one part of an address. */
export function addressOf(shop: string, id: string): string {
  return `${shop}${SEPARATOR}${id}`;
}

/** The shop and the id of its order; an address without a shop names no order. */
export function partsOf(address: string): { shop: string; id: string } {
  const [shop = "", ...rest] = address.split(SEPARATOR);
  return { shop, id: rest.join(SEPARATOR) };
}
