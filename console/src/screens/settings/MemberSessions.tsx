import type { BrowserSessionRecord } from "@gamekeeper/client";
import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { get, gk } from "~/api";
import { type ChangeInit, carryOut } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { browserOf } from "~/screens/profile/browsers";
import { useMay } from "~/session";
import { toastDone, toastFailed } from "~/toasts";
import { text } from "./text";

function end(change: (init: ChangeInit) => Promise<unknown>, done: string) {
  carryOut(change).then(
    () => toastDone(done),
    (error: unknown) => toastFailed(error),
  );
}

/** Where somebody is signed in; a stolen session is ended here. */
export function MemberSessions({ name }: { name: string }) {
  const may = useMay("staff.manage");
  const path = { user: name };
  const sessions = useQuery({
    ...get("/api/v1/staff/{user}/sessions", { params: { path } }),
    enabled: may,
  });
  const some = (sessions.data?.Values.length ?? 0) > 0;
  return (
    <Paper withBorder p="lg" component="section" aria-label={text.sessions.title}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={3}>{text.sessions.title}</Title>
            <Text size="sm" c="dimmed">
              {text.sessions.hint}
            </Text>
          </div>
          {may && some && (
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                end(
                  (init) =>
                    gk.delete("/api/v1/staff/{user}/sessions", { params: { path }, ...init }),
                  text.sessions.endedAll,
                )
              }
            >
              {text.sessions.endAll}
            </Button>
          )}
        </Group>
        {may ? (
          <Answered query={sessions}>
            {({ Values }) => (
              <Stack gap="sm">
                {Values.length === 0 && <Text c="dimmed">{text.sessions.none}</Text>}
                {Values.map((session) => (
                  <Session key={session.Id} name={name} session={session} />
                ))}
              </Stack>
            )}
          </Answered>
        ) : (
          <Text c="dimmed">{text.sessions.mayNot}</Text>
        )}
        {may && <ResetFactors name={name} />}
      </Stack>
    </Paper>
  );
}

function Session({ name, session }: { name: string; session: BrowserSessionRecord }) {
  const browser = browserOf(session.UserAgent) ?? text.sessions.unknownBrowser;
  const path = { user: name, session_id: session.Id };
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {browser}
          </Text>
          {session.IsCurrent && (
            <Badge variant="default" tt="none">
              {text.sessions.here}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {session.Address} · {text.sessions.methods[session.Method] ?? session.Method} ·{" "}
          {text.sessions.seen} <When at={session.SeenAt} span />
        </Text>
      </div>
      {!session.IsCurrent && (
        <Button
          size="xs"
          variant="default"
          aria-label={text.sessions.endLabel(browser)}
          onClick={() =>
            end(
              (init) =>
                gk.delete("/api/v1/staff/{user}/sessions/{session_id}", {
                  params: { path },
                  ...init,
                }),
              text.sessions.ended,
            )
          }
        >
          {text.sessions.end}
        </Button>
      )}
    </Group>
  );
}

function ResetFactors({ name }: { name: string }) {
  const [opened, sheet] = useDisclosure(false);
  const words = text.sessions;
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {words.factorsHint}
      </Text>
      <Button size="xs" variant="default" onClick={sheet.open}>
        {words.reset}
      </Button>
      {opened && (
        <ChangeSheet
          permission="staff.manage"
          opened
          onClose={sheet.close}
          title={words.resetTitle(name)}
          whom={words.resetWhom}
          subject={{ user: name }}
          preview={
            <BeforeAfter
              changes={[
                {
                  key: "factors",
                  label: words.resetRow,
                  before: words.resetBefore,
                  after: words.resetAfter,
                },
                {
                  key: "sessions",
                  label: words.sessionsRow,
                  before: words.resetBefore,
                  after: words.sessionsAfter,
                },
              ]}
            />
          }
          ready
          reasonRequired
          submitLabel={words.resetNow}
          done={words.resetDone(name)}
          undoable={false}
          submit={(reason, init) =>
            gk.delete("/api/v1/staff/{user}/factors", {
              params: { path: { user: name } },
              ...init,
              headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
            })
          }
        />
      )}
    </Group>
  );
}
