import type { BrowserSessionRecord } from "@gamekeeper/client";
import { Badge, Button, Group, Text } from "@mantine/core";
import { When } from "~/parts/When";
import { browserOf } from "./browsers";
import { text } from "./text";

/** A browser that is signed in, and a button that ends its session. */
export function SessionLine({
  session,
  onEnd,
}: {
  session: BrowserSessionRecord;
  onEnd: () => void;
}) {
  const browser = browserOf(session.UserAgent);
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
          {session.Address} · {text.methods[session.Method] ?? session.Method} · {text.since}{" "}
          <When at={session.CreatedAt} span /> · {text.seen} <When at={session.SeenAt} span />
        </Text>
      </div>
      {!session.IsCurrent && (
        <Button size="xs" variant="default" aria-label={text.endLabel(browser)} onClick={onEnd}>
          {text.end}
        </Button>
      )}
    </Group>
  );
}
