import type { SignInRecord, User } from "@gamekeeper/client";
import { Button, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { browserOf } from "~/parts/sessions/browsers";
import { StaffSessions, useStaffSessions } from "~/parts/sessions/StaffSessions";
import { text as sessions } from "~/parts/sessions/text";
import { Answered, Empty } from "~/parts/states";
import { useNow, When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "./text";
import { useRoles } from "./useRoles";

const columns = (open: Set<string> | null): Column<SignInRecord>[] => [
  { key: "at", title: text.signIns.when, cell: (one) => <When at={one.At} /> },
  {
    key: "how",
    title: text.signIns.how,
    cell: (one) => (
      <Text size="sm">
        {one.Kind === "token" ? text.signIns.token : browserOf(one.UserAgent ?? "")}
        <Text span inherit c="dimmed">
          {one.Method && `, ${sessions.methods[one.Method] ?? one.Method}`}
          {one.IsShared && `, ${text.signIns.shared}`}
        </Text>
      </Text>
    ),
  },
  {
    key: "where",
    title: text.signIns.where,
    secondary: true,
    cell: (one) => one.Address ?? text.signIns.noAddress,
  },
  { key: "state", title: text.signIns.state, cell: (one) => <State record={one} open={open} /> },
];

/** Who is signed in to the account now, and who was. */
export function SignInsTab({ user }: { user: User }) {
  const isStaff = (useRoles(user)?.length ?? 0) > 0;
  return (
    <Stack gap="lg">
      {isStaff && <StaffSessions name={user.Name} />}
      {useMay("actions.read") ? (
        <History user={user} isStaff={isStaff} />
      ) : (
        <Text c="dimmed">{text.signIns.mayNotHistory}</Text>
      )}
    </Stack>
  );
}

function History({ user, isStaff }: { user: User; isStaff: boolean }) {
  const now = useStaffSessions(user.Name, isStaff).data;
  const open = now ? new Set(now.Values.map(({ Id }) => Id)) : null;
  const history = useInfiniteQuery({
    queryKey: ["/api/v1/users/{key}/sign-ins", user.Id],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/users/{key}/sign-ins", {
        params: {
          path: { key: user.Id },
          query: { limit: 25, ...(pageParam && { cursor: pageParam }) },
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next,
  });
  return (
    <Stack gap="xs" component="section" aria-label={text.signIns.history}>
      <div>
        <Title order={2}>{text.signIns.history}</Title>
        <Text size="sm" c="dimmed">
          {text.signIns.tokensHint}
        </Text>
      </div>
      <Answered query={history}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.Values);
          return rows.length === 0 ? (
            <Empty title={text.signIns.none} hint={text.signIns.noneHint} />
          ) : (
            <DataTable
              label={text.signIns.history}
              columns={columns(open)}
              rows={rows}
              rowKey={(one) => one.Id}
            />
          );
        }}
      </Answered>
      {history.hasNextPage && (
        <Button
          variant="default"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {text.signIns.more}
        </Button>
      )}
    </Stack>
  );
}

interface StateProps {
  record: SignInRecord;
  /** The sessions that are open; null: not known. */
  open: Set<string> | null;
}

function State({ record, open }: StateProps) {
  const now = useNow();
  if (record.EndedAt) {
    return (
      <Text size="sm" c="dimmed">
        {text.signIns.endedAt} <When at={record.EndedAt} span />
      </Text>
    );
  }
  if (record.Kind === "session") {
    if (!open) return null;
    return open.has(record.Id) ? (
      <Text size="sm">{text.signIns.open}</Text>
    ) : (
      <Text size="sm" c="dimmed">
        {text.signIns.over}
      </Text>
    );
  }
  if (!record.ExpiresAt || new Date(record.ExpiresAt) <= now) {
    return (
      <Text size="sm" c="dimmed">
        {text.signIns.expired}
      </Text>
    );
  }
  return (
    <Text size="sm">
      {text.signIns.until} <When at={record.ExpiresAt} span />
    </Text>
  );
}
