import type { BulkUndoResult, UndoRecipient } from "@gamekeeper/client";

/** How many actions were undone or, in a dry run, would be. */
export function undoneOf(result: BulkUndoResult | undefined): number {
  return result?.Kinds.reduce((sum, kind) => sum + kind.Undone, 0) ?? 0;
}

/** Two parts of one bulk undo, as if one call had done both. */
export function added(sum: BulkUndoResult, part: BulkUndoResult): BulkUndoResult {
  return {
    ...part,
    Kinds: merged(
      sum.Kinds,
      part.Kinds,
      (kind) => kind.Kind,
      (before, kind) => ({
        ...before,
        ...counts(before, kind),
        Covered: before.Covered + kind.Covered,
      }),
    ),
    Left: [...sum.Left, ...part.Left],
    Recipients: merged(
      sum.Recipients,
      part.Recipients,
      (one) => one.PlayerId,
      (before, one) => ({
        ...before,
        ...counts(before, one),
        Found: before.Found + one.Found,
        Conflicts: [...before.Conflicts, ...one.Conflicts],
        Items: itemsOf(before, one),
      }),
    ),
  };
}

interface Counts {
  Undone: number;
  Partly: number;
  AlreadyUndone: number;
  Left: number;
}

function counts(one: Counts, other: Counts): Counts {
  return {
    Undone: one.Undone + other.Undone,
    Partly: one.Partly + other.Partly,
    AlreadyUndone: one.AlreadyUndone + other.AlreadyUndone,
    Left: one.Left + other.Left,
  };
}

function itemsOf(one: UndoRecipient, other: UndoRecipient): UndoRecipient["Items"] {
  return merged(
    one.Items,
    other.Items,
    (item) => item.ItemId,
    (before, item) => ({
      ...before,
      Quantity: before.Quantity + item.Quantity,
      Returned: before.Returned + item.Returned,
    }),
  );
}

function merged<T>(
  some: T[],
  others: T[],
  keyOf: (one: T) => unknown,
  add: (a: T, b: T) => T,
): T[] {
  const found = new Map(some.map((one) => [keyOf(one), one]));
  for (const one of others) {
    const before = found.get(keyOf(one));
    found.set(keyOf(one), before ? add(before, one) : one);
  }
  return [...found.values()];
}
