import type { CampaignSchedule, NextRun, ScheduleRun } from "@gamekeeper/client";
import { Anchor, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { get, gk } from "~/api";
import { usePolling } from "~/live";
import { Card } from "~/parts/Card";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { ShowMore, usePages } from "~/parts/pages";
import { Answered } from "~/parts/states";
import { useExact, useNow, When } from "~/parts/When";
import { useMay } from "~/session";
import { reasonOf } from "../campaigns/reasons";
import { localOf, offsetOf } from "./plan";
import { SkipSheet } from "./sheets";
import { text } from "./text";

const LIMIT = 20;

/** The next ten runs in the time zone of the schedule; one can be skipped. */
export function NextRuns({ schedule }: { schedule: CampaignSchedule }) {
  const words = text.nextRuns;
  const path = { schedule_id: schedule.Id };
  const [skipping, setSkipping] = useState<NextRun | null>(null);
  const refetchInterval = usePolling();
  const runs = useQuery({
    ...get("/api/v1/schedules/{schedule_id}/next", { params: { path } }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const may = useMay("campaigns.manage");
  const columns = (rows: NextRun[]): Column<NextRun>[] => [
    {
      key: "local",
      title: words.columns.local,
      cell: (run) => <LocalTime run={run} before={rows[rows.indexOf(run) - 1]} />,
    },
    {
      key: "at",
      title: words.columns.at,
      secondary: true,
      cell: (run) => <When at={run.PlannedAt} />,
    },
    {
      key: "ends",
      title: words.columns.ends,
      secondary: true,
      cell: (run) => run.EndsAt && <When at={run.EndsAt} />,
    },
    {
      key: "skip",
      title: words.columns.skip,
      cell: (run) =>
        run.Skipped ? (
          <Text size="sm" c="dimmed">
            {words.skipped}
          </Text>
        ) : (
          <MayButton
            size="compact-sm"
            variant="default"
            refusal={may ? null : text.mayNot}
            aria-label={words.skipOf(localOf(run.LocalTime))}
            onClick={() => setSkipping(run)}
          >
            {words.skip}
          </MayButton>
        ),
    },
  ];
  return (
    <Card title={words.title} hint={words.hint(schedule.TimeZone)}>
      <Answered query={runs}>
        {({ Values }) =>
          Values.length === 0 ? (
            <Text c="dimmed">{schedule.State === "paused" ? words.paused : words.none}</Text>
          ) : (
            <DataTable
              label={words.label}
              columns={columns(Values)}
              rows={Values}
              rowKey={(run) => run.PlannedAt}
            />
          )
        }
      </Answered>
      {skipping && (
        <SkipSheet schedule={schedule.Id} run={skipping} onClose={() => setSkipping(null)} />
      )}
    </Card>
  );
}

/** With a note where the clock changes between two runs. */
function LocalTime({ run, before }: { run: NextRun; before: NextRun | undefined }) {
  const isChanged = before && offsetOf(before.LocalTime) !== offsetOf(run.LocalTime);
  return (
    <>
      <Text span inherit style={{ whiteSpace: "nowrap" }} c={run.Skipped ? "dimmed" : undefined}>
        {localOf(run.LocalTime)}
      </Text>
      {isChanged && (
        <Text size="xs" c="dimmed">
          {text.nextRuns.clock}
        </Text>
      )}
    </>
  );
}

const PAST_COLUMNS: Column<ScheduleRun>[] = [
  {
    key: "planned",
    title: text.runs.columns.planned,
    cell: (run) => <When at={run.PlannedAt} />,
  },
  {
    key: "state",
    title: text.runs.columns.state,
    cell: (run) => (
      <>
        {text.runs.states[run.State]}
        {run.Code && (
          <Text size="xs" c="dimmed">
            {reasonOf(run.Code)}
          </Text>
        )}
      </>
    ),
  },
  {
    key: "campaign",
    title: text.runs.columns.campaign,
    cell: ({ CampaignId, PlannedAt }) =>
      CampaignId && <CampaignLink id={CampaignId} plannedAt={PlannedAt} />,
  },
];

function CampaignLink({ id, plannedAt }: { id: string; plannedAt: string }) {
  const exact = useExact();
  return (
    <Anchor
      size="sm"
      aria-label={text.runs.openOf(exact(plannedAt))}
      renderRoot={(props) => (
        <Link to="/campaigns/$campaign" params={{ campaign: id }} search={{}} {...props} />
      )}
    >
      {text.runs.open}
    </Anchor>
  );
}

/** The runs that were due, the last first; also those that staff skipped. */
export function PastRuns({ schedule }: { schedule: string }) {
  const words = text.runs;
  const now = useNow().toISOString();
  const polling = usePolling();
  const runs = usePages({
    key: ["/api/v1/schedules/{schedule_id}/runs", schedule],
    read: (after, signal) =>
      gk.get("/api/v1/schedules/{schedule_id}/runs", {
        params: { path: { schedule_id: schedule }, query: { limit: LIMIT, ...after } },
        signal,
      }),
    every: () => polling,
  });
  return (
    <Card title={words.title}>
      <Answered query={runs}>
        {(all) => {
          // A skipped run that is still to come is among the next ones.
          const rows = all.filter(({ PlannedAt }) => new Date(PlannedAt).toISOString() <= now);
          return rows.length === 0 ? (
            <Text c="dimmed">{words.none}</Text>
          ) : (
            <DataTable
              label={words.label}
              columns={PAST_COLUMNS}
              rows={rows}
              rowKey={(run) => run.PlannedAt}
            />
          );
        }}
      </Answered>
      <ShowMore of={runs} />
    </Card>
  );
}
