import type { ItemChange, Slot } from "@gamekeeper/client";

/** How a slot of then differs from the same slot now. */
export type Mark = "gone" | "new" | "changed" | "moved";

export interface Cell {
  slot: number;
  /** What is drawn: what lay here then, or what lies here now if it was empty then. */
  held: Slot | null;
  /** What lies here now, if we look at another time. */
  now: Slot | null;
  mark: Mark | null;
  /** Drawn pale: it is here now, and was not then. */
  isGhost: boolean;
  /** How many of what lay here then the character does not have any more, anywhere. */
  lost: number;
}

const NOTHING = "00000000-0000-0000-0000-000000000000";

function isEmpty(slot: Slot): boolean {
  return slot.Quantity === 0 || slot.ItemId === NOTHING;
}

function held(slot: Slot | undefined): Slot | null {
  return slot && !isEmpty(slot) ? slot : null;
}

/** Items are counted; those with the same buffs are alike. A bag is only itself. */
export function kindOf(slot: Slot): string {
  return `${slot.ItemId}/${slot.StatBuffs.join(",")}/${slot.BagId ?? ""}`;
}

/** The slots as they are. */
export function cellsNow(slots: readonly Slot[]): Cell[] {
  return slots.map((slot) => ({
    slot: slot.Slot,
    held: held(slot),
    now: null,
    mark: null,
    isGhost: false,
    lost: 0,
  }));
}

/** How many more (or fewer, below 0) of each kind there were then than now. */
export class Balance {
  private readonly missing = new Map<string, number>();

  constructor(then: readonly Slot[], now: readonly Slot[], inBags: readonly ItemChange[] = []) {
    for (const slot of then) this.add(slot, slot.Quantity);
    for (const slot of now) this.add(slot, -slot.Quantity);
    // What is in bags is known by item only; a gain there is what went into them.
    for (const { ItemId, Place, Change } of inBags) {
      if (Place !== "bag") continue;
      for (const [kind, count] of this.missing) {
        if (!kind.startsWith(ItemId) || Math.sign(count) !== Math.sign(Change)) continue;
        const settled = Math.sign(count) * Math.min(Math.abs(count), Math.abs(Change));
        this.missing.set(kind, count - settled);
        break;
      }
    }
  }

  private add(slot: Slot, count: number) {
    if (isEmpty(slot)) return;
    this.missing.set(kindOf(slot), (this.missing.get(kindOf(slot)) ?? 0) + count);
  }

  /** Of so many, how many are lost; they are not counted again. */
  takeLost(slot: Slot, count: number): number {
    const missing = this.missing.get(kindOf(slot)) ?? 0;
    const taken = Math.max(0, Math.min(count, missing));
    this.missing.set(kindOf(slot), missing - taken);
    return taken;
  }

  /** Of so many, how many have come since. */
  takeNew(slot: Slot, count: number): number {
    const missing = this.missing.get(kindOf(slot)) ?? 0;
    const taken = Math.max(0, Math.min(count, -missing));
    this.missing.set(kindOf(slot), missing + taken);
    return taken;
  }
}

/** The slots as they were, each compared with now. */
export function cellsThen(then: readonly Slot[], now: readonly Slot[], balance: Balance): Cell[] {
  const nowBySlot = new Map(now.map((slot) => [slot.Slot, slot]));
  const length = Math.max(then.length, now.length);
  const thenBySlot = new Map(then.map((slot) => [slot.Slot, slot]));
  return Array.from({ length }, (_, slot) =>
    compare(slot, held(thenBySlot.get(slot)), held(nowBySlot.get(slot)), balance),
  );
}

function compare(slot: number, was: Slot | null, is: Slot | null, balance: Balance): Cell {
  const cell: Cell = { slot, held: was, now: is, mark: null, isGhost: false, lost: 0 };
  if (!was && !is) return cell;
  if (!was && is) {
    const mark = balance.takeNew(is, is.Quantity) > 0 ? "new" : "moved";
    return { ...cell, held: is, isGhost: true, mark };
  }
  if (was && is && kindOf(was) === kindOf(is)) {
    if (was.Quantity === is.Quantity) return cell;
    const lost = balance.takeLost(was, Math.max(0, was.Quantity - is.Quantity));
    return { ...cell, mark: "changed", lost };
  }
  const lost = was ? balance.takeLost(was, was.Quantity) : 0;
  return { ...cell, mark: lost > 0 ? "gone" : "moved", lost };
}
