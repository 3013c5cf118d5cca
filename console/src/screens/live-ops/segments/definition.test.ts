import type { Condition, Segment } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { bodyOf, countConditions, draftOf, newCondition, newDraft, shapesOf } from "./definition";

const EMPTY: Omit<Condition, "Field"> = {
  Negate: false,
  AtLeast: null,
  AtMost: null,
  Since: null,
  Before: null,
  WithinDays: null,
  Id: null,
  Equals: null,
  Kind: null,
  List: null,
};

function saved(...conditions: Partial<Condition>[]): Pick<Segment, "Match" | "Groups"> {
  const full = conditions.map((one) => ({ ...EMPTY, ...one }) as Condition);
  return { Match: "any", Groups: [{ Match: "all", Conditions: full }] };
}

test("a saved segment comes back as it was", () => {
  const draft = draftOf(
    saved(
      { Field: "level", AtLeast: 20, AtMost: 30 },
      { Field: "guild", Negate: true },
      { Field: "player_variable", Id: "v", Equals: false },
    ),
  );
  expect(bodyOf(draft)).toEqual({
    match: "any",
    groups: [
      {
        match: "all",
        conditions: [
          { field: "level", atleast: 20, atmost: 30 },
          { field: "guild", negate: true },
          { field: "player_variable", id: "v", equals: false },
        ],
      },
    ],
  });
});

test("an unusual combination is kept, and offered beside the usual ones", () => {
  const draft = draftOf(saved({ Field: "created", WithinDays: 30, Before: "2026-01-01" }));
  const [condition] = draft.groups[0]?.conditions ?? [];
  expect(condition && shapesOf(condition)).toHaveLength(5);
  expect(bodyOf(draft)?.groups[0]?.conditions).toEqual([
    { field: "created", withindays: 30, before: "2026-01-01" },
  ]);
});

test("an item without a number means one piece", () => {
  const draft = draftOf(saved({ Field: "item", Id: "i" }));
  expect(bodyOf(draft)?.groups[0]?.conditions).toEqual([{ field: "item", id: "i", atleast: 1 }]);
});

test("a draft with an empty condition has no body", () => {
  const draft = newDraft();
  expect(countConditions(draft)).toBe(1);
  expect(bodyOf(draft)).toBeNull();
});

test("a condition without operands is complete at once", () => {
  const [group] = newDraft().groups;
  if (!group) throw new Error("a new draft has a group");
  const groups = [{ ...group, conditions: [newCondition("online")] }];
  expect(bodyOf({ match: "all", groups })?.groups[0]?.conditions).toEqual([{ field: "online" }]);
});
