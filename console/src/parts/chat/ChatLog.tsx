import type { ChatLine } from "@gamekeeper/client";
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Target } from "~/parts/sanctions/target";
import { Empty, Failed, Forbidden, Loading } from "~/parts/states";
import { useMay } from "~/session";
import { ChatFilters } from "./ChatFilters";
import { ChatList, type Selection } from "./ChatList";
import { EvidenceBar } from "./EvidenceBar";
import { type ChatFilter, type ChatSearch, filterOf } from "./filter";
import { PrivateNotice, PrivateSwitch } from "./PrivateSwitch";
import { text } from "./text";
import { useChat } from "./useChat";

// Loaded when it is opened: most people who read chat add nothing.
const AddToCase = lazy(() => import("./AddToCase"));

interface ChatLogProps {
  /** Whose chat this is; nothing: of the whole game. */
  about: Pick<ChatFilter, "player" | "guild" | "server">;
  /** The name of the player, guild or server. */
  name?: string;
  search: ChatSearch;
  /** Changes the address; what is undefined leaves it. */
  onSearch: (change: ChatSearch) => void;
  /** Whom a sanction with selected messages is for. */
  target?: Target;
  /** Fields before the other filters. */
  filters?: ReactNode;
}

/** The chat log of a player, guild or server, or of the whole game. */
export function ChatLog(props: ChatLogProps) {
  if (!useMay("logs.read")) return <Forbidden scope="logs.read" />;
  return <Known {...props} />;
}

function Known({ about, name = "", search, onSearch, target, filters }: ChatLogProps) {
  const [reason, setReason] = useReason(about);
  const filter = filterOf(about, search);
  const chat = useChat(filter, reason);
  const { state } = chat;
  const [chosen, setChosen] = useState<ChatLine[]>([]);
  const maySanction = useMay("sanctions.manage") && target !== undefined;
  const mayAdd = useMayAddToCases();
  const [adding, setAdding] = useState<Adding | null>(null);
  const most = mayAdd ? MOST_OF_CASE : MOST_OF_SANCTION;
  const selection = maySanction || mayAdd ? selectionOf(chosen, setChosen, most) : undefined;
  // A guild has one channel, which is not private; around a message there are the others.
  const isGuildOnly = about.guild !== undefined && !search.server;
  const isNarrow = Boolean(about.player || about.server || search.server);

  function showPrivate(given: string | null) {
    setReason(given);
    if (given === null && search.channel === "pm") onSearch({ channel: undefined });
  }

  return (
    <Stack gap="md">
      <Group justify="space-between" align="end" gap="sm">
        <ChatFilters
          search={search}
          onChange={onSearch}
          withPrivate={reason !== null}
          withChannels={!isGuildOnly}
        >
          {filters}
        </ChatFilters>
        {isNarrow && <PrivateSwitch reason={reason} onChange={showPrivate} />}
      </Group>
      {reason !== null && <PrivateNotice reason={reason} />}
      {search.server && (
        <Everyone
          server={state.status === "ready" ? (state.lines[0]?.ServerName ?? null) : null}
          back={about.guild ? text.backToGuild(name) : text.back(name)}
          onBack={() => {
            if (about.guild) setReason(null);
            onSearch({ server: undefined, moment: undefined, channel: undefined });
          }}
        />
      )}
      {state.status === "loading" && <Loading rows={10} height={34} />}
      {state.status === "failed" && <Failed error={state.error} retry={chat.retry} />}
      {state.status === "ready" &&
        (state.lines.length > 0 ? (
          <ChatList
            key={JSON.stringify([filter, reason])}
            chat={state}
            selection={selection}
            onAddToCase={
              mayAdd ? (line, around) => setAdding({ lines: [line], around }) : undefined
            }
            filter={filter}
            onMore={chat.more}
            onAround={({ SaidAt, ServerId }) =>
              onSearch({
                moment: SaidAt,
                // The log of a server is of everyone already.
                server: about.server ? undefined : ServerId,
                said: undefined,
                channel: undefined,
              })
            }
          />
        ) : (
          <Nothing
            filter={filter}
            canGoOn={state.older !== null}
            onMore={() => chat.more("older")}
          />
        ))}
      {chosen.length > 0 && (
        <EvidenceBar
          lines={chosen}
          target={maySanction ? target : undefined}
          onChange={setChosen}
          onAddToCase={mayAdd ? () => setAdding({ lines: chosen, around: false }) : undefined}
        />
      )}
      {adding && (
        <Suspense>
          <AddToCase
            {...adding}
            onClose={() => setAdding(null)}
            onDone={() => adding.lines === chosen && setChosen([])}
          />
        </Suspense>
      )}
    </Stack>
  );
}

/** Why private messages are shown; null: they are not. A reason is for one player or server. */
function useReason(about: ChatLogProps["about"]) {
  const whose = JSON.stringify(about);
  const [known, setKnown] = useState(whose);
  const [reason, setReason] = useState<string | null>(null);
  // Before anything is read: the filters beside the log keep the focus, and the selected messages.
  if (known !== whose) {
    setKnown(whose);
    setReason(null);
  }
  return [reason, setReason] as const;
}

/** Messages that are about to be added to a case. */
interface Adding {
  lines: ChatLine[];
  /** Also what was said around the one message. */
  around: boolean;
}

/** Whether the person may see open cases, and change them. */
function useMayAddToCases(): boolean {
  const mayRead = useMay("reports.read");
  return useMay("reports.manage") && mayRead;
}

const MOST_OF_SANCTION = 50;
const MOST_OF_CASE = 200;

function selectionOf(
  chosen: ChatLine[],
  onChange: (lines: ChatLine[]) => void,
  most: number,
): Selection {
  return {
    has: ({ Id }) => chosen.some((line) => line.Id === Id),
    set: (line, selected) => {
      const others = chosen.filter(({ Id }) => Id !== line.Id);
      if (!selected) onChange(others);
      else if (others.length < most) onChange([...others, line]);
    },
  };
}

interface EveryoneProps {
  server: string | null;
  back: string;
  onBack: () => void;
}

/** That not only this player or guild is shown, and the way back. */
function Everyone({ server, back, onBack }: EveryoneProps) {
  return (
    <Group gap="sm">
      <Text fw={600}>{text.everyone(server ?? text.someServer)}</Text>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft size={14} />}
        onClick={onBack}
      >
        {back}
      </Button>
    </Group>
  );
}

interface NothingProps {
  filter: ChatFilter;
  canGoOn: boolean;
  onMore: () => void;
}

function Nothing({ filter, canGoOn, onMore }: NothingProps) {
  if (filter.at) {
    return (
      <Empty title={text.empty} hint={text.noMoment} action={canGoOn && <More on={onMore} />} />
    );
  }
  if (!filter.search && !filter.channel) return <Empty title={text.empty} hint={text.emptyHint} />;
  return (
    <Empty
      title={text.noMatch}
      hint={canGoOn ? text.noMatchYet : text.noMatchHint}
      action={canGoOn && <More on={onMore} further />}
    />
  );
}

function More({ on, further }: { on: () => void; further?: boolean }) {
  return (
    <Button variant="default" onClick={on}>
      {further ? text.further : text.older}
    </Button>
  );
}
