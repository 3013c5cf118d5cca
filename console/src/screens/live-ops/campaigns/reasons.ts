import { text } from "./text";

/** The words for a code of the API; one that is not known is shown as it is. */
export function reasonOf(code: string): string {
  return text.codes[code] ?? code.replaceAll("_", " ");
}
