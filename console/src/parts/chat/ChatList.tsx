import type { ChatLine } from "@gamekeeper/client";
import { Button, Group, Paper, Text } from "@mantine/core";
import { Fragment, useLayoutEffect, useRef } from "react";
import { day } from "~/format";
import { dayTitle } from "~/parts/actions/days";
import { useNow, When } from "~/parts/When";
import { useTimeZone } from "~/preferences";
import { ChatRow } from "./ChatRow";
import classes from "./chat.module.css";
import type { ChatFilter } from "./filter";
import { text } from "./text";

interface ChatListProps {
  chat: {
    lines: ChatLine[];
    older: string | null;
    newer: string | null;
    searchedTo: string | null;
    busy: "older" | "newer" | null;
  };
  filter: ChatFilter;
  onMore: (direction: "older" | "newer") => Promise<void>;
  /** Shows what everyone said around a message. */
  onAround: (line: ChatLine) => void;
  selection?: Selection | undefined;
  /** Adds a message to a case, alone or with those around it. */
  onAddToCase?: ((line: ChatLine, around: boolean) => void) | undefined;
}

/** Messages that are selected as evidence. */
export interface Selection {
  has: (line: ChatLine) => boolean;
  set: (line: ChatLine, selected: boolean) => void;
}

/** Messages as they were said, oldest first, in a box that begins at the newest or at the moment. */
export function ChatList({
  chat,
  filter,
  onMore,
  onAround,
  selection,
  onAddToCase,
}: ChatListProps) {
  const [zone] = useTimeZone();
  const now = useNow();
  const { lines } = chat;
  const box = useScroll(lines);
  // The first message after the moment: the mark is before it.
  const after = filter.at ? lines.findIndex((line) => line.SaidAt > (filter.at ?? "")) : -1;
  const marked = after === -1 ? lines.length : after;

  return (
    <Paper withBorder>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div ref={box} className={classes.box} role="log" aria-label={text.log} tabIndex={0}>
        <Beginning chat={chat} filter={filter} onMore={onMore} />
        {daysOf(lines, (line) => day(new Date(line.SaidAt), zone)).map(({ on, from, until }) => (
          <section key={on}>
            <Text component="h2" size="sm" fw={600} className={classes.day}>
              {dayTitle(on, now, zone)}
            </Text>
            <ol className={classes.lines}>
              {lines.slice(from, until).map((line, place) => (
                <Fragment key={line.Id}>
                  {filter.at && from + place === marked && <Moment />}
                  <ChatRow
                    line={line}
                    withTarget={!filter.guild}
                    sought={filter.search}
                    onAround={() => onAround(line)}
                    selected={selection?.has(line)}
                    onSelect={selection && ((selected) => selection.set(line, selected))}
                    onAddToCase={onAddToCase && ((around) => onAddToCase(line, around))}
                  />
                </Fragment>
              ))}
              {filter.at && until === lines.length && marked === lines.length && <Moment />}
            </ol>
          </section>
        ))}
        {filter.at && chat.newer && (
          <Group justify="center" className={classes.end}>
            <Button
              variant="default"
              size="compact-sm"
              loading={chat.busy === "newer"}
              onClick={() => void onMore("newer")}
            >
              {text.newer}
            </Button>
          </Group>
        )}
      </div>
    </Paper>
  );
}

function Moment() {
  return (
    <li className={classes.moment} data-moment>
      {text.here}
    </li>
  );
}

function Beginning({ chat, filter, onMore }: Pick<ChatListProps, "chat" | "filter" | "onMore">) {
  if (!chat.older) {
    return (
      <Text size="sm" c="dimmed" className={classes.end}>
        {text.beginning}
      </Text>
    );
  }
  return (
    <Group justify="center" gap="sm" className={classes.end}>
      {chat.searchedTo && (
        <Text size="sm" c="dimmed">
          {text.searchedTo} <When at={chat.searchedTo} span />
        </Text>
      )}
      <Button
        variant="default"
        size="compact-sm"
        loading={chat.busy === "older"}
        onClick={() => void onMore("older")}
      >
        {filter.search ? text.further : text.older}
      </Button>
    </Group>
  );
}

/** Begins at the moment or at the newest message, and stays there when older ones come above. */
function useScroll(lines: ChatLine[]) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<{ first: string | undefined; height: number }>(undefined);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const first = lines[0]?.Id;
    if (!before.current) {
      const moment = element.querySelector<HTMLElement>("[data-moment]");
      element.scrollTop = moment
        ? moment.offsetTop - element.offsetTop - element.clientHeight / 2
        : element.scrollHeight;
    } else if (before.current.first !== first) {
      element.scrollTop += element.scrollHeight - before.current.height;
    }
    before.current = { first, height: element.scrollHeight };
  }, [lines]);
  return box;
}

/** Where each day begins and ends among the lines. */
function daysOf(lines: ChatLine[], dayOf: (line: ChatLine) => string) {
  const days: { on: string; from: number; until: number }[] = [];
  for (const [place, line] of lines.entries()) {
    const on = dayOf(line);
    const last = days.at(-1);
    if (last?.on === on) last.until = place + 1;
    else days.push({ on, from: place, until: place + 1 });
  }
  return days;
}
