import { isLimited } from "~/parts/rights/limits";
import { useMay, useMe } from "~/session";
import { text } from "./text";

/** Why the person cannot change batches, or create and activate codes; null: they can. */
export function useRefusals(): { change: string | null; create: string | null } {
  const change = useMay("codes.manage") ? null : text.mayNot;
  const isBounded = isLimited(useMe().Limits);
  return { change, create: change ?? (isBounded ? text.limited : null) };
}
