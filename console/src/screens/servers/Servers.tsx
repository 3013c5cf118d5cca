import type { OnlineHistory, Server } from "@gamekeeper/client";
import { Anchor, Group, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { useOnlineHistory } from "~/online";
import { serverChart } from "~/parts/charts/online";
import { type Column, DataTable } from "~/parts/DataTable";
import { Page } from "~/parts/Page";
import { Pager } from "~/parts/Pager";
import { ServerDot } from "~/parts/ServerDot";
import { Sparkline } from "~/parts/Sparkline";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "./text";

const PAGE_SIZE = 50;
/** Points of a day in a small curve: one for each half hour. */
const STEP = 30;

/** Every game server that was ever here, and how it is. */
export function Servers() {
  const { page = 0 } = useSearch({ from: "/servers" });
  const navigate = useNavigate({ from: "/servers" });
  const servers = useQuery({
    ...get("/api/v1/servers", { params: { query: { page, pageSize: PAGE_SIZE } } }),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  });
  const history = useOnlineHistory("day");
  const overview = useQuery(get("/api/v1/overview"));
  const now = overview.data?.Servers;
  return (
    <Page
      title={text.title}
      beside={now && now.Total > 0 && <Text c="dimmed">{text.summary(now.Alive, now.Total)}</Text>}
    >
      <Answered query={servers}>
        {(data) =>
          data.Total === 0 ? (
            <NoServers />
          ) : (
            <>
              <DataTable
                label={text.list}
                columns={columnsOf(history.data)}
                rows={data.Values}
                rowKey={(server) => server.Id}
                onOpen={({ Name }) =>
                  void navigate({ to: "/servers/$server", params: { server: Name } })
                }
              />
              {data.Total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={data.Total}
                  onPage={(next) => void navigate({ search: { page: next } })}
                />
              )}
            </>
          )
        }
      </Answered>
    </Page>
  );
}

function NoServers() {
  return (
    <Empty
      title={text.none}
      hint={text.noneHint}
      action={
        <Anchor renderRoot={(props) => <Link to="/integrations" {...props} />}>{text.keys}</Anchor>
      }
    />
  );
}

function columnsOf(history: OnlineHistory | undefined): Column<Server>[] {
  const quiet = (server: Server) => (server.Alive ? undefined : "dimmed");
  return [
    {
      key: "name",
      title: text.columns.name,
      cell: (server) => (
        <Group gap="sm" wrap="nowrap">
          <ServerDot isAlive={server.Alive} />
          <Text size="sm" c={quiet(server)}>
            <Link
              to="/servers/$server"
              params={{ server: server.Name }}
              onClick={(event) => event.stopPropagation()}
            >
              {server.Name}
            </Link>
          </Text>
        </Group>
      ),
    },
    {
      key: "players",
      title: text.columns.players,
      numeric: true,
      cell: (server) => (
        <Text size="sm" c={quiet(server)}>
          {grouped(server.Online)}
        </Text>
      ),
    },
    {
      key: "curve",
      title: text.columns.curve,
      secondary: true,
      cell: (server) =>
        history && (
          <Sparkline
            values={(serverChart(history, server.Id, STEP, "").series[0]?.values ?? []).map(Number)}
            width={120}
            height={24}
          />
        ),
    },
    {
      key: "lease",
      title: text.columns.lease,
      cell: (server) => (
        <Text size="sm" c={quiet(server)}>
          <LeaseText server={server} />
        </Text>
      ),
    },
    {
      key: "registered",
      title: text.columns.registered,
      secondary: true,
      cell: (server) => (
        <Text size="sm" c="dimmed">
          <When at={server.RegisteredAt} />
        </Text>
      ),
    },
  ];
}

function LeaseText({ server }: { server: Server }) {
  if (server.LeaseUntil === null) return text.never;
  return (
    <>
      {server.Alive ? text.ends : text.ended} <When at={server.LeaseUntil} />
    </>
  );
}
