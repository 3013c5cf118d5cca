import { Box, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { DataTable } from "~/parts/DataTable";
import { Page } from "~/parts/Page";
import { Pager } from "~/parts/Pager";
import { Answered, Empty, Loading } from "~/parts/states";
import { columnsOf } from "./columns";
import { Filters } from "./Filters";
import classes from "./Players.module.css";
import { text } from "./text";
import { useColumns } from "./useColumns";

const PAGE_SIZE = 50;
const SHORTEST = 2;

/** All characters: found as one types, or by the number of the page. */
export function Players() {
  const { search, page: number = 1, online } = useSearch({ from: "/players" });
  const navigate = useNavigate({ from: "/players" });
  const [columns] = useColumns();
  const isShort = search !== undefined && search.length < SHORTEST;
  const players = usePlayers(Math.max(0, number - 1));

  return (
    <Page
      title={text.title}
      beside={
        players.data && (
          <Text span c="dimmed" size="lg">
            {grouped(players.data.Total)}
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
      <Answered query={players} loading={<Loading rows={12} height={40} />}>
        {(found) =>
          found.Total === 0 ? (
            <Nothing search={search} online={online} />
          ) : (
            <Stack gap="md">
              <Box className={players.isPlaceholderData ? classes.stale : undefined}>
                <DataTable
                  label={text.label}
                  columns={columnsOf(columns)}
                  rows={found.Values}
                  rowKey={(player) => player.Id}
                  onOpen={(player) =>
                    void navigate({ to: "/players/$key", params: { key: player.Name }, search: {} })
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

/** The page of the list that the address asks for. */
function usePlayers(page: number) {
  const { search, sort, online } = useSearch({ from: "/players" });
  const query = { page, pageSize: PAGE_SIZE, details: true };
  const wanted = search !== undefined && search.length >= SHORTEST ? search : undefined;
  const kind = wanted ? "name" : online ? "online" : (sort ?? "name");
  const seen = { sortBy: "lastonline", sortDirection: "Descending" } as const;
  const named = useQuery({
    ...get("/api/v1/players", {
      params: {
        query: { ...query, ...(kind === "seen" && seen), ...(wanted && { search: wanted }) },
      },
    }),
    enabled: kind === "name" || kind === "seen",
    placeholderData: keepPreviousData,
  });
  const ranked = useQuery({
    ...get("/api/v1/players/rank", { params: { query } }),
    enabled: kind === "rank",
    placeholderData: keepPreviousData,
  });
  const playing = useQuery({
    ...get("/api/v1/players/online", { params: { query } }),
    enabled: kind === "online",
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  return { name: named, seen: named, rank: ranked, online: playing }[kind];
}

function Nothing({ search, online }: { search: string | undefined; online: boolean | undefined }) {
  if (search) return <Empty title={text.noMatch(search)} hint={text.noMatchHint} />;
  if (online) return <Empty title={text.nobody} hint={text.nobodyHint} />;
  return <Empty title={text.empty} hint={text.emptyHint} />;
}
