const palette = new EventTarget();

/** Open the search of the frame from anywhere on the page. */
export function openSearch(): void {
  palette.dispatchEvent(new Event("open"));
}

/** Returns what stops it. */
export function onSearch(open: () => void): () => void {
  palette.addEventListener("open", open);
  return () => palette.removeEventListener("open", open);
}
