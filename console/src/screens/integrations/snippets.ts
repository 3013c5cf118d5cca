import { text } from "./text";

interface Step {
  title: string;
  code: string;
}

const { steps } = text.api;

export function curlRead(url: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' \\
  '${url}/api/v1/players/rank?pageSize=10'`;
}

/** What a developer pastes first, in each language, with the address of this service. */
export function snippets(url: string): Record<"curl" | "typescript" | "python", Step[]> {
  return {
    curl: [
      { title: steps.read, code: curlRead(url, "gk_…") },
      {
        title: steps.give,
        code: `curl -X POST '${url}/api/v1/players/Mira/items/give' \\
  -H 'Authorization: Bearer gk_…' \\
  -H 'Idempotency-Key: order-17' \\
  -H 'Content-Type: application/json' \\
  -d '{"itemid": "957189e7-ca1b-4138-8d7a-fdbf695cbae1", "quantity": 5, "reason": "order 17"}'`,
      },
      {
        title: steps.events,
        code: `curl -N -H 'Authorization: Bearer gk_…' \\
  -H 'Accept: text/event-stream' '${url}/api/v1/events'`,
      },
    ],
    typescript: [
      { title: steps.install, code: "npm install ./clients/typescript" },
      {
        title: steps.read,
        code: `import { connect } from "@gamekeeper/client";

const gk = connect({ url: "${url}", key: "gk_…" });

const best = await gk.get("/api/v1/players/rank", { params: { query: { pageSize: 10 } } });
for (const player of best.Values) console.log(player.Name, player.Level);`,
      },
      {
        title: steps.give,
        code: `await gk.post("/api/v1/players/{key}/items/give", {
  params: { path: { key: "Mira" } },
  body: { itemid: "957189e7-ca1b-4138-8d7a-fdbf695cbae1", quantity: 5, reason: "order 17" },
  idempotencyKey: "order-17",
});`,
      },
    ],
    python: [
      { title: steps.install, code: "pip install ./clients/python" },
      {
        title: steps.read,
        code: `from gamekeeper_client import Gamekeeper

with Gamekeeper("${url}", "gk_…") as game:
    for player in game.players.ranked(limit=10):
        print(player.name, player.level)`,
      },
      {
        title: steps.give,
        code: `with Gamekeeper("${url}", "gk_…") as game:
    potion = next(game.catalog.items(search="Health Potion"))
    game.players.give("Mira", potion.id, 5, reason="order 17", idempotency_key="order-17")`,
      },
    ],
  };
}
