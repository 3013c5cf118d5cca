import { useSyncExternalStore } from "react";

interface Question {
  answer: Promise<boolean>;
  resolve: (passed: boolean) => void;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function set(next: Question | null) {
  question = next;
  for (const listener of listeners) listener();
}

/** Ask for the second factor again; false: the person would rather not. */
export function askSecondFactor(): Promise<boolean> {
  // Several calls may be refused at once; one answer is for all of them.
  if (question) return question.answer;
  let resolve: Question["resolve"] = () => {};
  const answer = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  set({ answer, resolve });
  return answer;
}

export function close(passed: boolean) {
  question?.resolve(passed);
  set(null);
}

// Every dialog that is open closes on Escape. This one lies above the others, and is the only one
// that should: its listener is first, because it is registered when the module loads.
window.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || event.isComposing || !question) return;
    event.stopImmediatePropagation();
    close(false);
  },
  { capture: true },
);

/** Whether the second factor is asked for now. */
export function useIsAsking(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => question !== null,
  );
}
