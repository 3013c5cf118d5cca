import type { ClassEntry, ItemEntry, SpellEntry, VariableEntry } from "@gamekeeper/client";
import { Group, Stack, Text, Tooltip } from "@mantine/core";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { CopyId } from "~/parts/CopyId";
import { type Column, DataTable } from "~/parts/DataTable";
import { ItemTile } from "~/parts/ItemTile";
import { Pager } from "~/parts/Pager";
import { Answered, Empty } from "~/parts/states";
import { text } from "./text";

const PAGE_SIZE = 50;

interface Listed<T> {
  Values: T[];
  Total: number;
  Page: number;
}

/** The page of a list that the address names, for each kind of entry. */
function useAsked() {
  const { search, page = 0 } = useSearch({ from: "/catalog" });
  return {
    params: {
      query: { page, pageSize: PAGE_SIZE, ...(search && search.length > 1 && { search }) },
    },
  };
}

interface EntriesProps<T> {
  label: string;
  query: UseQueryResult<Listed<T>>;
  columns: Column<T>[];
  onOpen?: (entry: T) => void;
}

function Entries<T extends { Id: string }>({ label, query, columns, onOpen }: EntriesProps<T>) {
  const navigate = useNavigate({ from: "/catalog" });
  return (
    <Answered query={query}>
      {({ Values, Total, Page }) =>
        Values.length === 0 ? (
          <Empty title={text.empty} hint={text.emptyHint} />
        ) : (
          <Stack gap="sm">
            <DataTable
              label={label}
              columns={columns}
              rows={Values}
              rowKey={(entry) => entry.Id}
              {...(onOpen && { onOpen })}
            />
            <Pager
              page={Page}
              pageSize={PAGE_SIZE}
              total={Total}
              onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
            />
          </Stack>
        )
      }
    </Answered>
  );
}

function nameColumn<T extends { Id: string; Name: string }>(): Column<T> {
  return {
    key: "name",
    title: text.name,
    cell: (entry) => (
      <Group gap={4} wrap="nowrap">
        <Text size="sm" fw={600}>
          {entry.Name}
        </Text>
        <CopyId id={entry.Id} />
      </Group>
    ),
  };
}

const ITEM_COLUMNS: Column<ItemEntry>[] = [
  {
    key: "name",
    title: text.name,
    cell: (item) => (
      <Group gap="sm" wrap="nowrap">
        <ItemTile id={item.Id} name={item.Name} size={32} />
        <div>
          <Text size="sm" fw={600}>
            {item.Name}
          </Text>
          {item.BagSlots > 0 && (
            <Text size="xs" c="dimmed">
              {text.bag(item.BagSlots)}
            </Text>
          )}
        </div>
      </Group>
    ),
  },
  { key: "type", title: text.type, cell: (item) => item.Type },
  {
    key: "stack",
    title: text.stack,
    numeric: true,
    secondary: true,
    cell: (item) =>
      item.Stackable ? (
        <Tooltip label={text.stackHint(grouped(item.InventoryStack), grouped(item.BankStack))}>
          <span>{grouped(item.InventoryStack)}</span>
        </Tooltip>
      ) : (
        text.single
      ),
  },
  {
    key: "bank",
    title: text.bankable,
    secondary: true,
    cell: (item) => (item.Bankable ? text.yes : text.no),
  },
  {
    key: "value",
    title: text.value,
    numeric: true,
    cell: (item) => (item.Value === null ? "–" : grouped(item.Value)),
  },
];

export function ItemList() {
  const navigate = useNavigate();
  const query = useQuery({
    ...get("/api/v1/catalog/items", useAsked()),
    placeholderData: keepPreviousData,
  });
  return (
    <Entries
      label={text.tabs.items}
      query={query}
      columns={ITEM_COLUMNS}
      onOpen={(item) => void navigate({ to: "/economy/$item", params: { item: item.Id } })}
    />
  );
}

export function SpellList() {
  const query = useQuery({
    ...get("/api/v1/catalog/spells", useAsked()),
    placeholderData: keepPreviousData,
  });
  const columns: Column<SpellEntry>[] = [
    nameColumn(),
    { key: "bound", title: text.bound, cell: (spell) => (spell.Bound ? text.boundHint : "–") },
  ];
  return <Entries label={text.tabs.spells} query={query} columns={columns} />;
}

export function ClassList() {
  const query = useQuery({
    ...get("/api/v1/catalog/classes", useAsked()),
    placeholderData: keepPreviousData,
  });
  const columns: Column<ClassEntry>[] = [
    nameColumn(),
    { key: "levels", title: text.levels, numeric: true, cell: (one) => grouped(one.MaxLevel) },
    { key: "vitals", title: text.vitals, cell: (one) => one.BaseVitals.map(grouped).join(", ") },
    {
      key: "stats",
      title: text.stats,
      secondary: true,
      cell: (one) => one.BaseStats.map((stat, at) => `${text.statNames[at]} ${stat}`).join(" · "),
    },
  ];
  return <Entries label={text.tabs.classes} query={query} columns={columns} />;
}

export function VariableList() {
  const query = useQuery({
    ...get("/api/v1/catalog/variables", useAsked()),
    placeholderData: keepPreviousData,
  });
  const columns: Column<VariableEntry>[] = [
    nameColumn(),
    { key: "type", title: text.type, cell: (one) => one.Type },
    { key: "initial", title: text.initial, cell: (one) => String(one.Default) || "–" },
  ];
  return <Entries label={text.tabs.variables} query={query} columns={columns} />;
}
