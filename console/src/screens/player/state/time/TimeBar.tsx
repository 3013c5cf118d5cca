import { ActionIcon, Button, Group, Paper, SegmentedControl, Text, Tooltip } from "@mantine/core";
import {
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { exact, relativeDay } from "~/format";
import { momentLabel } from "~/parts/actions/kinds";
import { useNow } from "~/parts/When";
import { useTimeZone } from "~/preferences";
import { text } from "../text";
import { InstantField } from "./InstantField";
import { beginOf, rounded, stepFrom, type Window, windowFor } from "./moments";
import classes from "./TimeBar.module.css";
import { TimeTrack } from "./TimeTrack";
import type { TimeTravel } from "./travel";
import { usePlayback } from "./usePlayback";

interface TimeBarProps {
  /** When what is looked at began. */
  created: string;
  travel: TimeTravel;
  /** What differs from now, in a line. */
  summary?: ReactNode;
}

/** Looking back: a slider over the changes, steps from one to the next, an instant typed. */
export function TimeBar({ created, travel, summary }: TimeBarProps) {
  const { steps, at, go } = travel;
  const now = useNow().getTime();
  const time = at === undefined ? undefined : Date.parse(at);
  const [chosen, choose] = useState<Window | null>(null);
  const window = chosen ?? windowFor(steps, time, now);
  const playback = usePlayback(travel);
  const canBack = stepFrom(steps, at, -1) !== null;
  const canForth = stepFrom(steps, at, 1) !== null;

  function show(next: number | undefined) {
    playback.stop();
    go(next === undefined || next >= Date.now() ? undefined : new Date(next).toISOString());
  }

  function stepBy(direction: -1 | 1) {
    playback.stop();
    travel.step(direction);
  }

  return (
    <Paper withBorder className={classes.bar} component="section" aria-label={text.time.label}>
      <Group justify="space-between" gap="xs">
        <Caption at={at} />
        <InstantField onInstant={show} />
      </Group>
      <TimeTrack
        steps={steps}
        begin={beginOf(window, steps, Date.parse(created), now)}
        now={now}
        time={time}
        onTime={show}
        onStep={stepBy}
      />
      <Group justify="space-between" gap="xs">
        <Group gap={4}>
          <Control label={text.time.previous} disabled={!canBack} onClick={() => stepBy(-1)}>
            <IconPlayerSkipBack size={18} />
          </Control>
          <Control
            label={playback.direction === -1 ? text.time.pause : text.time.playBack}
            disabled={!canBack && playback.direction !== -1}
            onClick={() => playback.toggle(-1)}
          >
            {playback.direction === -1 ? (
              <IconPlayerPause size={18} />
            ) : (
              <IconPlayerPlay size={18} className={classes.mirrored} />
            )}
          </Control>
          <Control
            label={playback.direction === 1 ? text.time.pause : text.time.playForth}
            disabled={!canForth && playback.direction !== 1}
            onClick={() => playback.toggle(1)}
          >
            {playback.direction === 1 ? (
              <IconPlayerPause size={18} />
            ) : (
              <IconPlayerPlay size={18} />
            )}
          </Control>
          <Control label={text.time.next} disabled={!canForth} onClick={() => stepBy(1)}>
            <IconPlayerSkipForward size={18} />
          </Control>
          {at !== undefined && (
            <Button variant="default" size="sm" onClick={() => show(undefined)}>
              {text.time.toNow}
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed" role="status" className={classes.summary}>
          {summary ?? happened(travel)}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={text.time.window}
          value={window}
          onChange={(value) => choose(value as Window)}
          data={(["hour", "day", "week", "month", "all"] as const).map((value) => ({
            value,
            label: text.time.windows[value],
          }))}
        />
      </Group>
    </Paper>
  );
}

function Caption({ at }: { at: string | undefined }) {
  const [zone] = useTimeZone();
  const now = useNow();
  if (at === undefined) {
    return (
      <Text fw={650}>
        {text.time.asNow}{" "}
        <Text span c="dimmed" fw={400} size="sm">
          {text.time.hint}
        </Text>
      </Text>
    );
  }
  const instant = rounded(at);
  return (
    <Text fw={650}>
      {text.time.asAt(exact(instant, zone), zone)}{" "}
      <Text span c="dimmed" fw={400} size="sm">
        {relativeDay(instant, now, zone)}
      </Text>
    </Text>
  );
}

/** What the last change before the instant was. */
function happened({ steps, here }: TimeTravel): string {
  if (steps.length === 0) return text.time.noChanges;
  const step = steps[here];
  if (!step) return text.time.beforeAll;
  return text.time.last(step.kinds.map(momentLabel).join(", "));
}

interface ControlProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Control({ label, disabled, onClick, children }: ControlProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
