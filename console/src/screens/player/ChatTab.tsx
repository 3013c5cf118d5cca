import type { Player } from "@gamekeeper/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChatLog } from "~/parts/chat/ChatLog";
import type { ChatSearch } from "~/parts/chat/filter";
import { optional } from "~/search";

/** What the character said, and with a reason what was said to it in private. */
export function ChatTab({ player }: { player: Player }) {
  const search = useSearch({ from: "/players/$key" });
  const navigate = useNavigate({ from: "/players/$key" });

  function change(parts: ChatSearch) {
    void navigate({ search: (now) => optional({ ...now, ...parts }), replace: !parts.moment });
  }

  return (
    <ChatLog
      about={{ player: player.Id }}
      name={player.Name}
      search={search}
      onSearch={change}
      target={{ userId: player.UserId, player: { id: player.Id, name: player.Name } }}
    />
  );
}
