import { useDebouncedCallback } from "@mantine/hooks";

/**
 * Calls `send` soon after the last key, unless another screen was opened meanwhile: a list stays
 * until the next screen has loaded, and its search would lead back to it.
 */
export function useTyping(send: (typed: string) => void, wait: number): (typed: string) => void {
  const later = useDebouncedCallback((typed: string, path: string) => {
    if (window.location.pathname === path) send(typed);
  }, wait);
  return (typed) => later(typed, window.location.pathname);
}
