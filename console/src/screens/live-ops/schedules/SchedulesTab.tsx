import type { CampaignSchedule } from "@gamekeeper/client";
import { Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { gk } from "~/api";
import { usePolling } from "~/live";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { ShowMore, usePages } from "~/parts/pages";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { WorkSentence } from "../campaigns/WorkSentence";
import { NewScheduleSheet } from "./NewScheduleSheet";
import { describedPlan, nextOf } from "./plan";
import { ScheduleState } from "./ScheduleState";
import { text } from "./text";

const LIMIT = 20;

const COLUMNS: Column<CampaignSchedule>[] = [
  {
    key: "name",
    title: text.columns.name,
    cell: (one) => (
      <Text span inherit fw={600}>
        {one.Name}
      </Text>
    ),
  },
  {
    key: "work",
    title: text.columns.work,
    secondary: true,
    cell: (one) => <WorkSentence work={one.Work} />,
  },
  {
    key: "when",
    title: text.columns.when,
    secondary: true,
    cell: (one) => <Planned of={one} />,
  },
  {
    key: "next",
    title: text.columns.next,
    cell: (one) => <Next of={one} />,
  },
  { key: "state", title: text.columns.state, cell: (one) => <ScheduleState state={one.State} /> },
];

/** Schedules, newest first, with the next run of each. */
export function SchedulesTab() {
  const { new: isNew, segment } = useSearch({ from: "/live-ops" });
  const navigate = useNavigate();
  const schedules = useSchedules();
  const may = useMay("campaigns.manage");
  const make = (
    <MayButton
      leftSection={<IconPlus size={16} />}
      refusal={may ? null : text.mayNot}
      onClick={() => void navigate({ to: "/live-ops", search: { tab: "schedules", new: true } })}
    >
      {text.make}
    </MayButton>
  );
  return (
    <Stack>
      <Answered query={schedules}>
        {(rows) => {
          if (rows.length === 0)
            return <Empty title={text.none} hint={text.noneHint} action={make} />;
          return (
            <>
              <Group justify="flex-end">{make}</Group>
              <DataTable
                label={text.label}
                columns={COLUMNS}
                rows={rows}
                rowKey={(one) => one.Id}
                onOpen={({ Id }) =>
                  void navigate({ to: "/schedules/$schedule", params: { schedule: Id } })
                }
              />
            </>
          );
        }}
      </Answered>
      <ShowMore of={schedules} />
      {isNew && may && <NewScheduleSheet segment={segment} />}
    </Stack>
  );
}

/** When a schedule runs: an instant, or the days and the time in its time zone. */
export function Planned({ of }: { of: CampaignSchedule }) {
  return of.StartsAt ? <When at={of.StartsAt} /> : describedPlan(of);
}

function Next({ of }: { of: CampaignSchedule }) {
  const next = nextOf(of);
  return next ? <When at={next} /> : text.noNext;
}

function useSchedules() {
  const polling = usePolling();
  return usePages({
    key: ["/api/v1/schedules", {}],
    read: (after, signal) =>
      gk.get("/api/v1/schedules", { params: { query: { limit: LIMIT, ...after } }, signal }),
    every: () => polling,
  });
}
