// Gives an item twice under one key with the generated types, and says what came back.

import type { components, operations } from "./api";

declare const process: { argv: string[] };

type Give = operations["give_item"];
type Answer<Status extends keyof Give["responses"]> =
  Give["responses"][Status] extends { content: { "application/json": infer Body } } ? Body : never;
type Body = Give["requestBody"]["content"]["application/json"];
type Headers = NonNullable<Give["parameters"]["header"]>;
type Code = components["schemas"]["ErrorCode"];

const [url, key, player, item, variable, order] = process.argv.slice(2) as [
  string, string, string, string, string, string,
];

async function call(path: string, body?: unknown, headers: Headers = {}): Promise<Response> {
  return fetch(`${url}/api/v1/players/${encodeURIComponent(player)}/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      ...(headers as Record<string, string>),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function main(): Promise<void> {
  const gift: Body = { itemid: item, quantity: 5, bankoverflow: true };
  const once: Headers = { "Idempotency-Key": order, "X-Reason": "order 5512" };
  for (const _ of [1, 2]) {
    const given = await call("items/give", gift, once);
    const { id, quantity } = (await given.json()) as Answer<200>;
    const replayed = given.headers.has("Idempotency-Replayed");
    console.log(id, quantity.inventory, replayed);
  }
  const slots: components["schemas"]["Slot"][] = await (await call("items/inventory")).json();
  for (const slot of slots.filter((one) => one.Quantity > 0)) {
    console.log(slot.ItemId, slot.Quantity, slot.BagId === null);
  }
  const value: components["schemas"]["SetVariable"] = { value: 42 };
  const set = (await (await call(`variables/${variable}`, value)).json()) as
    components["schemas"]["PlayerVariable"];
  console.log(set.VariableId, set.Value);
  const refused = await call("items/give", { ...gift, quantity: 6 }, once);
  const failure = (await refused.json()) as Answer<422>;
  const reused: Code = "idempotency_key_reused";
  console.log(refused.status, failure.Code === reused);
}

// The types refuse what a careless caller would write; each line below must be an error.
// @ts-expect-error a quantity is a number
export const text: Body = { itemid: "", quantity: "5" };
// @ts-expect-error the item is required
export const incomplete: Body = { quantity: 5 };
// @ts-expect-error there is no such code
export const unknown: Code = "inventory_ful";
// @ts-expect-error there is no such header
export const header: Headers = { "Idempotency-Kee": "" };

void main();
