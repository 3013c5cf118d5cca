import { lazy, Suspense } from "react";
import type { SavedFiltersProps } from "./filters";

// Loaded after the list: the first screen must be light.
const FilterMenu = lazy(() => import("./FilterMenu"));

/** The caller's saved filters of a list, as a menu. */
export function SavedFilters(props: SavedFiltersProps) {
  return (
    <Suspense>
      <FilterMenu {...props} />
    </Suspense>
  );
}
