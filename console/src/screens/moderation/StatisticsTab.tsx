import type { Case, CaseStatistics } from "@gamekeeper/client";
import { Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { get } from "~/api";
import { duration, grouped } from "~/format";
import { OutcomeMark } from "~/parts/cases/marks";
import { type Column, DataTable } from "~/parts/DataTable";
import { ActorLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { DAYS } from "./search";
import { text } from "./text";

const words = text.statistics;
const USUAL_DAYS = "30";
const DAY = 86_400_000;

type Moderator = CaseStatistics["Moderators"][number];
type Outcome = { outcome: NonNullable<Case["Outcome"]>; count: number };

/** How many cases there are, how long reporters wait, and who closes them. */
export function StatisticsTab() {
  const { days = USUAL_DAYS } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const from = useMemo(() => new Date(Date.now() - Number(days) * DAY).toISOString(), [days]);
  const found = useQuery({
    ...get("/api/v1/cases/statistics", { params: { query: { from } } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <SegmentedControl
        aria-label={words.period}
        style={{ alignSelf: "flex-start" }}
        value={days}
        data={DAYS.map((value) => ({ value, label: words.days(Number(value)) }))}
        onChange={(value) => {
          const wanted = DAYS.find((one) => one === value && one !== USUAL_DAYS);
          const search = { tab: "statistics" as const, ...(wanted && { days: wanted }) };
          void navigate({ to: "/moderation", search });
        }}
      />
      <Answered query={found}>{(data) => <Statistics data={data} />}</Answered>
    </Stack>
  );
}

function Statistics({ data }: { data: CaseStatistics }) {
  const outcomes = Object.entries(data.Outcomes)
    .map(([outcome, count]) => ({ outcome, count }) as Outcome)
    .sort((one, other) => other.count - one.count);
  return (
    <Stack>
      <section aria-label={words.numbers}>
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
          <Figure label={words.open} note={words.unclaimed(data.Unclaimed)}>
            {grouped(data.Open)}
          </Figure>
          <Figure label={words.oldest} size="md">
            {data.OldestOpenAt ? <When at={data.OldestOpenAt} /> : words.none}
          </Figure>
          <Figure label={words.opened}>{grouped(data.Opened)}</Figure>
          <Figure label={words.closed}>{grouped(data.Closed)}</Figure>
          <Figure label={words.untilClaimed} note={slowest(data.UntilClaimed.P90)}>
            {waited(data.UntilClaimed.Median)}
          </Figure>
          <Figure label={words.untilClosed} note={slowest(data.UntilClosed.P90)}>
            {waited(data.UntilClosed.Median)}
          </Figure>
        </SimpleGrid>
      </section>
      {data.Closed === 0 ? (
        <Empty title={words.nothing} hint={words.nothingHint} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Stack gap="sm">
            <Title order={2}>{words.moderators}</Title>
            <DataTable
              label={words.moderators}
              columns={MODERATORS}
              rows={data.Moderators}
              rowKey={(one) => one.Actor}
            />
          </Stack>
          <Stack gap="sm">
            <Title order={2}>{words.outcomes}</Title>
            <DataTable
              label={words.outcomes}
              columns={OUTCOMES}
              rows={outcomes}
              rowKey={(one) => one.outcome}
            />
          </Stack>
        </SimpleGrid>
      )}
    </Stack>
  );
}

const waited = (seconds: number | null) => (seconds === null ? words.none : duration(seconds));
const slowest = (seconds: number | null) =>
  seconds === null ? undefined : words.slowest(duration(seconds));

interface FigureProps {
  label: string;
  note?: string | undefined;
  /** An instant is longer than a number. */
  size?: "md" | "xl";
  children: ReactNode;
}

function Figure({ label, note, size = "xl", children }: FigureProps) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="div" size={size} fw={700}>
        {children}
      </Text>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}

const MODERATORS: Column<Moderator>[] = [
  {
    key: "name",
    title: words.moderator,
    cell: (one) => <ActorLink actor={one.Actor} name={one.Name} />,
  },
  { key: "closed", title: words.cases, numeric: true, cell: (one) => grouped(one.Closed) },
  {
    key: "median",
    title: words.median,
    numeric: true,
    cell: (one) => duration(one.MedianSeconds),
  },
];

const OUTCOMES: Column<Outcome>[] = [
  {
    key: "outcome",
    title: words.outcome,
    cell: (one) => <OutcomeMark outcome={one.outcome} />,
  },
  { key: "count", title: words.cases, numeric: true, cell: (one) => grouped(one.count) },
];
