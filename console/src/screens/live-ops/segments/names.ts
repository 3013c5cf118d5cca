/** How many names the API takes in one part, and in a list. */
export const PART_SIZE = 2_000;
export const MAX_NAMES = 1_000_000;
const MAX_LENGTH = 64;

/** The names of a text, one per line, without empty lines and repetitions. */
export function namesIn(typed: string): string[] {
  const lines = typed.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}

/** How many names are longer than a name can be: the file is perhaps no list of names. */
export function countTooLong(names: readonly string[]): number {
  return names.filter((name) => name.length > MAX_LENGTH).length;
}

/** The names in parts that the API takes. */
export function partsOf(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < names.length; at += PART_SIZE) parts.push(names.slice(at, at + PART_SIZE));
  return parts;
}
