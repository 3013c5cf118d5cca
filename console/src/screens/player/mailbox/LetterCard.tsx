import type { Letter } from "@gamekeeper/client";
import { Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import {
  IconCircleCheck,
  IconClockOff,
  IconMailOff,
  IconPackage,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { ItemCount } from "~/parts/ItemCount";
import { MayButton } from "~/parts/MayButton";
import { PlayerLink } from "~/parts/people";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { changesOf, expires, isReturned, type LetterChange, piecesOf } from "./letter";
import classes from "./mailbox.module.css";
import { text } from "./text";

interface LetterCardProps {
  letter: Letter;
  onChange: (change: LetterChange) => void;
}

/** One letter: its words, its items, and the state of both. */
export function LetterCard({ letter, onChange }: LetterCardProps) {
  const may = useMay("players.items");
  const subject = letter.Subject ?? text.hidden;
  const changes = changesOf(letter);
  return (
    <Paper withBorder p="md" component="article" aria-label={subject}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Stack gap={2}>
            <Group gap="xs">
              <Text fw={600} c={letter.Subject === null ? "dimmed" : undefined}>
                {subject}
              </Text>
              {isReturned(letter) && <Badge variant="default">{text.returned}</Badge>}
              {!letter.ReadAt && letter.State === "open" && (
                <Badge variant="light">{text.unread}</Badge>
              )}
            </Group>
            <Facts letter={letter} />
          </Stack>
          <LetterStateMark letter={letter} />
        </Group>
        {letter.Text && <Words text={letter.Text} />}
        {(letter.Items.length > 0 || changes.length > 0) && (
          <Group justify="space-between" align="flex-end">
            <ul className={classes.items} aria-label={text.items}>
              {piecesOf(letter).map(([id, count]) => (
                <li key={id}>
                  <ItemCount id={id} count={count} />
                </li>
              ))}
            </ul>
            <Group gap="xs" ml="auto">
              {changes.map((change) => (
                <MayButton
                  key={change}
                  size="compact-sm"
                  variant="default"
                  refusal={may ? null : text.mayNot}
                  aria-label={`${text.changes[change].label}: ${subject}`}
                  onClick={() => onChange(change)}
                >
                  {text.changes[change].label}
                </MayButton>
              ))}
            </Group>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

/** Letters longer than this are cut off until the reader opens them. */
const SHORT = 300;

function Words({ text: all }: { text: string }) {
  const [isWhole, setWhole] = useState(all.length <= SHORT);
  return (
    <div>
      <Text size="sm" className={classes.words} {...(!isWhole && { lineClamp: 3 })}>
        {all}
      </Text>
      {all.length > SHORT && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? text.hideText : text.showText}
        </Button>
      )}
    </div>
  );
}

/** Who sent it, and its times. */
function Facts({ letter }: { letter: Letter }) {
  const parts: [string, ReactNode][] = [["from", <Sender key="from" letter={letter} />]];
  parts.push(["sent", <Instant key="sent" word={text.sent} at={letter.SentAt} />]);
  if (letter.ReadAt)
    parts.push(["read", <Instant key="read" word={text.read} at={letter.ReadAt} />]);
  if (letter.EndedAt) {
    const word = text.states[letter.State].toLowerCase();
    parts.push(["ended", <Instant key="ended" word={word} at={letter.EndedAt} />]);
  } else if (expires(letter)) {
    parts.push(["expires", <Instant key="expires" word={text.expires} at={letter.ExpiresAt} />]);
  } else parts.push(["never", text.never]);
  return (
    <Text size="sm" c="dimmed">
      {parts.map(([key, part], number) => (
        <span key={key}>
          {number > 0 && " · "}
          {part}
        </span>
      ))}
    </Text>
  );
}

function Instant({ word, at }: { word: string; at: string }) {
  return (
    <>
      {word} <When at={at} span />
    </>
  );
}

function Sender({ letter: { Sender: sender } }: { letter: Letter }) {
  const name = sender.Name ?? text.erased;
  return (
    <>
      {text.from}{" "}
      {sender.Kind === "player" && sender.Name ? <PlayerLink name={sender.Name} /> : name} (
      {text.senders[sender.Kind]})
    </>
  );
}

const LOOKS = {
  open: { icon: IconPackage, color: "var(--gk-changed)" },
  claimed: { icon: IconCircleCheck, color: "var(--gk-gain)" },
  expired: { icon: IconClockOff, color: "var(--mantine-color-dimmed)" },
  withdrawn: { icon: IconMailOff, color: "var(--mantine-color-dimmed)" },
  deleted: { icon: IconTrash, color: "var(--mantine-color-dimmed)" },
};

/** The state as a word, with a shape of its own; an open letter without items has none. */
function LetterStateMark({ letter: { State, Items } }: { letter: Letter }) {
  if (State === "open" && Items.length === 0) return null;
  const { icon: Icon, color } = LOOKS[State];
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Icon size={16} color={color} aria-hidden="true" />
      <Text span size="sm" fw={550} c={color}>
        {text.states[State]}
      </Text>
    </Group>
  );
}
