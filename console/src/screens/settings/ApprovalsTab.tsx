import type { Approval } from "@gamekeeper/client";
import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { Pieces } from "~/parts/actions/Pieces";
import { type Column, DataTable } from "~/parts/DataTable";
import { Pager } from "~/parts/Pager";
import { AccountLink, PlayerLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { ApprovalView } from "./ApprovalView";
import { giftOf, namedIn } from "./approval";
import { APPROVAL_STATES } from "./search";
import { limitName, text } from "./text";

const PAGE_SIZE = 25;

const COLUMNS: Column<Approval>[] = [
  { key: "what", title: text.approvals.what, cell: (one) => <What approval={one} /> },
  {
    key: "whom",
    title: text.approvals.whom,
    cell: (one) => <Recipient approval={one} />,
  },
  {
    key: "reason",
    title: text.approvals.reason,
    secondary: true,
    cell: ({ Reason }) => (
      <Text size="sm" lineClamp={2} c={Reason ? undefined : "dimmed"}>
        {Reason ?? text.approvals.noReason}
      </Text>
    ),
  },
  {
    key: "by",
    title: text.approvals.by,
    cell: (one) => <Text size="sm">{one.RequestedByName}</Text>,
  },
  {
    key: "limit",
    title: text.approvals.limit,
    secondary: true,
    cell: ({ Exceeded: { Limit, Allowed, Wanted } }) => (
      <div>
        <Text size="sm">{limitName(Limit)}</Text>
        <Text size="xs" c="dimmed">
          {text.approvals.allowed(Allowed)}, {text.approvals.wanted(Wanted)}
        </Text>
      </div>
    ),
  },
  {
    key: "when",
    title: text.approvals.when,
    secondary: true,
    cell: (one) => <When at={one.RequestedAt} size="sm" />,
  },
  {
    key: "ends",
    title: text.approvals.ends,
    secondary: true,
    cell: (one) => one.State === "pending" && <When at={one.ExpiresAt} size="sm" />,
  },
];

function What({ approval }: { approval: Approval }) {
  const gift = giftOf(approval);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {text.approvals.kinds[approval.Kind] ?? approval.Kind}
      </Text>
      {gift && (
        <Text size="sm" component="div">
          <Pieces item={gift.item} quantity={gift.quantity} />
        </Text>
      )}
    </Stack>
  );
}

/** The character or account that a request is about, where it names one. */
function Recipient({ approval }: { approval: Approval }) {
  const { PlayerName, UserName } = approval;
  if (PlayerName) return <PlayerLink name={PlayerName} />;
  if (UserName) return <AccountLink name={UserName} />;
  const { player, playerId, userId } = namedIn(approval);
  return player ?? playerId ?? userId ?? null;
}

/** What waits for a second pair of eyes, and what became of the others. */
export function ApprovalsTab() {
  const { approval } = useSearch({ from: "/settings" });
  return approval ? <ApprovalView id={approval} /> : <ApprovalList />;
}

function ApprovalList() {
  const { state = "pending", page = 0 } = useSearch({ from: "/settings" });
  const navigate = useNavigate();
  const may = useMay("approvals");
  const approvals = useQuery({
    ...get("/api/v1/approvals", {
      params: { query: { state, page, pageSize: PAGE_SIZE, names: true } },
    }),
    placeholderData: keepPreviousData,
  });
  const go = (parts: object) =>
    void navigate({ to: "/settings", search: { tab: "approvals", state, ...parts } });
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={text.approvals.filter}
          value={state}
          data={APPROVAL_STATES.map((value) => ({ value, label: text.approvals.states[value] }))}
          onChange={(next) => go({ state: APPROVAL_STATES.find((one) => one === next) })}
        />
        <Text size="sm">
          <Link to="/settings" search={{ tab: "roles" }}>
            {text.approvals.limitsLink}
          </Link>
        </Text>
      </Group>
      {!may && <Text c="dimmed">{text.approvals.onlyMine}</Text>}
      <Answered query={approvals}>
        {({ Values, Total }) =>
          Values.length === 0 ? (
            <Empty
              title={state === "pending" ? text.approvals.none : text.approvals.noneOf}
              hint={state === "pending" ? text.approvals.noneHint : undefined}
            />
          ) : (
            <>
              <DataTable
                label={text.approvals.label}
                columns={COLUMNS}
                rows={Values}
                rowKey={(one) => one.Id}
                onOpen={(one) => go({ approval: one.Id })}
              />
              {Total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={Total}
                  onPage={(next) => go({ page: next })}
                />
              )}
            </>
          )
        }
      </Answered>
    </Stack>
  );
}
