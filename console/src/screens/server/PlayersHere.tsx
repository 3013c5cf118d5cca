import type { Server as GameServer, Player } from "@gamekeeper/client";
import { Group, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { Pager } from "~/parts/Pager";
import { AccountLink, PlayerLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "./text";

const PAGE_SIZE = 20;
const EVERY = 5_000;

const COLUMNS: Column<Player>[] = [
  { key: "name", title: text.name, cell: (one) => <PlayerLink name={one.Name} /> },
  { key: "level", title: text.level, cell: (one) => `${one.ClassName} ${one.Level}` },
  {
    key: "account",
    title: text.account,
    cell: ({ AccountName }) => (AccountName ? <AccountLink name={AccountName} /> : text.noAccount),
    secondary: true,
  },
  { key: "where", title: text.where, cell: (one) => one.MapName, secondary: true },
  { key: "since", title: text.since, cell: (one) => <When at={one.LastOnline} /> },
];

/** Who is on the server now; the list follows joins and leaves. */
export function PlayersHere({ server }: { server: GameServer }) {
  const { players: number = 1 } = useSearch({ from: "/servers/$server" });
  const navigate = useNavigate({ from: "/servers/$server" });
  const page = Math.max(0, number - 1);
  const players = useQuery({
    ...get("/api/v1/servers/{server_id}/players", {
      params: { path: { server_id: server.Id }, query: { page, pageSize: PAGE_SIZE } },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY,
  });
  return (
    <Stack gap="sm">
      <Group gap={8} align="baseline">
        <Title order={2}>{text.here}</Title>
        {players.data && (
          <Text c="dimmed" role="status">
            {grouped(players.data.Total)}
          </Text>
        )}
      </Group>
      <Answered query={players}>
        {(found) =>
          found.Total === 0 ? (
            <Empty title={text.nobody} hint={text.nobodyHint} />
          ) : (
            <>
              <DataTable
                label={text.hereLabel}
                columns={COLUMNS}
                rows={found.Values}
                rowKey={(one) => one.Id}
                onOpen={({ Name }) =>
                  void navigate({ to: "/players/$key", params: { key: Name }, search: {} })
                }
              />
              {found.Total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={found.Total}
                  onPage={(next) =>
                    void navigate({ search: (now) => ({ ...now, players: next + 1 }) })
                  }
                />
              )}
            </>
          )
        }
      </Answered>
    </Stack>
  );
}
