import type { AccessBan } from "@gamekeeper/client";
import { Badge, Button, Code, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { gk } from "~/api";
import { AccessBanSheet } from "~/parts/access/AccessBanSheet";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { type Column, DataTable } from "~/parts/DataTable";
import { ActorLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { STATES } from "./search";
import { text } from "./text";

const words = text.access;

function targetOf(ban: AccessBan): string {
  if (ban.Device) return words.device(ban.Device.slice(0, 8));
  return ban.Network ?? words.hiddenRange(ban.PrefixLength ?? 0);
}

const columns = (lift: ((ban: AccessBan) => void) | null): Column<AccessBan>[] => [
  { key: "what", title: words.what, cell: (ban) => <Text size="sm">{targetOf(ban)}</Text> },
  {
    key: "until",
    title: words.until,
    cell: (ban) =>
      ban.InForce ? <When at={ban.EndsAt} /> : <Badge color="gray">{stateOf(ban)}</Badge>,
  },
  {
    key: "why",
    title: text.table.why,
    secondary: true,
    cell: (ban) => (
      <Text size="sm" lineClamp={2}>
        {ban.Reason}
      </Text>
    ),
  },
  {
    key: "by",
    title: text.table.by,
    secondary: true,
    cell: (ban) => <ActorLink actor={ban.ImposedBy} name={ban.ImposedByName} />,
  },
  { key: "code", title: text.table.code, secondary: true, cell: (ban) => <Code>{ban.Code}</Code> },
  ...(lift
    ? [
        {
          key: "lift",
          title: words.actions,
          cell: (ban: AccessBan) =>
            ban.InForce ? (
              <Button size="compact-sm" variant="default" onClick={() => lift(ban)}>
                {words.lift}
              </Button>
            ) : null,
        },
      ]
    : []),
];

function stateOf(ban: AccessBan): string {
  return ban.LiftedAt ? words.lifted : words.ended;
}

/** Bans of devices and address ranges, newest first. */
export function AccessBansTab() {
  const { state } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const may = useMay("sanctions.access");
  const mayRange = useMay("users.personal") && may;
  const [making, setMaking] = useState(false);
  const [lifting, setLifting] = useState<AccessBan | null>(null);
  const query = { ...(state !== "all" && { inForce: state !== "over" }), limit: 50 };
  const bans = useInfiniteQuery({
    queryKey: ["/api/v1/access-bans", query],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/access-bans", {
        params: { query: { ...query, ...(pageParam && { cursor: pageParam }) } },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next,
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={text.filters.state}
          value={state ?? "in_force"}
          onChange={(next) => {
            const wanted = STATES.find((one) => one === next);
            const search = { tab: "access" as const, ...(wanted && { state: wanted }) };
            void navigate({ to: "/moderation", search });
          }}
          data={[
            { value: "in_force", label: text.filters.inForce },
            { value: "over", label: text.filters.over },
            { value: "all", label: text.filters.all },
          ]}
        />
        {mayRange && (
          <Button variant="default" onClick={() => setMaking(true)}>
            {words.make}
          </Button>
        )}
      </Group>
      <Answered query={bans}>
        {(data) => {
          const rows = data.pages.flatMap((page) => page.Values);
          return rows.length === 0 ? (
            <Empty title={words.none} hint={words.noneHint} />
          ) : (
            <DataTable
              label={words.label}
              columns={columns(may ? setLifting : null)}
              rows={rows}
              rowKey={(ban) => ban.Id}
            />
          );
        }}
      </Answered>
      {bans.hasNextPage && (
        <Button
          variant="default"
          loading={bans.isFetchingNextPage}
          onClick={() => void bans.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
      {making && <AccessBanSheet onClose={() => setMaking(false)} />}
      {lifting && <LiftAccessSheet ban={lifting} onClose={() => setLifting(null)} />}
    </Stack>
  );
}

function LiftAccessSheet({ ban, onClose }: { ban: AccessBan; onClose: () => void }) {
  return (
    <ChangeSheet
      permission="sanctions.access"
      opened
      onClose={onClose}
      title={words.liftTitle}
      whom={targetOf(ban)}
      subject={{}}
      preview={<Text>{words.liftPreview}</Text>}
      ready
      reasonRequired
      submitLabel={words.liftTitle}
      done={words.liftDone}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/access-bans/{key}/lift", {
          params: { path: { key: ban.Id } },
          body: { reason },
          ...init,
        })
      }
    />
  );
}
