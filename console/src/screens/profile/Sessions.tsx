import type { BrowserSessionRecord } from "@gamekeeper/client";
import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, gk } from "~/api";
import { carryOut } from "~/change";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { toastDone, toastFailed } from "~/toasts";
import { browserOf } from "./browsers";
import { text } from "./text";

/** The browsers in which one is signed in, and the end of each. */
export function Sessions() {
  const query = useQuery(get("/api/v1/me/sessions", { params: { query: { pageSize: 20 } } }));

  function end(change: () => Promise<unknown>) {
    carryOut(change).then(
      () => toastDone(text.ended),
      (error: unknown) => toastFailed(error),
    );
  }

  return (
    <Answered query={query}>
      {({ Values }) => (
        <Stack gap="md">
          {Values.map((session) => (
            <Session
              key={session.Id}
              session={session}
              onEnd={() =>
                end(() =>
                  gk.delete("/api/v1/me/sessions/{session_id}", {
                    params: { path: { session_id: session.Id } },
                  }),
                )
              }
            />
          ))}
          {Values.length > 1 && (
            <Group justify="flex-end">
              <Button variant="default" onClick={() => end(() => gk.delete("/api/v1/me/sessions"))}>
                {text.endOthers}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Answered>
  );
}

function Session({ session, onEnd }: { session: BrowserSessionRecord; onEnd: () => void }) {
  const browser = browserOf(session.UserAgent) ?? text.unknownBrowser;
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {browser}
          </Text>
          {session.IsCurrent && <Badge variant="default">{text.here}</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          {session.Address} · {text.since} <When at={session.CreatedAt} /> · {text.seen}{" "}
          <When at={session.SeenAt} />
        </Text>
      </div>
      {!session.IsCurrent && (
        <Button variant="default" size="xs" aria-label={text.endLabel(browser)} onClick={onEnd}>
          {text.end}
        </Button>
      )}
    </Group>
  );
}
