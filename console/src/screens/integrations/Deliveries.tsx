import type { Delivery, Webhook } from "@gamekeeper/client";
import { Group, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconClock } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { gk } from "~/api";
import { grouped } from "~/format";
import { kindLabel } from "~/parts/actions/kinds";
import { type Column, DataTable } from "~/parts/DataTable";
import { ShowMore, usePages } from "~/parts/pages";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { DeliverySheet } from "./DeliverySheet";
import { text } from "./text";
import { faultInWords } from "./webhook";

const MARKS: Readonly<Record<string, [typeof IconClock, string]>> = {
  waiting: [IconClock, "var(--gk-changed)"],
  delivered: [IconCircleCheck, "var(--gk-gain)"],
  failed: [IconCircleX, "var(--gk-loss)"],
};

export function DeliveryState({ state }: { state: string }) {
  const [Mark, color] = MARKS[state] ?? [IconClock, "var(--mantine-color-dimmed)"];
  return (
    <Group gap={4} wrap="nowrap" c={color}>
      <Mark size={16} aria-hidden="true" />
      <Text size="sm">{text.deliveries.states[state] ?? state}</Text>
    </Group>
  );
}

const COLUMNS: Column<Delivery>[] = [
  {
    key: "event",
    title: text.deliveries.event,
    cell: (one) => (
      <Text size="sm" fw={600}>
        {one.Seq === null ? text.deliveries.test : kindLabel(one.Kind)}
      </Text>
    ),
  },
  {
    key: "state",
    title: text.deliveries.state,
    cell: (one) => <DeliveryState state={one.State} />,
  },
  {
    key: "answer",
    title: text.deliveries.answer,
    secondary: true,
    cell: (one) => (
      <Text size="sm" lineClamp={1}>
        {one.Fault ? faultInWords(one.Fault) : (one.Status ?? "–")}
      </Text>
    ),
  },
  {
    key: "attempts",
    title: text.deliveries.attempts,
    numeric: true,
    secondary: true,
    cell: (one) => grouped(one.Attempts),
  },
  {
    key: "tried",
    title: text.deliveries.tried,
    cell: (one) =>
      one.TriedAt ? (
        <When at={one.TriedAt} size="sm" />
      ) : (
        <Text size="sm" c="dimmed">
          {text.deliveries.notYet}
        </Text>
      ),
  },
];

const PAGE = 25;
const SOON = 2_000;

/** What was sent, newest first; while something waits, it looks again soon. */
export function Deliveries({ hook }: { hook: Webhook }) {
  const { delivery } = useSearch({ from: "/integrations" });
  const navigate = useNavigate();
  const path = { id: hook.Id };
  const deliveries = usePages({
    key: ["/api/v1/webhooks/{id}/deliveries", path],
    read: (after, signal) =>
      gk.get("/api/v1/webhooks/{id}/deliveries", {
        params: { path, query: { limit: PAGE, ...after } },
        signal,
      }),
    every: (rows) => hook.Enabled && rows.some((one) => one.State === "waiting") && SOON,
  });
  const show = (id?: string) =>
    void navigate({
      to: "/integrations",
      search: { tab: "webhooks", webhook: hook.Id, ...(id && { delivery: id }) },
    });
  return (
    <Stack gap="sm" component="section" aria-label={text.deliveries.label}>
      <Title order={2}>{text.deliveries.label}</Title>
      <Answered query={deliveries}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={text.deliveries.none} hint={text.deliveries.noneHint} />
          ) : (
            <DataTable
              label={text.deliveries.label}
              columns={COLUMNS}
              rows={rows}
              rowKey={(one) => one.Id}
              onOpen={(one) => show(one.Id)}
            />
          )
        }
      </Answered>
      <ShowMore of={deliveries} />
      {delivery && <DeliverySheet hook={hook} id={delivery} onClose={() => show()} />}
    </Stack>
  );
}
