import { useLocalStorage } from "@mantine/hooks";
import { type ColumnName, SHOWN } from "./columns";

/** Which columns are shown, kept in this browser. */
export function useColumns() {
  return useLocalStorage<ColumnName[]>({
    key: "gamekeeper-players-columns",
    defaultValue: SHOWN,
    getInitialValueInEffect: false,
  });
}
