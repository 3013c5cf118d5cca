import type { Player as Character } from "@gamekeeper/client";
import { Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { Answered } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { ChatTab } from "./ChatTab";
import { MailboxTab } from "./mailbox/MailboxTab";
import { NotesTab } from "./NotesTab";
import { PlayerHeader } from "./PlayerHeader";
import { SanctionsTab } from "./SanctionsTab";
import { TABS, type Tab } from "./search";
import { StateTab } from "./state/StateTab";
import { text } from "./text";
import { TimelineTab } from "./timeline/TimelineTab";

/** One character: who it is, and the tabs with all that is known about it. */
export function Player() {
  const { key } = useParams({ from: "/players/$key" });
  const { tab = "timeline", at } = useSearch({ from: "/players/$key" });
  const navigate = useNavigate({ from: "/players/$key" });
  const player = useQuery(
    get("/api/v1/players/{key}", { params: { path: { key }, query: { details: true } } }),
  );

  function open(next: string | null) {
    const wanted = TABS.find((one) => one === next);
    // The instant stays, so that items and variables are compared at the same one.
    if (wanted)
      void navigate({ search: (now) => ({ ...(now.at && { at: now.at }), tab: wanted }) });
  }

  return (
    <Answered query={player}>
      {(found) => (
        <>
          <PlayerHeader player={found} />
          <Tabs value={tab} onChange={open} keepMounted={false} mt="md">
            <TabBar label={text.tabsLabel} tabs={TABS} names={text.tabs} />
            <Tabs.Panel value={tab}>
              <Shown tab={tab} at={at} player={found} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Answered>
  );
}

interface ShownProps {
  tab: Tab;
  at: string | undefined;
  player: Character;
}

function Shown({ tab, at, player }: ShownProps) {
  if (tab === "timeline") return <TimelineTab player={player} />;
  if (tab === "mailbox") return <MailboxTab player={player} />;
  if (tab === "chat") return <ChatTab player={player} />;
  if (tab === "sanctions") return <SanctionsTab player={player} />;
  if (tab === "notes") return <NotesTab player={player} />;
  return <StateTab tab={tab} player={player} at={at} />;
}
