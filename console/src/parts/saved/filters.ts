import type { SavedFilter } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { get } from "~/api";

export type FilteredList = SavedFilter["List"];

export interface SavedFiltersProps {
  list: FilteredList;
  size?: "sm" | "compact-sm";
}

/** The screen of each list. */
const PATHS: Record<FilteredList, string> = {
  players: "/players",
  accounts: "/accounts",
  actions: "/actions",
  guilds: "/guilds",
  sanctions: "/moderation",
  reports: "/moderation",
};

/** What the list is filtered by now, as its address has it; the page is no filter. */
export function useCurrentQuery(): string {
  const now = useRouterState({ select: (state) => state.location.searchStr });
  const parts = new URLSearchParams(now);
  for (const name of ["page", "tab", "live", "cursor"]) parts.delete(name);
  return parts.size > 0 ? withoutPage(now) : "";
}

function withoutPage(query: string): string {
  const parts = new URLSearchParams(query);
  parts.delete("page");
  return parts.toString();
}

/** The caller's filters of a list, read when `wanted`. */
export function useSavedFilters(list: FilteredList, wanted: boolean): SavedFilter[] | undefined {
  const found = useQuery({ ...get("/api/v1/me/filters"), enabled: wanted });
  return found.data?.Values.filter((one) => one.List === list);
}

/** The address of a filter, to open and to share. */
export function useHref(): (filter: SavedFilter) => string {
  const router = useRouter();
  const root = router.basepath === "/" ? "" : router.basepath;
  return (filter) => `${root}${PATHS[filter.List]}?${filter.Query}`;
}
