import type { Case } from "@gamekeeper/client";
import { Button, Group, Kbd, Stack, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { gk } from "~/api";
import { useIsLive, useLive } from "~/live";
import { CloseSheet } from "~/parts/cases/CloseSheet";
import { claim } from "~/parts/cases/change";
import { CategoryMark, ClaimMark, OutcomeMark, Reported } from "~/parts/cases/marks";
import { NewReports } from "~/parts/cases/NewReports";
import { text as cases } from "~/parts/cases/text";
import { type Column, DataTable } from "~/parts/DataTable";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { CaseFilters } from "./CaseFilters";
import { text } from "./text";

const LIMIT = 50;
/** How often the queue is read where events do not arrive. */
const EVERY = 30_000;

const FIRST: Column<Case>[] = [
  { key: "whom", title: text.reports.player, cell: (one) => <Reported about={one} /> },
  {
    key: "category",
    title: text.reports.category,
    cell: (one) => <CategoryMark category={one.Category} severity={one.Severity} />,
  },
  {
    key: "reporters",
    title: text.reports.reportedBy,
    secondary: true,
    cell: (one) => (
      <Text size="sm">
        {cases.reporters(one.Reporters)}
        {one.Reports > one.Reporters && (
          <Text span c="dimmed">
            , {cases.reports(one.Reports)}
          </Text>
        )}
      </Text>
    ),
  },
];
const OPEN: Column<Case>[] = [
  ...FIRST,
  {
    key: "last",
    title: text.reports.last,
    secondary: true,
    cell: (one) => <When at={one.LastReportAt} />,
  },
  { key: "waiting", title: text.reports.first, cell: (one) => <When at={one.OpenedAt} /> },
  {
    key: "claimed",
    title: text.reports.claimed,
    secondary: true,
    cell: (one) => <ClaimMark of={one} />,
  },
];
const CLOSED: Column<Case>[] = [
  ...FIRST,
  {
    key: "outcome",
    title: text.reports.outcome,
    cell: (one) => <OutcomeMark outcome={one.Outcome} />,
  },
  { key: "by", title: text.reports.closedBy, secondary: true, cell: (one) => one.ClosedByName },
  {
    key: "closed",
    title: text.reports.closed,
    secondary: true,
    cell: (one) => one.ClosedAt && <When at={one.ClosedAt} />,
  },
];

/** The queue: one row per case, the most urgent first. */
export function ReportsTab() {
  const { show } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const mayManage = useMay("reports.manage");
  const [closing, setClosing] = useState<Case | null>(null);
  const queue = useQueue();
  const fresh = useFresh(queue.dataUpdatedAt);

  return (
    <Stack>
      <CaseFilters />
      {show !== "closed" && (
        <NewReports count={fresh} onShow={() => void queue.refetch({ cancelRefetch: true })} />
      )}
      <Answered query={queue}>
        {(data) => {
          const rows = data.pages.flatMap((page) => page.Values);
          if (rows.length === 0) return <Nothing />;
          return (
            <DataTable
              label={text.reports.label}
              columns={show === "closed" ? CLOSED : OPEN}
              rows={rows}
              rowKey={(one) => one.Id}
              onOpen={(one) => void navigate({ to: "/cases/$case", params: { case: one.Id } })}
              keys={
                mayManage && show !== "closed"
                  ? { c: (one) => void claim(one), e: setClosing }
                  : undefined
              }
            />
          );
        }}
      </Answered>
      {mayManage && show !== "closed" && (queue.data?.pages[0]?.Values.length ?? 0) > 0 && <Keys />}
      {queue.hasNextPage && (
        <Button
          variant="default"
          loading={queue.isFetchingNextPage}
          onClick={() => void queue.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
      {closing && <CloseSheet about={closing} opened onClose={() => setClosing(null)} />}
    </Stack>
  );
}

function useQueue() {
  const { show, category, severity } = useSearch({ from: "/moderation" });
  const isLive = useIsLive();
  const query = {
    state: show === "closed" ? ("closed" as const) : ("open" as const),
    ...(show === "mine" && { mine: true }),
    ...(show === "unclaimed" && { claimed: false }),
    ...(category && { category }),
    ...(severity && { severity: Number(severity) }),
    limit: LIMIT,
  };
  return useInfiniteQuery({
    queryKey: ["/api/v1/cases", query],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/cases", {
        params: { query: { ...query, ...(pageParam && { cursor: pageParam }) } },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next,
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? false : EVERY,
  });
}

/** How many reports arrived since the queue was read: it does not move under the reader's hand. */
function useFresh(readAt: number): number {
  const [arrived, setArrived] = useState<number[]>([]);
  useLive(["reports.file"], () => setArrived([...arrived, Date.now()].slice(-1000)));
  return arrived.filter((at) => at > readAt).length;
}

function Nothing() {
  const { show, category, severity } = useSearch({ from: "/moderation" });
  if (show || category || severity) return <Empty title={text.noneFiltered} />;
  return <Empty title={text.reports.none} hint={text.reports.noneHint} />;
}

function Keys() {
  return (
    <Group gap="lg" visibleFrom="sm" c="dimmed">
      <Text size="sm">
        <Kbd>Enter</Kbd> {text.reports.keys.open}
      </Text>
      <Text size="sm">
        <Kbd>c</Kbd> {text.reports.keys.claim}
      </Text>
      <Text size="sm">
        <Kbd>e</Kbd> {text.reports.keys.close}
      </Text>
    </Group>
  );
}
