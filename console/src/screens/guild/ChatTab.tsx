import type { Guild } from "@gamekeeper/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChatLog } from "~/parts/chat/ChatLog";
import type { ChatSearch } from "~/parts/chat/filter";
import { optional } from "~/search";

/** What members said to the guild, and what everyone said around it. */
export function ChatTab({ guild }: { guild: Guild }) {
  const search = useSearch({ from: "/guilds/$guild" });
  const navigate = useNavigate({ from: "/guilds/$guild" });

  function change(parts: ChatSearch) {
    void navigate({ search: (now) => optional({ ...now, ...parts }), replace: !parts.moment });
  }

  return (
    <ChatLog about={{ guild: guild.Id }} name={guild.Name} search={search} onSearch={change} />
  );
}
