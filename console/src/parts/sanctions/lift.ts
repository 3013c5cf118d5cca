import { gk } from "~/api";
import { carryOut } from "~/change";
import { text } from "./text";

/** A slip of the hand is made good at once, as an undo would. */
export function liftAtOnce(key: string): Promise<string> {
  return carryOut((init) =>
    gk.post("/api/v1/sanctions/{key}/lift", {
      params: { path: { key } },
      body: { reason: text.liftAtOnce },
      ...init,
    }),
  );
}
