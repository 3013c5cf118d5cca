/** Reading what is in the address: whatever somebody typed there is taken, or left out. */
export type Raw = Record<string, unknown>;

export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function oneOf<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((one) => one === value);
}

export function flagOf(value: unknown): true | undefined {
  return value === true || value === "true" || value === 1 ? true : undefined;
}

/** The parts of an address that are there: links need not name the others. */
export function optional<T extends object>(
  parts: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const there = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
