import type { ChatLine } from "@gamekeeper/client";
import { ActionIcon, Badge, Checkbox, Group, Menu, Text, Tooltip } from "@mantine/core";
import { IconDots, IconMessagePlus, IconMessages } from "@tabler/icons-react";
import { clsx } from "clsx";
import { exact, time } from "~/format";
import { PlayerLink } from "~/parts/people";
import { useTimeZone } from "~/preferences";
import classes from "./chat.module.css";
import { text } from "./text";

interface ChatRowProps {
  line: ChatLine;
  /** False where all messages are to the same guild. */
  withTarget?: boolean;
  /** The text that was searched for. */
  sought?: string | undefined;
  onAround: () => void;
  /** Whether it is selected; undefined: it cannot be. */
  selected?: boolean | undefined;
  onSelect?: ((selected: boolean) => void) | undefined;
  /** Adds it to a case, alone or with the messages around it; undefined: it cannot be. */
  onAddToCase?: ((around: boolean) => void) | undefined;
}

/** One message: when, where, who to whom, and what. */
export function ChatRow({
  line,
  withTarget = true,
  sought,
  onAround,
  selected,
  onSelect,
  onAddToCase,
}: ChatRowProps) {
  const [zone] = useTimeZone();
  const at = new Date(line.SaidAt);
  const around = text.around(line.ServerName ?? text.someServer);
  return (
    <li className={clsx(classes.line, onSelect && classes.selectable)}>
      {onSelect && (
        <Checkbox
          size="xs"
          aria-label={text.evidence.select(line.PlayerName ?? text.deleted, time(at, zone))}
          checked={selected ?? false}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      <Tooltip label={exact(at, zone)}>
        <time dateTime={line.SaidAt} className={classes.time}>
          {time(at, zone)}
        </time>
      </Tooltip>
      <ChannelBadge channel={line.Channel} />
      <Words line={line} withTarget={withTarget} sought={sought} />
      <Group gap={4} wrap="nowrap">
        <Tooltip label={around}>
          <ActionIcon variant="subtle" color="gray" aria-label={around} onClick={onAround}>
            <IconMessages size={16} />
          </ActionIcon>
        </Tooltip>
        {onAddToCase && (
          <RowMenu
            label={text.menu(line.PlayerName ?? text.deleted, time(at, zone))}
            onAddToCase={onAddToCase}
          />
        )}
      </Group>
    </li>
  );
}

interface RowMenuProps {
  label: string;
  onAddToCase: (around: boolean) => void;
}

function RowMenu({ label, onAddToCase }: RowMenuProps) {
  return (
    // Outside of the log, whose box scrolls and would cut it off, but inside of a landmark.
    <Menu position="bottom-end" withinPortal portalProps={{ target: "main" }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconMessagePlus size={16} />} onClick={() => onAddToCase(false)}>
          {text.addToCase.menu}
        </Menu.Item>
        <Menu.Item leftSection={<IconMessages size={16} />} onClick={() => onAddToCase(true)}>
          {text.addToCase.menuAround}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function ChannelBadge({ channel }: { channel: ChatLine["Channel"] }) {
  return (
    <Badge variant={channel === "pm" ? "filled" : "default"} size="sm" className={classes.badge}>
      {text.channels[channel]}
    </Badge>
  );
}

/** "Ana Lyra to Cyd Marsh: Meet me at the mill." */
function Words({ line, withTarget, sought }: Pick<ChatRowProps, "line" | "withTarget" | "sought">) {
  return (
    <Text size="sm" component="span" className={classes.words}>
      {line.PlayerName ? <PlayerLink name={line.PlayerName} /> : text.deleted}
      {withTarget && line.TargetName && (
        <span className={classes.target}>
          {" "}
          {text.to}{" "}
          {line.Channel === "pm" ? <PlayerLink name={line.TargetName} /> : line.TargetName}
        </span>
      )}
      {": "}
      <Marked words={line.Message} sought={sought} />
    </Text>
  );
}

/** The message, with what was searched for marked. */
function Marked({ words, sought }: { words: string; sought: string | undefined }) {
  const place = sought ? words.toLowerCase().indexOf(sought.toLowerCase()) : -1;
  if (!sought || place === -1) return words;
  const end = place + sought.length;
  return (
    <>
      {words.slice(0, place)}
      <mark className={classes.found}>{words.slice(place, end)}</mark>
      {words.slice(end)}
    </>
  );
}
