import type { Server } from "@gamekeeper/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChatLog } from "~/parts/chat/ChatLog";
import type { ChatSearch } from "~/parts/chat/filter";
import { optional } from "~/search";

/** What everyone on the server said. */
export function ChatTab({ server }: { server: Server }) {
  const search = useSearch({ from: "/servers/$server" });
  const navigate = useNavigate({ from: "/servers/$server" });

  function change({ server: _, ...parts }: ChatSearch) {
    void navigate({ search: (now) => optional({ ...now, ...parts }), replace: !parts.moment });
  }

  return (
    <ChatLog about={{ server: server.Id }} name={server.Name} search={search} onSearch={change} />
  );
}
