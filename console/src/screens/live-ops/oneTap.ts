import { type ChangeInit, carryOut } from "~/change";
import { config } from "~/config";
import { toastDone, toastFailed } from "~/toasts";

interface OneTap {
  permission: string;
  /** Opens the sheet that asks for the reason. */
  ask: () => void;
  change: (init: ChangeInit) => Promise<unknown>;
  done: string;
}

/**
 * Carry out on one tap what the button beside it takes back: a pause must not wait for a reason,
 * because something looks wrong. Unless the operator requires one: the service would refuse.
 */
export async function oneTap({ permission, ask, change, done }: OneTap): Promise<void> {
  if (config.requiredReasons.includes(permission)) {
    ask();
    return;
  }
  try {
    await carryOut(change);
    toastDone(done);
  } catch (error) {
    toastFailed(error);
  }
}
