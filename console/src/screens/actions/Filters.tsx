import type { AuditLogEntry } from "@gamekeeper/client";
import { Button, Collapse, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { fromLocal, toLocal } from "~/instants";
import { GROUPS, KINDS } from "~/parts/actions/kinds.generated";
import { text as words } from "~/parts/actions/text";
import { ItemPicker } from "~/parts/ItemPicker";
import { SavedFilters } from "~/parts/saved/SavedFilters";
import { useTimeZone } from "~/preferences";
import { filterOf, type LogFilter } from "./filter";
import { ActorFilter, FoundFilter } from "./NameFilter";
import { text } from "./text";

const KIND_DATA = GROUPS.map((group) => ({
  group: words.groups[group],
  items: Object.entries(KINDS)
    .filter(([, facts]) => facts.group === group)
    .map(([value, { label }]) => ({ value, label })),
}));

interface FiltersProps {
  /** Of the log as it is shown: it has the names of those whom the address names by id. */
  entries: AuditLogEntry[];
  actorName: string | undefined;
}

/** What the log is filtered by, all in the address. */
export function Filters({ entries, actorName }: FiltersProps) {
  const search = useSearch({ from: "/actions" });
  const navigate = useNavigate({ from: "/actions" });
  const filter = filterOf(search);
  const [zone] = useTimeZone();
  const [more, setMore] = useState(Boolean(filter.user || filter.item || filter.from || filter.to));

  function set(change: { [K in keyof LogFilter]: LogFilter[K] | null | undefined }) {
    void navigate({
      search: ({ live, ...now }) => ({
        ...filterOf({ ...filterOf(now), ...change } as LogFilter),
        ...(live && { live }),
      }),
      replace: true,
    });
  }

  return (
    <Stack gap="xs" component="search" aria-label={text.filters.label}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" verticalSpacing="xs">
        <ActorFilter
          label={text.filters.actor}
          placeholder={text.filters.actorHint}
          names={entries.map((entry) => entry.ActorName)}
          value={actorName ?? search.actor}
          onValue={(actor) => set({ actor })}
        />
        <Select
          label={text.filters.kind}
          placeholder={text.filters.kindHint}
          data={KIND_DATA}
          searchable
          clearable
          value={search.kind ?? null}
          onChange={(kind) => set({ kind })}
        />
        <FoundFilter
          of="Players"
          label={text.filters.player}
          placeholder={text.filters.nameHint}
          value={entries.find((one) => one.PlayerId === search.player)?.PlayerName ?? search.player}
          onValue={(player) => set({ player })}
        />
        <TextFilter
          label={text.filters.reason}
          value={search.reason}
          onValue={(reason) => set({ reason })}
        />
      </SimpleGrid>
      <Collapse expanded={more}>
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" verticalSpacing="xs">
          <FoundFilter
            of="Users"
            label={text.filters.user}
            placeholder={text.filters.nameHint}
            value={entries.find((one) => one.UserId === search.user)?.UserName ?? search.user}
            onValue={(user) => set({ user })}
          />
          {more && (
            <ItemPicker
              label={text.filters.item}
              value={search.item ?? null}
              onChange={(item) => set({ item })}
              clearable
            />
          )}
          <TextInput
            type="datetime-local"
            label={text.filters.from}
            value={toLocal(search.from, zone)}
            onChange={(event) => set({ from: fromLocal(event.currentTarget.value, zone) })}
          />
          <TextInput
            type="datetime-local"
            label={text.filters.to}
            value={toLocal(search.to, zone)}
            onChange={(event) => set({ to: fromLocal(event.currentTarget.value, zone) })}
          />
        </SimpleGrid>
      </Collapse>
      <Group gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={more}
          onClick={() => setMore(!more)}
        >
          {more ? text.filters.fewer : text.filters.more}
        </Button>
        <SavedFilters list="actions" size="compact-sm" />
        {Object.keys(filter).length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() =>
              void navigate({ search: ({ live }) => ({ ...(live && { live }) }), replace: true })
            }
          >
            {text.filters.clear}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface TextFilterProps {
  label: string;
  value: string | undefined;
  onValue: (value: string | undefined) => void;
}

/** A field whose words go into the address when the typing pauses. */
function TextFilter({ label, value = "", onValue }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const send = useDebouncedCallback((wanted: string) => onValue(wanted || undefined), 350);
  // The address has changed otherwise, by a link or by going back.
  if (value !== seen) {
    setSeen(value);
    if (value !== typed.trim()) setTyped(value);
  }
  return (
    <TextInput
      label={label}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
    />
  );
}
