import type { ChatLine } from "@gamekeeper/client";
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useState } from "react";
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

interface ChatLogProps {
  /** Whose chat this is, by id. */
  about: Pick<ChatFilter, "player" | "guild" | "server">;
  /** The name of the player, guild or server. */
  name: string;
  search: ChatSearch;
  /** Changes the address; what is undefined leaves it. */
  onSearch: (change: ChatSearch) => void;
  /** Whom a sanction with selected messages is for. */
  target?: Target;
}

/** The chat log of a player, guild or server. */
export function ChatLog(props: ChatLogProps) {
  if (!useMay("logs.read")) return <Forbidden scope="logs.read" />;
  return <Known {...props} />;
}

function Known({ about, name, search, onSearch, target }: ChatLogProps) {
  const [reason, setReason] = useState<string | null>(null);
  const filter = filterOf(about, search);
  const chat = useChat(filter, reason);
  const { state } = chat;
  const [chosen, setChosen] = useState<ChatLine[]>([]);
  const maySelect = useMay("sanctions.manage") && target !== undefined;
  const selection = maySelect ? selectionOf(chosen, setChosen) : undefined;
  // A guild has one channel, which is not private; around a message there are the others.
  const isGuildOnly = about.guild !== undefined && !search.server;

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
        />
        {!isGuildOnly && <PrivateSwitch reason={reason} onChange={showPrivate} />}
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
      {target && chosen.length > 0 && (
        <EvidenceBar lines={chosen} target={target} onChange={setChosen} />
      )}
    </Stack>
  );
}

const MOST_LINES = 50;

function selectionOf(chosen: ChatLine[], onChange: (lines: ChatLine[]) => void): Selection {
  return {
    has: ({ Id }) => chosen.some((line) => line.Id === Id),
    set: (line, selected) => {
      const others = chosen.filter(({ Id }) => Id !== line.Id);
      if (!selected) onChange(others);
      else if (others.length < MOST_LINES) onChange([...others, line]);
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
