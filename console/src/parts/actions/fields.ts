/** A field that differs, or is there only before or only after. */
export interface Field {
  path: string;
  was: unknown;
  is: unknown;
}

/** Both states field by field, without what is the same in both. */
export function fieldsOf(before: unknown, after: unknown): Field[] {
  const [was, is] = [flat(before), flat(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  return paths
    .map((path) => ({ path, was: was.get(path), is: is.get(path) }))
    .filter((field) => JSON.stringify(field.was) !== JSON.stringify(field.is))
    .filter((field) => !isLinkage(field.path));
}

/** What ties actions together is shown elsewhere. */
function isLinkage(path: string): boolean {
  return path === "transaction" || path.endsWith("map_id");
}

function flat(value: unknown, path = "", into = new Map<string, unknown>()) {
  const isList = Array.isArray(value);
  const isPlain = isList && value.every((one) => typeof one !== "object");
  if (typeof value !== "object" || value === null || isPlain) {
    if (path !== "") into.set(path, value);
    return into;
  }
  for (const [key, one] of Object.entries(value)) {
    const name = isList ? String(Number(key) + 1) : key;
    flat(one, path ? `${path}.${name}` : name, into);
  }
  return into;
}
