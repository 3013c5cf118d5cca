import { Code, Stack, Text } from "@mantine/core";
import { config } from "~/config";
import { exact } from "~/format";
import { useTimeZone } from "~/preferences";
import { type Kind, lasts } from "./kinds";
import classes from "./SeenByPlayer.module.css";
import { text } from "./text";

const APPEAL = new URL(`${config.root}/appeal`, location.href);

interface SeenByPlayerProps {
  kind: Kind;
  onCharacter: boolean;
  /** Null: without end; undefined: not known yet. */
  endsAt: Date | null | undefined;
  message: string;
  code?: string | null;
}

/** What the player is shown, in the words of the appeal page. */
export function SeenByPlayer({ kind, onCharacter, endsAt, message, code }: SeenByPlayerProps) {
  const [zone] = useTimeZone();
  if (kind === "note") {
    return (
      <div className={classes.frame}>
        <Text c="dimmed">{text.seen.note}</Text>
      </div>
    );
  }
  const instant = endsAt && exact(endsAt, zone).slice(0, 16) + (zone === "utc" ? " UTC" : "");
  const end = endsAt === null ? text.seen.permanent : text.seen.until(instant ?? "…");
  return (
    <div className={classes.frame}>
      <Stack gap="xs">
        <div>
          <Text fw={650}>{text.seen.title(onCharacter ? "character" : "account", kind)}</Text>
          {lasts(kind) && (
            <Text size="sm" c="dimmed">
              {end}
            </Text>
          )}
        </div>
        <Text className={classes.words} c={message ? undefined : "dimmed"}>
          {message || text.seen.noMessage}
        </Text>
        <Text size="sm">
          {text.seen.code}: {code ? <Code>{code}</Code> : text.seen.codeLater}
        </Text>
        <Text size="sm" c="dimmed">
          {text.seen.appeal(APPEAL.host + APPEAL.pathname)}
        </Text>
      </Stack>
    </div>
  );
}
