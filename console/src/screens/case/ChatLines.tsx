import type { CaseLine } from "@gamekeeper/client";
import { Checkbox, Paper, Text } from "@mantine/core";
import { IconFlagFilled, IconMessagePlus } from "@tabler/icons-react";
import { exact, time } from "~/format";
import { ChannelBadge } from "~/parts/chat/ChatRow";
import { text as chat } from "~/parts/chat/text";
import { PlayerLink } from "~/parts/people";
import { When } from "~/parts/When";
import { useTimeZone } from "~/preferences";
import classes from "./case.module.css";
import { withLine } from "./story";
import { text } from "./text";

interface ChatLinesProps {
  lines: CaseLine[];
  /** The account that the case is about. */
  userId: string;
  evidence: string[];
  onEvidence: ((ids: string[]) => void) | undefined;
}

/** Messages as they were when they were frozen, with those marked that were reported or added. */
export function ChatLines({ lines, userId, evidence, onEvidence }: ChatLinesProps) {
  const [first] = lines;
  return (
    <Paper withBorder>
      {first && (
        <Text size="sm" c="dimmed" px="md" pt="xs">
          <When at={first.Line.SaidAt} span />
        </Text>
      )}
      <ol className={classes.lines} aria-label={text.chatLabel}>
        {lines.map((one) => (
          <Line
            key={one.Line.Id}
            line={one}
            isTheirs={one.Line.UserId === userId}
            selected={evidence.includes(one.Line.Id)}
            onSelect={
              onEvidence && one.Line.Message !== null
                ? (selected) => onEvidence(withLine(evidence, one.Line.Id, selected))
                : undefined
            }
          />
        ))}
      </ol>
    </Paper>
  );
}

interface LineProps {
  line: CaseLine;
  isTheirs: boolean;
  selected: boolean;
  onSelect: ((selected: boolean) => void) | undefined;
}

function Line({ line: one, isTheirs, selected, onSelect }: LineProps) {
  const { Line: line, IsReported, AddedAt } = one;
  const [zone] = useTimeZone();
  const at = new Date(line.SaidAt);
  const name = line.PlayerName ?? chat.deleted;
  return (
    <li className={classes.line} data-reported={IsReported} data-theirs={isTheirs}>
      {onSelect ? (
        <Checkbox
          size="xs"
          aria-label={text.select(name, time(at, zone))}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      ) : (
        <span />
      )}
      <time dateTime={line.SaidAt} className={classes.time} title={exact(at, zone)}>
        {time(at, zone)}
      </time>
      <ChannelBadge channel={line.Channel} />
      <Text size="sm" component="span" className={classes.said}>
        {line.PlayerName ? <PlayerLink name={line.PlayerName} /> : chat.deleted}
        {line.TargetName && (
          <Text span c="dimmed" size="sm">
            {" "}
            {chat.to} {line.TargetName}
          </Text>
        )}
        {": "}
        {line.Message ?? (
          <Text span c="dimmed" size="sm">
            {line.IsErased ? chat.evidence.erased : chat.evidence.hidden}
          </Text>
        )}
        {IsReported && (
          <Text span size="xs" fw={600} className={classes.meant}>
            <IconFlagFilled size={12} aria-hidden="true" /> {text.meant}
          </Text>
        )}
        {AddedAt && (
          <Text
            span
            size="xs"
            fw={600}
            className={classes.added}
            title={exact(new Date(AddedAt), zone)}
          >
            <IconMessagePlus size={12} aria-hidden="true" /> {text.added}
          </Text>
        )}
      </Text>
    </li>
  );
}
