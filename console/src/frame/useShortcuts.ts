import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Screen } from "./screens";

const SECOND_KEY = 1200;
/** Milliseconds in which the letter follows the `g`. */

/** `/` and Ctrl-K search, `g` and a letter opens a screen, `?` shows the keys. */
export function useShortcuts(screens: Screen[], openSearch: () => void, openHelp: () => void) {
  const navigate = useNavigate();
  const gone = useRef(0);

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
      else if (event.key === "g") gone.current = event.timeStamp;
      else if (event.timeStamp - gone.current < SECOND_KEY) {
        const screen = screens.find((one) => one.key === event.key);
        gone.current = 0;
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
