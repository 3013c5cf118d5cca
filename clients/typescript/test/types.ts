// What the compiler must know of the API; never run.
import {
  connect,
  type ErrorCode,
  events,
  type GamekeeperError,
  isError,
  type Player,
  pages,
} from "../src/index.js";

const gk = connect({ url: "https://game.example", key: "gk_x", retries: 5 });
const ofMira = { params: { path: { key: "Mira" } } };

export async function answers(): Promise<void> {
  const page = await gk.get("/api/v1/players", { params: { query: { search: "mi" } } });
  const names: string[] = page.Values.map((player) => player.Name);
  const player: Player = await gk.get("/api/v1/players/{key}", ofMira);
  const next: string | null = (await gk.get("/api/v1/actions")).Next;
  const icon: Blob = await gk.get("/api/v1/catalog/items/{item_id}/icon", {
    params: { path: { item_id: "x" } },
  });
  console.log(names, player, next, icon);
  // @ts-expect-error: there is no such path
  await gk.get("/api/v1/playerz");
  // @ts-expect-error: nor such a method of it
  await gk.put("/api/v1/players");
  // @ts-expect-error: whose?
  await gk.get("/api/v1/players/{key}");
  // @ts-expect-error: give what?
  await gk.post("/api/v1/players/{key}/items/give", ofMira);
  // @ts-expect-error: a quantity is a number
  await gk.post("/api/v1/players/{key}/items/give", { ...ofMira, body: { quantity: "5" } });
}

export async function lists(): Promise<void> {
  for await (const player of pages(gk, "/api/v1/players")) console.log(player.Name);
  for await (const entry of pages(gk, "/api/v1/players/{key}/history", ofMira)) {
    console.log(entry.Kind);
  }
  // @ts-expect-error: whose?
  for await (const entry of pages(gk, "/api/v1/players/{key}/history")) console.log(entry);
  // @ts-expect-error: that is no list in pages
  for await (const one of pages(gk, "/api/v1/players/online/count")) console.log(one);
  for await (const event of events(gk, { after: 17, kinds: ["items.give"] })) {
    const at: number = event.Seq;
    console.log(at);
  }
}

export function errors(error: unknown): void {
  if (isError(error, "inventory_full", "not_enough_items")) {
    const code: "inventory_full" | "not_enough_items" = error.code;
    console.log(code, error.details.Held);
  } else if (isError(error)) {
    const known: GamekeeperError = error;
    console.log(known.requestId);
  }
  // @ts-expect-error: there is no such code
  isError(error, "out_of_potions");
  const code: ErrorCode = "inventory_full";
  console.log(code);
}
