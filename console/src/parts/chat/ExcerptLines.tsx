import { Text } from "@mantine/core";
import { exact } from "~/format";
import { useTimeZone } from "~/preferences";
import { ChannelBadge } from "./ChatRow";
import classes from "./chat.module.css";
import type { Channel } from "./filter";
import { text } from "./text";

export interface QuotedLine {
  Id: string;
  SaidAt: string;
  Channel: Channel;
  PlayerName: string | null;
  TargetName: string | null;
  /** Null: erased, or not for this reader. */
  Message: string | null;
  IsErased?: boolean;
}

/** Messages that are evidence, oldest first. */
export function ExcerptLines({ lines }: { lines: QuotedLine[] }) {
  const [zone] = useTimeZone();
  return (
    <ol className={classes.excerpt}>
      {lines.map((line) => (
        <li key={line.Id} className={classes.quoted}>
          <time dateTime={line.SaidAt} className={classes.time}>
            {exact(new Date(line.SaidAt), zone)}
          </time>
          <ChannelBadge channel={line.Channel} />
          <Text size="sm" component="span" className={classes.words}>
            <strong>{line.PlayerName ?? text.deleted}</strong>
            {line.TargetName && ` ${text.to} ${line.TargetName}`}
            {": "}
            {line.Message ?? (
              <Text span c="dimmed">
                {line.IsErased ? text.evidence.erased : text.evidence.hidden}
              </Text>
            )}
          </Text>
        </li>
      ))}
    </ol>
  );
}
