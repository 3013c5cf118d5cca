import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Screen } from "./screens";

/** Milliseconds in which the letter follows the `g`. */
const SECOND_KEY = 1200;

/** When `g` was pressed last. */
let pressedG = Number.NEGATIVE_INFINITY;

/** Whether a key is the second one of `g` and a letter, and so means nothing else. */
export function followsG({ timeStamp }: { timeStamp: number }): boolean {
  return timeStamp - pressedG < SECOND_KEY;
}

/** `/` and Ctrl-K search, `g` and a letter opens a screen, `?` shows the keys. */
export function useShortcuts(screens: Screen[], openSearch: () => void, openHelp: () => void) {
  const navigate = useNavigate();

  useEffect(() => {
    function press(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openSearch();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "/") {
        event.preventDefault();
        openSearch();
      } else if (event.key === "?") openHelp();
      else if (event.key === "g") pressedG = event.timeStamp;
      else if (followsG(event)) {
        const screen = screens.find((one) => one.key === event.key);
        pressedG = Number.NEGATIVE_INFINITY;
        if (screen) void navigate({ to: screen.to, search: {} });
      }
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [screens, openSearch, openHelp, navigate]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}
