import type { BulkUndoResult, UndoRecipient } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { conflictsOf, otherFailures } from "./conflicts";
import { added, undoneOf } from "./sum";

const kind = { Kind: "items.move", Found: 25, Partly: 0, AlreadyUndone: 0, Covered: 0, Left: 0 };

function recipient(change: Partial<UndoRecipient>): UndoRecipient {
  return {
    ...{ PlayerId: "bo", Name: "Bo", Items: [], Conflicts: [] },
    ...{ Found: 0, Undone: 0, Partly: 0, AlreadyUndone: 0, Left: 0 },
    ...change,
  };
}

function result(change: Partial<BulkUndoResult>): BulkUndoResult {
  return {
    ...{ Actor: null, DryRun: true, Kinds: [], Left: [], Next: null },
    ...{ PlayerId: "ana", UserId: null, Recipients: [] },
    ...change,
  };
}

const obstacle = {
  ...{ Reason: "gone" as const, What: "item" as const, Id: "sword", Name: null, Place: null },
  ...{ Wanted: 1, Possible: 0, Expected: null, Found: null },
  ...{ PlayerId: "bo", PlayerName: "Bo", GuildId: null, HandedOn: [] },
};
const failure = { Kind: "items.move", Code: "undo_conflict", Message: "Something is in the way." };

test("the calls of one bulk undo count together, recipient by recipient", () => {
  const coins = { ItemId: "coin", ItemName: "Coin", Quantity: 10, Returned: 10 };
  const first = result({
    Kinds: [{ ...kind, Undone: 10 }],
    Recipients: [recipient({ Found: 10, Undone: 10, Items: [coins] })],
  });
  const second = result({
    Kinds: [{ ...kind, Undone: 3, Left: 2 }],
    Recipients: [
      recipient({ Found: 5, Undone: 3, Left: 2, Items: [{ ...coins, Returned: 6 }] }),
      recipient({ PlayerId: null, Name: null, Found: 1, Undone: 1 }),
    ],
  });
  const sum = added(first, second);
  expect(undoneOf(sum)).toBe(13);
  expect(sum.Kinds).toEqual([{ ...kind, Undone: 13, Left: 2 }]);
  expect(sum.Recipients.map(({ Name, Found, Undone }) => [Name, Found, Undone])).toEqual([
    ["Bo", 15, 13],
    [null, 1, 1],
  ]);
  expect(sum.Recipients[0]?.Items).toEqual([{ ...coins, Quantity: 20, Returned: 16 }]);
});

test("a reason that several trades have is said once, with the sum", () => {
  const handed = { HandedOn: [{ To: [{ PlayerId: "cy", GuildId: null, Name: "Cy" }] }] };
  const Left = ["1", "2"].map((Id) => ({
    ...failure,
    Id,
    InTheWay: [{ ...obstacle, ...handed } as unknown as typeof obstacle],
  }));
  const found = conflictsOf(recipient({ Conflicts: ["1", "2"] }), Left);
  expect(found.map(({ wanted, possible, handedTo }) => [wanted, possible, handedTo])).toEqual([
    [2, 0, ["Cy"]],
  ]);
  expect(conflictsOf(recipient({ Conflicts: ["3"] }), Left)).toEqual([]);
});

test("a failure without an obstacle is told in the words of the service", () => {
  const Left = [{ ...failure, Id: "1", InTheWay: [] }];
  expect(conflictsOf(recipient({ Conflicts: ["1"] }), Left)[0]?.message).toBe(failure.Message);
});

test("what no recipient explains is listed apart", () => {
  const Left = ["1", "2"].map((Id) => ({ ...failure, Id, InTheWay: [] }));
  const found = otherFailures(result({ Left, Recipients: [recipient({ Conflicts: ["1"] })] }));
  expect(found.map(({ Id }) => Id)).toEqual(["2"]);
});
