import type { Case } from "@gamekeeper/client";
import { gk } from "~/api";
import { carryOut } from "~/change";
import { toastDone, toastFailed } from "~/toasts";
import { reportedName } from "./marks";
import { text } from "./text";

const path = ({ Id }: Case) => ({ params: { path: { id: Id } } });

/** Claim a case; if somebody was faster, say who. */
export async function claim(about: Case): Promise<void> {
  const name = reportedName(about);
  try {
    await carryOut((init) => gk.post("/api/v1/cases/{id}/claim", { ...path(about), ...init }));
    toastDone(text.claimed(name), {
      label: text.release,
      act: () => releaseNow(about),
      done: text.released(name),
      failed: text.notReleased,
    });
  } catch (error) {
    toastFailed(error);
  }
}

export async function release(about: Case): Promise<void> {
  try {
    await releaseNow(about);
    toastDone(text.released(reportedName(about)));
  } catch (error) {
    toastFailed(error, text.notReleased);
  }
}

export function releaseNow(about: Case): Promise<unknown> {
  return carryOut((init) => gk.post("/api/v1/cases/{id}/release", { ...path(about), ...init }));
}

export function reopen(about: Case): Promise<unknown> {
  return carryOut((init) => gk.post("/api/v1/cases/{id}/reopen", { ...path(about), ...init }));
}
