import type { Sanction } from "@gamekeeper/client";
import { Button, Code, Stack, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { gk } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { ActorLink } from "~/parts/people";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { Whom } from "~/parts/sanctions/Whom";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { SanctionFilters } from "./SanctionFilters";
import { text } from "./text";

const COLUMNS: Column<Sanction>[] = [
  { key: "what", title: text.table.what, cell: (one) => <SanctionBadge sanction={one} /> },
  { key: "whom", title: text.table.whom, cell: (one) => <Whom sanction={one} /> },
  {
    key: "why",
    title: text.table.why,
    secondary: true,
    cell: (one) => (
      <Text size="sm" lineClamp={2}>
        {one.Reason || one.Message}
      </Text>
    ),
  },
  {
    key: "by",
    title: text.table.by,
    secondary: true,
    cell: (one) => (
      <Text size="sm">
        <ActorLink actor={one.ImposedBy} name={one.ImposedByName} />{" "}
        <When at={one.ImposedAt} span c="dimmed" />
      </Text>
    ),
  },
  {
    key: "code",
    title: text.table.code,
    secondary: true,
    cell: (one) => <Code>{one.Code}</Code>,
  },
];

/** The sanctions, newest first; a row opens one. */
export function SanctionsTab() {
  const filters = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const { kind, actor, template, state } = filters;
  const query = {
    ...(kind && { kind }),
    ...(actor && { actor }),
    ...(template && { template }),
    ...(state !== "all" && { inForce: state !== "over" }),
    limit: 50,
  };
  const sanctions = useInfiniteQuery({
    queryKey: ["/api/v1/sanctions", query],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/sanctions", {
        params: { query: { ...query, ...(pageParam && { cursor: pageParam }) } },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next,
    placeholderData: keepPreviousData,
  });

  return (
    <Stack>
      <SanctionFilters />
      <Answered query={sanctions}>
        {(data) => {
          const all = data.pages.flatMap((page) => page.Values);
          // A note restrains nobody: it is here for those who ask for notes.
          const rows = all.filter((one) => kind === "note" || one.Kind !== "note");
          if (rows.length === 0 && !sanctions.hasNextPage) {
            const isFiltered = kind || actor || template || state;
            return isFiltered ? (
              <Empty title={text.noneFiltered} />
            ) : (
              <Empty title={text.none} hint={text.noneHint} />
            );
          }
          return (
            <DataTable
              label={text.table.label}
              columns={COLUMNS}
              rows={rows}
              rowKey={(one) => one.Id}
              onOpen={(one) =>
                void navigate({ to: "/moderation", search: { ...filters, code: one.Code } })
              }
            />
          );
        }}
      </Answered>
      {sanctions.hasNextPage && (
        <Button
          variant="default"
          loading={sanctions.isFetchingNextPage}
          onClick={() => void sanctions.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </Stack>
  );
}
