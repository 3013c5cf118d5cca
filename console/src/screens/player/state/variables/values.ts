import type { PlayerVariable, VariableEntry } from "@gamekeeper/client";

/** As the API's scalar: its type says which. */
export type Value = boolean | number | string;

export interface Variable {
  id: string;
  name: string;
  type: VariableEntry["Type"];
  /** What it is now. */
  value: Value;
  isDefault: boolean;
  /** What it was, if we look at another time. */
  was: Value | undefined;
}

/** Every variable of the catalog, with its value now and then; unset, it has its default. */
export function variablesOf(
  catalog: readonly VariableEntry[],
  now: readonly PlayerVariable[],
  then: readonly PlayerVariable[] | undefined,
): Variable[] {
  const valueIn = (values: readonly PlayerVariable[]) =>
    new Map(values.map(({ VariableId, Value: value }) => [VariableId, value as Value]));
  const [set, before] = [valueIn(now), then && valueIn(then)];
  return catalog.map(({ Id, Name, Type, Default }) => {
    const usual = Default as Value;
    return {
      id: Id,
      name: Name,
      type: Type,
      value: set.get(Id) ?? usual,
      isDefault: !set.has(Id),
      was: before && (before.get(Id) ?? usual),
    };
  });
}

/** Whether a number is one that the variable can have. */
export function isValid(type: Variable["type"], value: Value | undefined): value is Value {
  if (type === "boolean") return typeof value === "boolean";
  if (type === "string") return typeof value === "string";
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  return type === "number" || Number.isSafeInteger(value);
}
