import type { Guild } from "@gamekeeper/client";
import { Box, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { Page } from "~/parts/Page";
import { Pager } from "~/parts/Pager";
import { GuildLink, PlayerLink } from "~/parts/people";
import { SavedFilters } from "~/parts/saved/SavedFilters";
import { Answered, Empty, Loading } from "~/parts/states";
import { When } from "~/parts/When";
import { oneOf } from "~/search";
import { useTyping } from "~/typing";
import { SORTS } from "./search";
import { text } from "./text";

const PAGE_SIZE = 50;
const SHORTEST = 2;

const COLUMNS: Column<Guild>[] = [
  { key: "name", title: text.names.name, cell: (one) => <GuildLink id={one.Id} name={one.Name} /> },
  {
    key: "owner",
    title: text.names.owner,
    cell: ({ Owner }) => (Owner?.Name ? <PlayerLink name={Owner.Name} /> : text.noOwner),
    secondary: true,
  },
  {
    key: "members",
    title: text.names.members,
    numeric: true,
    cell: (one) => grouped(one.Members ?? 0),
  },
  {
    key: "value",
    title: text.names.value,
    numeric: true,
    cell: (one) => grouped(one.BankValue ?? 0),
  },
  {
    key: "created",
    title: text.names.created,
    cell: (one) => <When at={one.FoundingDate} />,
    secondary: true,
  },
];

/** All guilds, with their owners and what their banks are worth. */
export function Guilds() {
  const { search, page: number = 1 } = useSearch({ from: "/guilds" });
  const navigate = useNavigate({ from: "/guilds" });
  const guilds = useGuilds(Math.max(0, number - 1));
  const isShort = search !== undefined && search.length < SHORTEST;
  const total = guilds.data?.Total;
  return (
    <Page
      title={text.title}
      beside={
        total !== undefined && (
          <Text span c="dimmed" size="lg">
            {grouped(total)}
          </Text>
        )
      }
      filters={<Filters />}
    >
      {isShort && (
        <Text size="sm" c="dimmed" role="status">
          {text.tooShort}
        </Text>
      )}
      <Answered query={guilds} loading={<Loading rows={8} height={40} />}>
        {(found) =>
          found.Total === 0 ? (
            <Empty
              title={search ? text.noMatch(search) : text.empty}
              hint={search ? text.noMatchHint : text.emptyHint}
            />
          ) : (
            <Stack gap="md">
              <Box opacity={guilds.isPlaceholderData ? 0.6 : 1}>
                <DataTable
                  label={text.label}
                  columns={COLUMNS}
                  rows={found.Values.map(({ Key }) => Key)}
                  rowKey={(guild) => guild.Id}
                  onOpen={(guild) =>
                    void navigate({ to: "/guilds/$guild", params: { guild: guild.Id }, search: {} })
                  }
                />
              </Box>
              <Pager
                page={found.Page}
                pageSize={found.PageSize}
                total={found.Total}
                onPage={(page) => void navigate({ search: (now) => ({ ...now, page: page + 1 }) })}
              />
            </Stack>
          )
        }
      </Answered>
    </Page>
  );
}

const ORDERS = {
  name: { sortBy: "name", sortDirection: "Ascending" },
  members: { sortBy: "members", sortDirection: "Descending" },
  founded: { sortBy: "foundingdate", sortDirection: "Descending" },
} as const;

/** The page of the list that the address asks for. */
function useGuilds(page: number) {
  const { search, sort = "name" } = useSearch({ from: "/guilds" });
  const wanted = search !== undefined && search.length >= SHORTEST ? { search } : {};
  const query = { page, pageSize: PAGE_SIZE, details: true, ...ORDERS[sort], ...wanted };
  return useQuery({
    ...get("/api/v1/guilds", { params: { query } }),
    placeholderData: keepPreviousData,
  });
}

function Filters() {
  const { search = "", sort = "name" } = useSearch({ from: "/guilds" });
  const navigate = useNavigate({ from: "/guilds" });
  const type = useTyping((typed: string) => {
    const wanted = typed.trim();
    void navigate({
      search: ({ sort: by }) => ({ ...(by && { sort: by }), ...(wanted && { search: wanted }) }),
      replace: true,
    });
  }, 200);
  return (
    <Group gap="sm">
      <TextInput
        aria-label={text.search}
        placeholder={text.placeholder}
        leftSection={<IconSearch size={16} />}
        defaultValue={search}
        maxLength={64}
        w={{ base: "100%", xs: 280 }}
        type="search"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Select
        aria-label={text.sort}
        w={{ base: "100%", xs: 180 }}
        allowDeselect={false}
        data={SORTS.map((value) => ({ value, label: text.sorts[value] }))}
        value={sort}
        onChange={(value) => {
          const by = oneOf(value, SORTS);
          void navigate({
            search: ({ search: typed }) => ({
              ...(typed && { search: typed }),
              ...(by && by !== "name" && { sort: by }),
            }),
            replace: true,
          });
        }}
      />
      <SavedFilters list="guilds" />
    </Group>
  );
}
