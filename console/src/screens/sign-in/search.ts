import { optional, type Raw, textOf } from "~/search";

/** Where to go after the sign-in: an address of ours, and of nobody else. */
export function search(raw: Raw) {
  const to = textOf(raw.to);
  return optional({ to: to?.startsWith("/") && !to.startsWith("//") ? to : undefined });
}
