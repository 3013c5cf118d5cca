import { Select } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useServerNames } from "~/names";
import { ChatLog } from "~/parts/chat/ChatLog";
import classes from "~/parts/chat/chat.module.css";
import type { ChatSearch } from "~/parts/chat/filter";
import { PlayerPicker } from "~/parts/PlayerPicker";
import { optional } from "~/search";
import { text } from "./text";

/** The chat log of all servers, to find a message when its author is not known. */
export function ChatTab() {
  const { player, server, channel, said, moment } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();

  function show(change: ChatSearch & { player?: string | undefined }) {
    const search = { tab: "chat" as const, player, server, channel, said, moment, ...change };
    void navigate({ to: "/moderation", search: optional(search), replace: !change.moment });
  }

  function change(parts: ChatSearch) {
    if (!("server" in parts)) {
      show(parts);
      return;
    }
    // Around a message is what everyone said there; without filters, what everyone said anywhere.
    const here = parts.moment ? (parts.server ?? server) : undefined;
    show({ ...parts, server: here, player: undefined });
  }

  return (
    <ChatLog
      about={{ ...(player && { player }), ...(server && { server }) }}
      search={{ channel, said, moment }}
      onSearch={change}
      filters={
        <>
          <PlayerPicker
            isFilter
            className={classes.filter}
            label={text.chat.player}
            placeholder={text.chat.playerHint}
            nothingFound={text.chat.playerNone}
            value={player ?? null}
            onChange={(name) => show({ player: name ?? undefined })}
          />
          <ServerFilter value={server} onChange={(id) => show({ server: id })} />
        </>
      }
    />
  );
}

interface ServerFilterProps {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

function ServerFilter({ value, onChange }: ServerFilterProps) {
  const servers = useServerNames();
  return (
    <Select
      label={text.chat.server}
      placeholder={text.chat.allServers}
      className={classes.filter}
      searchable
      clearable
      data={servers?.map(({ Id, Name }) => ({ value: Id, label: Name })) ?? []}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
}
