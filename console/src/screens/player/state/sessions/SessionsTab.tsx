import type { Player, Session } from "@gamekeeper/client";
import { Badge, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { get, gk } from "~/api";
import { duration, exact } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { Answered, Empty, Failed, Loading } from "~/parts/states";
import { useNow, When } from "~/parts/When";
import { useTimeZone } from "~/preferences";
import { text } from "../text";
import { HeatMap } from "./HeatMap";

const PAGE = 25;

/** When the character played: a year at a glance, and session by session. */
export function SessionsTab({ player }: { player: Player }) {
  const path = { key: player.Id };
  const [day, setDay] = useState<string>();
  const days = useQuery(get("/api/v1/players/{key}/sessions/days", { params: { path } }));
  const until = day && new Date(Date.parse(day) + 86_400_000).toISOString();
  const sessions = useInfiniteQuery({
    queryKey: ["/api/v1/players/{key}/sessions", player.Id, until],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/players/{key}/sessions", {
        params: { path, query: { limit: PAGE, ...(pageParam && { before: pageParam }) } },
        signal,
      }),
    initialPageParam: until,
    getNextPageParam: (last) => last.Next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const rows = sessions.data?.pages.flatMap((page) => page.Values);

  if (rows?.length === 0 && day === undefined) {
    return <Empty title={text.sessions.none} hint={text.sessions.noneHint} />;
  }
  return (
    <Stack gap="lg">
      <Paper withBorder p="md">
        <Answered query={days} loading={<Skeleton height={180} />}>
          {(played) => {
            const total = played.Values.reduce((sum, one) => sum + one.Seconds, 0);
            return (
              <>
                <Group gap={8} align="baseline" mb="sm">
                  <Title order={2} size="h3">
                    {text.sessions.title}
                  </Title>
                  <Text size="sm" c="dimmed">
                    {text.sessions.total(duration(total), played.Values.length)}
                  </Text>
                </Group>
                <HeatMap played={played} chosen={day} onDay={setDay} />
              </>
            );
          }}
        </Answered>
      </Paper>
      <section aria-label={text.sessions.table}>
        <Group gap="sm" mb="sm">
          <Title order={2} size="h3">
            {text.sessions.table}
          </Title>
          {day && (
            <>
              <Text size="sm" c="dimmed">
                {text.sessions.until(day)}
              </Text>
              <Button size="compact-sm" variant="default" onClick={() => setDay(undefined)}>
                {text.sessions.all}
              </Button>
            </>
          )}
        </Group>
        {sessions.isError && <Failed error={sessions.error} />}
        {sessions.isPending && <Loading />}
        {rows && <Table rows={rows} />}
        {sessions.hasNextPage && (
          <Button
            mt="sm"
            variant="default"
            loading={sessions.isFetchingNextPage}
            onClick={() => void sessions.fetchNextPage()}
          >
            {text.sessions.older}
          </Button>
        )}
      </section>
    </Stack>
  );
}

function Table({ rows }: { rows: Session[] }) {
  const now = useNow();
  const [zone] = useTimeZone();
  const columns: Column<Session>[] = [
    { key: "joined", title: text.sessions.joined, cell: (row) => <When at={row.JoinedAt} /> },
    {
      key: "left",
      title: text.sessions.left,
      secondary: true,
      cell: (row) =>
        row.LeftAt ? (
          exact(new Date(row.LeftAt), zone)
        ) : (
          <Badge variant="outline" color="moss">
            {text.sessions.playing}
          </Badge>
        ),
    },
    {
      key: "length",
      title: text.sessions.length,
      numeric: true,
      cell: (row) => {
        const end = row.LeftAt ? Date.parse(row.LeftAt) : now.getTime();
        return duration(Math.max(0, (end - Date.parse(row.JoinedAt)) / 1000));
      },
    },
    {
      key: "server",
      title: text.sessions.server,
      cell: (row) => (
        <Link to="/servers/$server" params={{ server: row.ServerId }}>
          {row.ServerName}
        </Link>
      ),
    },
  ];
  return (
    <DataTable
      label={text.sessions.table}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.ServerId + row.JoinedAt}
    />
  );
}
