import { useLocalStorage } from "@mantine/hooks";

/** What a person chose, kept in this browser. */
export type TimeZone = "local" | "utc";
export type Density = "comfortable" | "compact";

export function useTimeZone() {
  return useLocalStorage<TimeZone>({
    key: "gamekeeper-time-zone",
    defaultValue: "local",
    getInitialValueInEffect: false,
  });
}

export function useDensity() {
  return useLocalStorage<Density>({
    key: "gamekeeper-density",
    defaultValue: "comfortable",
    getInitialValueInEffect: false,
  });
}

export function useRailCollapsed() {
  return useLocalStorage<boolean>({
    key: "gamekeeper-rail-collapsed",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
}
