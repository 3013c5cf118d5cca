/** Reading what an action says was there before and after: its form depends on the kind. */
export type State = Readonly<Record<string, unknown>>;

const NOTHING: State = {};

export function stateOf(value: unknown): State {
  const isState = typeof value === "object" && value !== null && !Array.isArray(value);
  return isState ? (value as State) : NOTHING;
}

export function textAt(state: State, key: string): string | undefined {
  const value = state[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberAt(state: State, key: string): number | undefined {
  const value = state[key];
  return typeof value === "number" ? value : undefined;
}

export function statesAt(state: State, key: string): State[] {
  const value = state[key];
  return Array.isArray(value) ? value.map(stateOf) : [];
}
