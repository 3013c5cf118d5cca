import { Anchor, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { ItemTile } from "~/parts/ItemTile";
import { Pager } from "~/parts/Pager";
import { Quantity } from "~/parts/Quantity";
import { Shares } from "~/parts/Shares";
import { Empty, Failed, Loading } from "~/parts/states";
import { useTyping } from "~/typing";
import { Changes } from "./Changes";
import classes from "./Economy.module.css";
import { SortTitle } from "./SortTitle";
import type { Sort } from "./search";
import type { Supply } from "./sorted";
import { PAGE_SIZE, useSupplies } from "./supplies";
import { text } from "./text";

/** Every item: how many exist, and where. */
export function ItemsTab() {
  const {
    search: words = "",
    sort = "total",
    reverse = false,
    page = 0,
  } = useSearch({
    from: "/economy",
  });
  const navigate = useNavigate({ from: "/economy" });
  const { query, rows, total } = useSupplies({ words, sort, isReverse: reverse, page });
  const overview = useQuery(get("/api/v1/overview"));
  const look = useTyping((typed: string) => {
    const search = typed.trim() || undefined;
    void navigate({ search: (now) => ({ ...now, search, page: undefined }), replace: true });
  }, 150);

  function sortBy(next: Sort) {
    const isSame = next === sort;
    const search = { sort: next, reverse: isSame && !reverse ? (true as const) : undefined };
    void navigate({ search: (now) => ({ ...now, ...search, page: undefined }) });
  }

  return (
    <Stack>
      <Changes
        changes={overview.data?.Supply.Values ?? []}
        totals={new Map(rows?.map((item) => [item.Id, item.Total]))}
      />
      <TextInput
        maw={360}
        aria-label={text.search}
        placeholder={text.search}
        leftSection={<IconSearch size={16} />}
        defaultValue={words}
        onChange={(event) => look(event.currentTarget.value)}
      />
      {rows === undefined && query.isError && (
        <Failed error={query.error} retry={() => void query.refetch()} />
      )}
      {rows === undefined && !query.isError && <Loading rows={10} />}
      {rows?.length === 0 &&
        (words ? <Empty title={text.none} hint={text.noneHint} /> : <NoItems />)}
      {rows && rows.length > 0 && (
        <>
          <DataTable
            label={text.items}
            columns={columnsOf(sort, reverse, sortBy)}
            rows={rows}
            rowKey={(item) => item.Id}
            onOpen={(item) => void navigate({ to: "/economy/$item", params: { item: item.Id } })}
          />
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={total}
            onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
          />
        </>
      )}
    </Stack>
  );
}

function NoItems() {
  return (
    <Empty
      title={text.noItems}
      hint={text.noItemsHint}
      action={
        <Anchor renderRoot={(props) => <Link to="/catalog" {...props} />}>{text.catalog}</Anchor>
      }
    />
  );
}

function columnsOf(sort: Sort, isReverse: boolean, sortBy: (sort: Sort) => void): Column<Supply>[] {
  const title = (column: Sort) => (
    <SortTitle
      label={text.columns[column]}
      order={column === sort ? (isReverse ? "up" : "down") : null}
      onSort={() => sortBy(column)}
    />
  );
  return [
    {
      key: "name",
      title: title("name"),
      cell: (item) => (
        <span className={classes.item}>
          <ItemTile id={item.Id} name={item.Name} size={32} />
          <Link
            to="/economy/$item"
            params={{ item: item.Id }}
            onClick={(event) => event.stopPropagation()}
          >
            {item.Name}
          </Link>
        </span>
      ),
    },
    { key: "total", title: title("total"), numeric: true, cell: (item) => grouped(item.Total) },
    {
      key: "change",
      title: title("change"),
      numeric: true,
      cell: (item) =>
        item.Change === null ? (
          <Tooltip label={text.little}>
            <Text span c="dimmed">
              –
            </Text>
          </Tooltip>
        ) : (
          <Quantity change={item.Change} />
        ),
    },
    {
      key: "where",
      title: text.columns.where,
      secondary: true,
      cell: (item) => <Where of={item} />,
    },
    ...(["inventories", "banks", "bags"] as const).map((place) => ({
      key: place,
      title: title(place),
      numeric: true,
      secondary: true,
      cell: (item: Supply) => grouped(countIn(item, place)),
    })),
  ];
}

function countIn(item: Supply, place: "inventories" | "banks" | "bags"): number {
  return { inventories: item.Inventories, banks: item.Banks, bags: item.Bags }[place];
}

function Where({ of: { Inventories, Banks, Bags, Guilds } }: { of: Supply }) {
  return (
    <Shares
      values={[Inventories, Banks, Bags, Guilds]}
      label={text.where(Inventories, Banks, Bags, Guilds)}
      width={96}
    />
  );
}
