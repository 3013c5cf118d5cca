import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { text } from "./text";

interface PickerProps {
  value: string | null;
  onChange: (value: string | null) => void;
  "aria-label": string;
}

/** A guild, found by typing a part of its name. */
export function GuildPicker({ value, ...rest }: PickerProps) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 150);
  const chosen = useQuery({
    ...get("/api/v1/guilds/{guild_id}", { params: { path: { guild_id: value ?? "" } } }),
    enabled: value !== null,
    staleTime: 60_000,
  }).data?.Name;
  const isName = wanted.length >= 2 && wanted !== chosen;
  const found = useQuery({
    ...get("/api/v1/guilds", {
      params: { query: { pageSize: 50, ...(isName && { search: wanted }) } },
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const listed = (found.data?.Values ?? []).map(({ Key }) => ({ value: Key.Id, label: Key.Name }));
  const isListed = listed.some((option) => option.value === value);
  return (
    <Select
      placeholder={text.guildHint}
      nothingFoundMessage={found.isFetching ? undefined : text.noGuild}
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

/** An uploaded list of names. */
export function ListPicker({ value, ...rest }: PickerProps) {
  const lists = useQuery(get("/api/v1/segment-lists")).data?.Values ?? [];
  const names = lists.map(({ Name }) => Name);
  return (
    <Select
      placeholder={text.choose}
      nothingFoundMessage={text.noLists}
      searchable
      data={value && !names.includes(value) ? [value, ...names] : names}
      value={value}
      {...rest}
    />
  );
}
