import type { Condition, ConditionBody, GroupBody, Segment } from "@gamekeeper/client";

export type Field = ConditionBody["field"];
export type Match = "all" | "any";
/** The parts of a condition that compare; which of them apply, its field decides. */
export type Operand = Exclude<keyof ConditionBody, "field" | "negate">;
export type Value = string | number | boolean;

/**
 * The combinations of operands that a person chooses from, the usual one first. The API takes
 * more of them; one that is saved stays as it is.
 */
const SHAPES: Readonly<Record<Field, readonly (readonly Operand[])[]>> = {
  level: [["atleast"], ["atmost"], ["atleast", "atmost"]],
  class: [["id"]],
  created: [["withindays"], ["since"], ["before"], ["since", "before"]],
  account_created: [["withindays"], ["since"], ["before"], ["since", "before"]],
  last_online: [["withindays"], ["since"], ["before"], ["since", "before"]],
  hours_played: [["atleast"], ["atmost"], ["atleast", "atmost"]],
  online: [[]],
  item: [["id", "atleast"]],
  player_variable: [
    ["id", "equals"],
    ["id", "atleast"],
    ["id", "atmost"],
    ["id", "atleast", "atmost"],
  ],
  user_variable: [
    ["id", "equals"],
    ["id", "atleast"],
    ["id", "atmost"],
    ["id", "atleast", "atmost"],
  ],
  guild: [[], ["id"]],
  sanction: [[], ["kind"]],
  list: [["list"]],
};
export const FIELDS = Object.keys(SHAPES) as Field[];
export const MAX_GROUPS = 10;
export const MAX_CONDITIONS = 20;

/** Operands in the order in which a sentence names them. */
const ORDER: readonly Operand[] = [
  "id",
  "list",
  "kind",
  "equals",
  "atleast",
  "atmost",
  "withindays",
  "since",
  "before",
];

/** A condition as it is edited: what is not filled in yet is not there. */
export interface ConditionDraft {
  key: number;
  field: Field;
  negate: boolean;
  shape: readonly Operand[];
  values: Readonly<Partial<Record<Operand, Value>>>;
}

export interface GroupDraft {
  key: number;
  match: Match;
  conditions: readonly ConditionDraft[];
}

export interface Draft {
  match: Match;
  groups: readonly GroupDraft[];
}

/** Keys for React only: they must differ within a draft. */
let lastKey = 0;

export function newCondition(field: Field = "level"): ConditionDraft {
  const shape = SHAPES[field][0] ?? [];
  const isCounted = field === "item";
  return { key: ++lastKey, field, negate: false, shape, values: isCounted ? { atleast: 1 } : {} };
}

export function newGroup(): GroupDraft {
  return { key: ++lastKey, match: "all", conditions: [newCondition()] };
}

export function newDraft(): Draft {
  return { match: "all", groups: [newGroup()] };
}

/** How many conditions a draft has in all groups: the API limits them together. */
export function countConditions(draft: Draft): number {
  return draft.groups.reduce((sum, group) => sum + group.conditions.length, 0);
}

/** The combinations to choose from, with the one that is saved. */
export function shapesOf({ field, shape }: ConditionDraft): (readonly Operand[])[] {
  const usual = SHAPES[field];
  return usual.some((one) => shapeKey(one) === shapeKey(shape)) ? [...usual] : [...usual, shape];
}

export function shapeKey(shape: readonly Operand[]): string {
  return shape.join(" ");
}

/** The condition as the API takes it; null: something is not filled in. */
function conditionBody({ field, negate, shape, values }: ConditionDraft): ConditionBody | null {
  const given = shape.map((operand) => [operand, values[operand]] as const);
  // A variable may be compared with the empty text, which is its default.
  const isThere = ([operand, value]: (typeof given)[number]) =>
    value !== undefined && (value !== "" || operand === "equals");
  if (!given.every(isThere)) return null;
  return { field, ...(negate && { negate }), ...Object.fromEntries(given) };
}

/** The draft as the API takes it; null: a condition is not complete. */
export function bodyOf(draft: Draft): { match: Match; groups: GroupBody[] } | null {
  const groups = draft.groups.map(({ match, conditions }) => ({
    match,
    conditions: conditions.map(conditionBody).filter((body) => body !== null),
  }));
  const complete = groups.reduce((sum, group) => sum + group.conditions.length, 0);
  return complete === countConditions(draft) ? { match: draft.match, groups } : null;
}

/** A saved segment, to be edited. */
export function draftOf({ Match: match, Groups }: Pick<Segment, "Match" | "Groups">): Draft {
  return {
    match,
    groups: Groups.map((group) => ({
      key: ++lastKey,
      match: group.Match,
      conditions: group.Conditions.map(conditionDraft),
    })),
  };
}

function conditionDraft(saved: Condition): ConditionDraft {
  const known: Record<Operand, unknown> = {
    atleast: saved.AtLeast,
    atmost: saved.AtMost,
    since: saved.Since,
    before: saved.Before,
    withindays: saved.WithinDays,
    id: saved.Id,
    equals: saved.Equals,
    kind: saved.Kind,
    list: saved.List,
  };
  // Without a number, one piece is enough: the sentence says so.
  if (saved.Field === "item") known.atleast ??= 1;
  const shape = ORDER.filter((operand) => known[operand] !== null && known[operand] !== undefined);
  const values = Object.fromEntries(shape.map((operand) => [operand, known[operand]]));
  return {
    key: ++lastKey,
    field: saved.Field,
    negate: saved.Negate,
    shape,
    values: values as ConditionDraft["values"],
  };
}
