import type { VariableEntry } from "@gamekeeper/client";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { useCatalogName } from "~/names";
import { text } from "./text";

type Part = "classes" | "spells" | "variables";

interface CatalogPickerProps {
  part: Part;
  /** Of variables: only those of this owner. */
  owner?: VariableEntry["Owner"];
  value: string | null;
  onChange: (id: string | null) => void;
  label?: string;
  "aria-label"?: string;
  required?: boolean;
  w?: number;
}

/** A class, a spell or a variable, found by typing a part of its name. */
export function CatalogPicker({ part, owner, value, ...rest }: CatalogPickerProps) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 150);
  const chosen = useCatalogName(part, value);
  const found = useFound(part, wanted.length >= 2 && wanted !== chosen ? wanted : "");
  const entries = (found.data ?? []).filter((entry) => !owner || entry.Owner === owner);
  const listed = entries.map(({ Id, Name }) => ({ value: Id, label: Name }));
  const isListed = listed.some((option) => option.value === value);
  return (
    <Select
      placeholder={text.catalogPicker.placeholder}
      nothingFoundMessage={found.isFetching ? undefined : text.catalogPicker.nothing}
      searchable
      data={value && !isListed ? [{ value, label: chosen ?? "…" }, ...listed] : listed}
      // The service has searched already.
      filter={({ options }) => options}
      value={value}
      onSearchChange={setTyped}
      maxDropdownHeight={280}
      {...rest}
    />
  );
}

/** What the catalog has; with `search`, of that name. */
function useFound(part: Part, search: string) {
  const query = { pageSize: 100, ...(search && { search }) };
  return useQuery({
    queryKey: [`/api/v1/catalog/${part}`, { query }],
    queryFn: async ({ signal }): Promise<{ Id: string; Name: string; Owner?: string }[]> =>
      (await gk.get(`/api/v1/catalog/${part}`, { params: { query }, signal })).Values,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** A variable of the catalog, once it is known. */
export function useVariable(id: string | null): VariableEntry | undefined {
  const { data } = useQuery({
    ...get("/api/v1/catalog/variables", {
      params: { query: { ids: id ?? "", pageSize: 1 } },
    }),
    enabled: id !== null,
    staleTime: 60_000,
  });
  return data?.Values[0];
}
