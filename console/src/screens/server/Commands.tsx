import type { GameCommand, Server } from "@gamekeeper/client";
import { Code, Group, SegmentedControl, Text, Title } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconClockX,
  IconTruckDelivery,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { Pager } from "~/parts/Pager";
import { ActorLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { STATES } from "./search";
import { text } from "./text";

const PAGE_SIZE = 20;

/** The commands to a server, and whether they were carried out. */
export function Commands({ server }: { server: Server }) {
  const { state, page = 0 } = useSearch({ from: "/servers/$server" });
  const navigate = useNavigate({ from: "/servers/$server" });
  const commands = useQuery({
    ...get("/api/v1/servers/{server_id}/commands", {
      params: {
        path: { server_id: server.Id },
        query: { page, pageSize: PAGE_SIZE, ...(state && { state }) },
      },
    }),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <Group justify="space-between" mb={8}>
        <Title order={2}>{text.commands}</Title>
        <SegmentedControl
          size="xs"
          aria-label={text.filter}
          value={state ?? "all"}
          data={["all" as const, ...STATES].map((one) => ({ value: one, label: text.states[one] }))}
          onChange={(chosen) => {
            const next = STATES.find((one) => one === chosen);
            void navigate({ search: (now) => ({ ...now, state: next, page: undefined }) });
          }}
        />
      </Group>
      <Answered query={commands}>
        {(data) =>
          data.Total === 0 ? (
            <Empty title={text.noCommands} hint={text.noCommandsHint} />
          ) : (
            <>
              <DataTable
                label={text.commandList}
                columns={COLUMNS}
                rows={data.Values}
                rowKey={(command) => command.Id}
              />
              {data.Total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={data.Total}
                  onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
                />
              )}
            </>
          )
        }
      </Answered>
    </section>
  );
}

const LOOKS = {
  waiting: { icon: IconClock, color: "var(--mantine-color-dimmed)" },
  delivered: { icon: IconTruckDelivery, color: "var(--mantine-color-dimmed)" },
  done: { icon: IconCheck, color: "var(--gk-gain)" },
  failed: { icon: IconAlertTriangle, color: "var(--gk-loss)" },
  expired: { icon: IconClockX, color: "var(--gk-changed)" },
} as const;

function State({ of: command }: { of: GameCommand }) {
  const { icon: Icon, color } = LOOKS[command.State];
  return (
    <div>
      <Group gap={6} wrap="nowrap" c={color}>
        <Icon size={16} aria-hidden="true" />
        <Text size="sm">{text.states[command.State]}</Text>
      </Group>
      {command.Answer && (
        <Text size="xs" c="dimmed">
          {command.Answer}
        </Text>
      )}
    </div>
  );
}

function What({ of: command }: { of: GameCommand }) {
  const { Text: said, ...rest } = command.Payload;
  return (
    <div>
      <Text size="sm">
        {text.kinds[command.Kind]}
        {command.PlayerId && ` ${text.forCharacter}`}
        {typeof said === "string" && `: “${said}”`}
      </Text>
      {command.Kind === "custom" && <Code>{JSON.stringify(rest).slice(0, 160)}</Code>}
      {command.Reason && (
        <Text size="xs" c="dimmed">
          {command.Reason}
        </Text>
      )}
    </div>
  );
}

const COLUMNS: Column<GameCommand>[] = [
  { key: "what", title: text.columns.what, cell: (command) => <What of={command} /> },
  { key: "state", title: text.columns.state, cell: (command) => <State of={command} /> },
  {
    key: "by",
    title: text.columns.by,
    secondary: true,
    cell: (command) => <ActorLink actor={command.SentBy} name={command.SentByName} />,
  },
  { key: "when", title: text.columns.when, cell: (command) => <When at={command.CreatedAt} /> },
];
