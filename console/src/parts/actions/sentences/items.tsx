import type { Posting } from "@gamekeeper/client";
import { When } from "~/parts/When";
import { transactionOf } from "../entry";
import { type Flow, flowsOf, movedOf } from "../flows";
import { Listed } from "../Phrase";
import { Pieces, PiecesList } from "../Pieces";
import { PlayerName } from "../people";
import { stateOf, statesAt, textAt } from "../read";
import { text } from "../text";
import { type Form, form, type Said, type Telling } from "./said";
import { sentences } from "./text";

/** Items given, taken, restored or imported by somebody. */
export function items(telling: Telling): Said {
  const { entry } = telling;
  const flows = flowsOf(entry);
  const known = flows.length > 0 ? flows : untold(entry.ItemId, entry.ItemName);
  const when = textAt(stateOf(entry.After), "at");
  const forms: Record<string, Form> = {
    "items.give": "give",
    "items.take": "take",
    "items.restore": "restore",
  };
  return {
    form: form(telling, forms[entry.Kind] ?? "importItems"),
    parts: {
      items: known.length > 0 ? <PiecesList flows={known} /> : text.something,
      when: when ? <When at={when} span /> : "",
    },
  };
}

/** What happened in the game: found, spent, traded, put into the bank. */
export function played(telling: Telling): Said {
  const { entry } = telling;
  const flows = flowsOf(entry);
  const gained = flows.filter((flow) => flow.quantity > 0);
  const lost = flows.filter((flow) => flow.quantity < 0);
  const others = [...new Set(statesAt(stateOf(entry.After), "counterparties").map(nameOf))];
  const moved = movedOf(entry);
  const route = routeOf(entry.Postings ?? []);
  const names = others.map((name) => <PlayerName key={name} name={name} />);
  const name = others.length > 0 ? traded(gained, lost) : alone(entry.Kind, gained, lost, moved);
  return {
    form: form(telling, !entry.ItemId ? name : (OF_ITEM[name] ?? name)) || sentences.says[name],
    isReport: transactionOf(entry) !== undefined,
    parts: {
      gained: <PiecesList flows={gained} />,
      lost: <PiecesList flows={lost} />,
      moved: <PiecesList flows={moved} />,
      items: entry.ItemId && <Pieces item={entry.ItemId} name={entry.ItemName ?? undefined} />,
      others: <Listed values={names} and={text.and} />,
      from: route?.[0],
      to: route?.[1],
    },
  };

  function alone(kind: string, gained: Flow[], lost: Flow[], moved: Flow[]): Form {
    if (gained.length > 0 && lost.length > 0) return "exchanged";
    if (gained.length > 0) return "earned";
    if (lost.length > 0) return "spent";
    if (moved.length > 0) return route ? "movedTo" : "moved";
    return kind === "items.exchange" ? "exchangedSomething" : "movedSomething";
  }
}

/** Where the log has no balance, because items only changed their place, it may have the item. */
const OF_ITEM: Partial<Record<Form, Form>> = {
  tradedSomething: "tradedItem",
  exchangedSomething: "exchangedItem",
  movedSomething: "movedItem",
};

function traded(gained: Flow[], lost: Flow[]): Form {
  if (gained.length > 0 && lost.length > 0) return "traded";
  if (gained.length > 0) return "received";
  return lost.length > 0 ? "handed" : "tradedSomething";
}

/** From where to where, if all went the same way. */
function routeOf(postings: Posting[]): [string, string] | undefined {
  const from = new Set(postings.filter((one) => one.Quantity < 0).map((one) => one.Place));
  const to = new Set(postings.filter((one) => one.Quantity > 0).map((one) => one.Place));
  const [source, target] = [[...from][0], [...to][0]];
  if (from.size !== 1 || to.size !== 1 || !source || !target || source === target) return;
  return [text.places[source] ?? source, text.places[target] ?? target];
}

function nameOf(party: ReturnType<typeof stateOf>): string {
  return textAt(party, "name") ?? text.nobody;
}

function untold(item: string | null, name: string | null | undefined): Flow[] {
  return item ? [{ item, name: name ?? undefined, quantity: 1 }] : [];
}
