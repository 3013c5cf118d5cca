import type { Entry } from "./entry";
import { transactionOf } from "./entry";
import type { Flow } from "./flows";
import { stateOf } from "./read";

/** Several actions in a row that say the same: one line, with what they add up to. */
export interface Fold {
  key: string;
  /** Newest first. */
  entries: Entry[];
  /** How often it happened: a transaction of the game is one time, with all its actions. */
  times: number;
  /** What the game called it; undefined: it saved where the character is. */
  reason: string | undefined;
  /** What the character gained or lost by all of them. */
  flows: Flow[];
}

const FEWEST = 3;
/** What a game server saves while a character walks about. */
const POSITION = new Set(["map_id", "map_name", "x", "y", "z", "dir", "vitals"]);

/** The entries in their order, repeats of the game as one. */
export function foldsOf(entries: readonly Entry[]): (Entry | Fold)[] {
  const folded: (Entry | Fold)[] = [];
  let run: Entry[] = [];
  let last: string | undefined;
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined || key !== last) {
      folded.push(...closed(run, last));
      run = [];
    }
    run.push(entry);
    last = key;
  }
  return [...folded, ...closed(run, last)];
}

export function isFold(one: Entry | Fold): one is Fold {
  return "entries" in one;
}

/** What makes two entries the same; undefined: it stands alone. */
function keyOf(entry: Entry): string | undefined {
  // What staff did, what was undone and what has another side is always told.
  const isAlone = entry.UndoneBy !== null || entry.Undoes !== null || entry.Kind === "items.move";
  if (isAlone || !entry.Actor.startsWith("key:")) return undefined;
  if (entry.Kind === "players.sheet" && isPosition(entry)) return `position ${entry.Actor}`;
  if (!entry.Reason || transactionOf(entry) === undefined) return undefined;
  return `reason ${entry.Actor} ${entry.Reason}`;
}

function isPosition(entry: Entry): boolean {
  const fields = Object.keys(stateOf(stateOf(entry.After).sheet));
  return fields.length > 0 && fields.every((field) => POSITION.has(field));
}

function closed(run: Entry[], key: string | undefined): (Entry | Fold)[] {
  const [first] = run;
  if (!first || key === undefined) return run;
  const times = new Set(run.map((entry) => transactionOf(entry) ?? entry.Id)).size;
  if (times < FEWEST) return run;
  const reason = key.startsWith("reason") ? (first.Reason ?? undefined) : undefined;
  return [{ key: `fold ${first.Id}`, entries: run, times, reason, flows: sumOf(run) }];
}

/** Per item, what came less what went; what only changed its slot is neither. */
function sumOf(entries: readonly Entry[]): Flow[] {
  const sums = new Map<string, Flow>();
  for (const { Postings = [] } of entries) {
    for (const { ItemId, ItemName, Quantity } of Postings) {
      const known = sums.get(ItemId);
      const quantity = (known?.quantity ?? 0) + Quantity;
      sums.set(ItemId, { item: ItemId, name: known?.name ?? ItemName, quantity });
    }
  }
  return [...sums.values()].filter((flow) => flow.quantity !== 0);
}
