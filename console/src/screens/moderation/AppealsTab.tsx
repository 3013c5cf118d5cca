import type { Appeal } from "@gamekeeper/client";
import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { Pager } from "~/parts/Pager";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { Whom } from "~/parts/sanctions/Whom";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { AppealState } from "./AppealState";
import { AppealView } from "./AppealView";
import { APPEAL_STATES } from "./search";
import { text } from "./text";

const PAGE_SIZE = 25;

const COLUMNS: Column<Appeal>[] = [
  { key: "state", title: text.appeals.decision, cell: (one) => <AppealState state={one.State} /> },
  { key: "whom", title: text.table.whom, cell: (one) => <Whom sanction={one.Sanction} /> },
  {
    key: "what",
    title: text.table.what,
    secondary: true,
    cell: (one) => <SanctionBadge sanction={one.Sanction} />,
  },
  {
    key: "text",
    title: text.appeals.wrote,
    secondary: true,
    cell: (one) => (
      <Text size="sm" lineClamp={2}>
        {one.Text}
      </Text>
    ),
  },
  { key: "at", title: text.appeals.openedColumn, cell: (one) => <When at={one.OpenedAt} /> },
];

/** The queue: those that wait first, the oldest first. */
export function AppealsTab() {
  const { appeal } = useSearch({ from: "/moderation" });
  return appeal ? <AppealView key={appeal} id={appeal} /> : <Queue />;
}

function Queue() {
  const { appeals: state, page = 0 } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const queue = useQuery({
    ...get("/api/v1/appeals", {
      params: { query: { page, pageSize: PAGE_SIZE, ...(state && { state }) } },
    }),
    placeholderData: keepPreviousData,
  });
  const here = { tab: "appeals" as const, ...(state && { appeals: state }) };

  function choose(value: string) {
    const wanted = APPEAL_STATES.find((one) => one === value);
    const search = { tab: "appeals" as const, ...(wanted && { appeals: wanted }) };
    void navigate({ to: "/moderation", search });
  }

  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label={text.appeals.filter}
          value={state ?? ""}
          onChange={choose}
          data={[
            { value: "", label: text.appeals.every },
            ...APPEAL_STATES.map((one) => ({ value: one, label: text.appeals.states[one] })),
          ]}
        />
      </Group>
      <Answered query={queue}>
        {(found) =>
          found.Total === 0 ? (
            <Empty
              title={state ? text.appeals.noneOf : text.appeals.none}
              hint={text.appeals.noneHint}
            />
          ) : (
            <>
              <DataTable
                label={text.appeals.label}
                columns={COLUMNS}
                rows={found.Values}
                rowKey={(one) => one.Id}
                onOpen={(one) =>
                  void navigate({ to: "/moderation", search: { ...here, appeal: one.Id } })
                }
              />
              {found.Total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={found.Total}
                  onPage={(next) =>
                    void navigate({ to: "/moderation", search: { ...here, page: next } })
                  }
                />
              )}
            </>
          )
        }
      </Answered>
    </Stack>
  );
}
