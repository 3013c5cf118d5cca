import { type ChangeInit, carryOut } from "~/change";
import { toastDone, toastFailed } from "~/toasts";
import { text } from "./text";

/** Ends a session, or several. Nothing is offered to undo it: whoever it was signs in again. */
export function end(call: (init: ChangeInit) => Promise<unknown>, done: string): void {
  carryOut(call).then(
    () => toastDone(done),
    (error: unknown) => toastFailed(error, text.notEnded),
  );
}
