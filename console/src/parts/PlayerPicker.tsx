import { Group, Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";

interface PlayerPickerProps {
  label: string;
  description?: string;
  placeholder?: string;
  className?: string | undefined;
  /** Whether it is a filter of a list, instead of a field of a dialog. */
  isFilter?: boolean;
  nothingFound: string;
  /** The name of the character. */
  value: string | null;
  onChange: (name: string | null) => void;
}

/** A character, found by typing a part of its name. */
export function PlayerPicker({
  nothingFound,
  value,
  onChange,
  isFilter = false,
  ...rest
}: PlayerPickerProps) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 150);
  const isEnough = wanted.length >= 2;
  const found = useQuery({
    ...get("/api/v1/search", { params: { query: { q: wanted } } }),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  const hits = isEnough ? (found.data?.Players ?? []) : [];
  const about = new Map(hits.map((one) => [one.Name, `${one.ClassName} ${one.Level}`]));
  const names = [...about.keys()];
  return (
    <Select
      // Inside of the dialog, as is what it belongs to.
      comboboxProps={{ withinPortal: isFilter }}
      {...rest}
      searchable
      required={!isFilter}
      clearable={isFilter}
      nothingFoundMessage={isEnough && found.data ? nothingFound : undefined}
      data={value && !about.has(value) ? [value, ...names] : names}
      // The service has searched already.
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      renderOption={({ option }) => (
        <Group gap="sm" wrap="nowrap" justify="space-between" w="100%">
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {about.get(option.value)}
          </Text>
        </Group>
      )}
    />
  );
}
