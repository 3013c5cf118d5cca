import type { Guild as Record } from "@gamekeeper/client";
import { isError } from "@gamekeeper/client";
import { Group, Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { get } from "~/api";
import { grouped } from "~/format";
import { CopyId } from "~/parts/CopyId";
import { Page } from "~/parts/Page";
import { PlayerLink } from "~/parts/people";
import { Answered, Empty, Forbidden } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { ActivityTab } from "./ActivityTab";
import { BankTab } from "./BankTab";
import { ChatTab } from "./ChatTab";
import { GuildMenu } from "./changes/GuildMenu";
import { MembersTab } from "./MembersTab";
import { TABS, type Tab } from "./search";
import { text } from "./text";
import { VariablesTab } from "./VariablesTab";

/** One guild: who belongs to it, what its bank holds, and what happened. */
export function Guild() {
  const { guild: id } = useParams({ from: "/guilds/$guild" });
  const guild = useQuery(
    get("/api/v1/guilds/{guild_id}", {
      params: { path: { guild_id: id }, query: { details: true } },
    }),
  );
  if (guild.data) return <Known guild={guild.data} />;
  return (
    <Page title={text.title}>
      {isError(guild.error, "guild_not_found") ? (
        <Gone id={id} />
      ) : (
        <Answered query={guild}>{() => null}</Answered>
      )}
    </Page>
  );
}

/** A guild that was disbanded still has a history. */
function Gone({ id }: { id: string }) {
  const may = useMay("actions.read");
  return (
    <Stack>
      <Empty title={text.gone} hint={text.goneHint} />
      {may && <ActivityTab guild={id} />}
    </Stack>
  );
}

function Known({ guild }: { guild: Record }) {
  const { tab = "members" } = useSearch({ from: "/guilds/$guild" });
  const navigate = useNavigate({ from: "/guilds/$guild" });
  return (
    <Page
      title={guild.Name}
      beside={<CopyId id={guild.Id} what={text.id} />}
      action={<GuildMenu guild={guild} />}
      filters={<Facts guild={guild} />}
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const wanted = TABS.find((one) => one === next);
          void navigate({ search: wanted && wanted !== "members" ? { tab: wanted } : {} });
        }}
      >
        <TabBar label={text.tabsLabel} tabs={TABS} names={text.tabs} />
        <Tabs.Panel value={tab}>
          <Shown tab={tab} guild={guild} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Shown({ tab, guild }: { tab: Tab; guild: Record }) {
  const mayRead = useMay("actions.read");
  if (tab === "bank") return <BankTab guild={guild} />;
  if (tab === "chat") return <ChatTab guild={guild} />;
  if (tab === "variables") return <VariablesTab guild={guild} />;
  if (tab === "activity")
    return mayRead ? <ActivityTab guild={guild.Id} /> : <Forbidden scope="actions.read" />;
  return <MembersTab guild={guild} />;
}

function Facts({ guild }: { guild: Record }) {
  return (
    <Group gap="lg">
      <Fact label={text.facts.owner}>
        {guild.Owner?.Name ? <PlayerLink name={guild.Owner.Name} /> : text.facts.noOwner}
      </Fact>
      <Text size="sm">{text.facts.members(guild.Members ?? 0)}</Text>
      <Fact label={text.facts.value}>{grouped(guild.BankValue ?? 0)}</Fact>
      <Fact label={text.facts.created}>
        <When at={guild.FoundingDate} span />
      </Fact>
    </Group>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Text size="sm" component="div">
      <Text span c="dimmed" size="sm">
        {label}{" "}
      </Text>
      {children}
    </Text>
  );
}
