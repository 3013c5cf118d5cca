import type { Server as GameServer } from "@gamekeeper/client";
import { Alert, Anchor, Button, Paper, Stack, Tabs, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlugConnectedX, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { get } from "~/api";
import { STEPS, useOnlineHistory } from "~/online";
import { CopyId } from "~/parts/CopyId";
import { Curve } from "~/parts/charts/Curve";
import { serverChart } from "~/parts/charts/online";
import { Page } from "~/parts/Page";
import { RangeChoice } from "~/parts/RangeChoice";
import { ServerDot } from "~/parts/ServerDot";
import { Answered, Empty } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { ChatTab } from "./ChatTab";
import { Commands } from "./Commands";
import { PlayersHere } from "./PlayersHere";
import { SendSheet } from "./SendSheet";
import { TABS } from "./search";
import { text } from "./text";

/** One game server, by its name or id: how it is, and what it was told to do. */
export function Server() {
  const { server: key } = useParams({ from: "/servers/$server" });
  const servers = useQuery({
    ...get("/api/v1/servers", { params: { query: { pageSize: 100 } } }),
    refetchInterval: 10_000,
  });
  const wanted = key.toLowerCase();
  const server = servers.data?.Values.find(
    (one) => one.Id === wanted || one.Name.toLowerCase() === wanted,
  );
  if (server) return <Known server={server} />;
  return (
    <Page title={text.title}>
      <Answered query={servers}>
        {() => (
          <Empty
            title={text.none}
            hint={text.noneHint}
            action={
              <Anchor renderRoot={(props) => <Link to="/servers" {...props} />}>{text.all}</Anchor>
            }
          />
        )}
      </Answered>
    </Page>
  );
}

function Known({ server }: { server: GameServer }) {
  const may = useMay("commands");
  const [sending, sheet] = useDisclosure(false);
  const { tab = "status" } = useSearch({ from: "/servers/$server" });
  const navigate = useNavigate({ from: "/servers/$server" });
  return (
    <Page
      title={server.Name}
      beside={
        <>
          <ServerDot isAlive={server.Alive} />
          <CopyId id={server.Id} what={text.id} />
        </>
      }
      action={
        <Tooltip label={text.noRight} disabled={may}>
          <Button
            leftSection={<IconSend size={16} />}
            data-disabled={!may || undefined}
            aria-disabled={!may}
            onClick={may ? sheet.open : undefined}
          >
            {text.send}
          </Button>
        </Tooltip>
      }
    >
      <Facts server={server} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: next === "chat" ? { tab: "chat" as const } : {} })
        }
      >
        <TabBar label={text.tabsLabel} tabs={TABS} names={text.tabs} />
        <Tabs.Panel value="status">
          <Stack gap="lg">
            <Paper withBorder p="md">
              <OnlineCurve server={server} />
            </Paper>
            {server.Alive && <PlayersHere server={server} />}
            {may && <Commands server={server} />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="chat">
          <ChatTab server={server} />
        </Tabs.Panel>
      </Tabs>
      {may && <SendSheet server={server} opened={sending} onClose={sheet.close} />}
    </Page>
  );
}

function Facts({ server }: { server: GameServer }) {
  const lease =
    server.LeaseUntil === null ? (
      text.leaseNever
    ) : (
      <>
        {server.Alive ? text.leaseEnds : text.leaseEnded} <When at={server.LeaseUntil} span />.
      </>
    );
  return (
    <Stack gap="xs">
      {!server.Alive && (
        <Alert color="gray" icon={<IconPlugConnectedX />} title={text.down}>
          {lease} {text.fenced}
        </Alert>
      )}
      <Text>
        <b>{text.players(server.Online)}</b>.{" "}
        <Text span c="dimmed">
          {server.Alive && lease} {text.registered} <When at={server.RegisteredAt} span />.
        </Text>
      </Text>
    </Stack>
  );
}

function OnlineCurve({ server }: { server: GameServer }) {
  const { range = "day" } = useSearch({ from: "/servers/$server" });
  const navigate = useNavigate({ from: "/servers/$server" });
  const { data: history } = useOnlineHistory(range);
  const data = useMemo(
    () =>
      history
        ? serverChart(history, server.Id, STEPS[range], text.online)
        : { at: [], span: "hour" as const, series: [] },
    [history, server.Id, range],
  );
  return (
    <Curve
      title={text.curve}
      data={data}
      height={200}
      beside={
        <RangeChoice
          range={range}
          onRange={(next) =>
            void navigate({
              search: (now) => ({ ...now, range: next === "day" ? undefined : next }),
              replace: true,
            })
          }
        />
      }
    />
  );
}
