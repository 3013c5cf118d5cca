import { useEffect } from "react";

/**
 * Gives the focus back to where it was before a sheet opened, once the sheet is gone.
 *
 * Mantine does this for a drawer that stays mounted and is closed. Most sheets are mounted open
 * and unmounted instead, so that each of them opens empty.
 */
export function useFocusReturn(opened: boolean): void {
  useEffect(() => {
    if (!opened) return;
    const opener = openerOf(document.activeElement);
    return () => {
      // Otherwise the sheet is still there, or something else has the focus already.
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
    };
  }, [opened]);
}

/** What opened a sheet: of a menu, which closes, its button. */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = button ? document.getElementById(button) : active;
  return opener instanceof HTMLElement ? opener : null;
}
