import type { BrowserSessionRecord, User } from "@gamekeeper/client";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { gk } from "~/api";
import { type ChangeInit, carryOut } from "~/change";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { Answered, Loading } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay, useMe } from "~/session";
import { toastDone, toastFailed } from "~/toasts";
import { browserOf } from "./browsers";
import { Card } from "./RightsTab";
import { text } from "./text";
import { useOpenSessions } from "./useOpenSessions";
import { useRoles } from "./useRoles";

/** Nobody undoes the end of a session: whoever it was signs in again. */
async function end(call: (init: ChangeInit) => Promise<unknown>, done: string) {
  try {
    await carryOut(call);
    toastDone(done);
  } catch (error) {
    toastFailed(error, text.signIns.notEnded);
  }
}

/** The sessions of the console that an account has open; a stolen one is ended here. */
export function BrowserSessions({ user }: { user: User }) {
  const roles = useRoles(user);
  const may = useMay("staff.manage");
  const path = { user: user.Name };
  const sessions = useOpenSessions(user);
  const hasSome = (sessions.data?.Total ?? 0) > 0;
  // Of oneself, the profile ends the others and keeps the one at hand.
  const isMine = useMe().UserId === user.Id;
  if (roles?.length === 0) return null;
  return (
    <Card
      title={text.signIns.sessions}
      hint={text.signIns.sessionsHint}
      beside={
        may &&
        !isMine && (
          <Group gap="xs">
            <ResetFactors user={user} />
            {hasSome && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  void end(
                    (init) =>
                      gk.delete("/api/v1/staff/{user}/sessions", { params: { path }, ...init }),
                    text.signIns.endedAll,
                  )
                }
              >
                {text.signIns.endAll}
              </Button>
            )}
          </Group>
        )
      }
    >
      {may ? (
        <Answered query={sessions} loading={<Loading rows={2} />}>
          {({ Values }) => (
            <Stack gap="sm">
              {Values.length === 0 && <Text c="dimmed">{text.signIns.noSessions}</Text>}
              {Values.map((session) => (
                <OpenSession key={session.Id} session={session} user={user} />
              ))}
            </Stack>
          )}
        </Answered>
      ) : (
        <Text c="dimmed">{text.signIns.mayNotSessions}</Text>
      )}
    </Card>
  );
}

function OpenSession({ session, user }: { session: BrowserSessionRecord; user: User }) {
  const browser = browserOf(session.UserAgent);
  const path = { user: user.Name, session_id: session.Id };
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text fw={550}>
          {browser}
          {session.IsCurrent && ` (${text.signIns.thisOne})`}
        </Text>
        <Text size="sm" c="dimmed">
          {session.Address} · {text.signIns.methods[session.Method] ?? session.Method} ·{" "}
          {text.signIns.seen} <When at={session.SeenAt} span />
        </Text>
      </div>
      {!session.IsCurrent && (
        <Button
          size="xs"
          variant="default"
          aria-label={text.signIns.endLabel(browser)}
          onClick={() =>
            void end(
              (init) =>
                gk.delete("/api/v1/staff/{user}/sessions/{session_id}", {
                  params: { path },
                  ...init,
                }),
              text.signIns.ended,
            )
          }
        >
          {text.signIns.end}
        </Button>
      )}
    </Group>
  );
}

function ResetFactors({ user }: { user: User }) {
  const [opened, sheet] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={sheet.open}>
        {text.signIns.factors}
      </Button>
      <ChangeSheet
        permission="staff.manage"
        opened={opened}
        onClose={sheet.close}
        title={text.signIns.factorsTitle}
        whom={user.Name}
        subject={{ user: user.Name }}
        preview={<Text>{text.signIns.factorsPreview}</Text>}
        ready
        submitLabel={text.signIns.factorsTitle}
        done={text.signIns.factorsDone(user.Name)}
        undoable={false}
        submit={(reason, init) =>
          gk.delete("/api/v1/staff/{user}/factors", {
            params: { path: { user: user.Name } },
            ...init,
            headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
          })
        }
      />
    </>
  );
}
