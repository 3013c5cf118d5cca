import { Group, Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { useItem } from "~/items";
import { ItemTile } from "~/parts/ItemTile";
import { text } from "./text";

interface ItemPickerProps {
  label?: string;
  "aria-label"?: string;
  value: string | null;
  onChange: (item: string | null) => void;
  /** Only these, such as what somebody holds; absent: the whole catalog. */
  among?: { id: string; name?: string | undefined; beside?: string }[] | undefined;
  required?: boolean;
  clearable?: boolean;
}

/** An item, found by typing a part of its name. */
export function ItemPicker({ value, onChange, among, ...rest }: ItemPickerProps) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 150);
  const chosen = useItem(value ?? "");
  const isName = wanted.length >= 2 && wanted !== chosen?.Name;
  const found = useQuery({
    ...get("/api/v1/catalog/items", {
      params: { query: { pageSize: 50, ...(isName && { search: wanted }) } },
    }),
    enabled: !among,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const items = among ?? found.data?.Values.map(({ Id, Name }) => ({ id: Id, name: Name })) ?? [];
  const isListed = items.some((item) => item.id === value);
  const all = value && !isListed ? [{ id: value, name: chosen?.Name }, ...items] : items;
  const besides = new Map(among?.map((item) => [item.id, item.beside]));
  return (
    <Select
      placeholder={text.itemPicker.placeholder}
      nothingFoundMessage={text.itemPicker.nothing}
      searchable
      data={all.map((item) => ({ value: item.id, label: item.name ?? "…" }))}
      // The service has searched already.
      {...(!among && { filter: ({ options }) => options })}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      leftSection={value ? <ItemTile id={value} size={22} /> : undefined}
      maxDropdownHeight={280}
      renderOption={({ option }) => (
        <Group gap="sm" wrap="nowrap">
          <ItemTile id={option.value} name={option.label} size={24} />
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed" ml="auto">
            {besides.get(option.value)}
          </Text>
        </Group>
      )}
      {...rest}
    />
  );
}
