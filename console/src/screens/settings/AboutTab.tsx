import { Code, ColorSwatch, Group, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { get } from "~/api";
import { config } from "~/config";
import { duration, grouped } from "~/format";
import { Card } from "~/parts/Card";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { useMay } from "~/session";
import { text } from "./text";

/** The version is in the document that describes the API, and nowhere else. */
const version = {
  queryKey: ["version"],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<string> => {
    const answer = await fetch(`${config.root}/api/openapi.json`, { signal });
    const document: { info?: { version?: string } } = await answer.json();
    return document.info?.version ?? text.about.unknown;
  },
  staleTime: Number.POSITIVE_INFINITY,
};

/** How this installation is called and set up: facts to read, and what sets them. */
export function AboutTab() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Environment />
      <Service />
      <Limits />
      <Elsewhere />
    </SimpleGrid>
  );
}

function SetBy({ variable }: { variable: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text.about.setBy} <Code>{variable}</Code>
    </Text>
  );
}

function Environment() {
  const { environment, environmentColor: color } = config;
  return (
    <Card title={text.about.environment} hint={text.about.environmentHint}>
      <Fact label={text.about.name}>
        <Text fw={600}>{environment || text.about.noName}</Text>
        <SetBy variable="GAMEKEEPER_ENVIRONMENT_NAME" />
      </Fact>
      <Fact label={text.about.color}>
        <Group gap="xs">
          {color && <ColorSwatch size={16} color={`var(--mantine-color-${color}-6)`} />}
          <Text fw={600}>{color || text.about.noColor}</Text>
        </Group>
        <SetBy variable="GAMEKEEPER_ENVIRONMENT_COLOR" />
      </Fact>
    </Card>
  );
}

function Service() {
  const may = useMay("players.read");
  const stats = useQuery({ ...get("/api/v1/info/stats"), enabled: may }).data;
  const ready = useQuery(get("/readyz"));
  const state = ready.data?.status ?? (ready.isError ? text.about.notReady : "…");
  const facts: [string, ReactNode][] = [
    [text.about.game, config.game],
    [text.about.version, useQuery(version).data ?? "…"],
    [text.about.address, location.origin + config.root],
    [text.about.database, state],
    [text.about.replica, ready.data ? text.about.replicas[ready.data.replica] : "…"],
    ...(stats
      ? ([
          [text.about.uptime, duration(stats.uptime / 1000)],
          [text.about.online, grouped(stats.onlineCount)],
        ] satisfies [string, ReactNode][])
      : []),
  ];
  return (
    <Card title={text.about.service}>
      <Facts facts={facts} />
    </Card>
  );
}

function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {facts.map(([label, value]) => (
        <Fact key={label} label={label}>
          <Text style={{ overflowWrap: "anywhere" }}>{value}</Text>
        </Fact>
      ))}
    </SimpleGrid>
  );
}

function Limits() {
  const may = useMay("players.read");
  const limits = useQuery({ ...get("/api/v1/info/config"), enabled: may }).data?.Player;
  if (!limits) return null;
  const facts: [string, ReactNode][] = [
    [text.about.characters, grouped(limits.MaxCharacters)],
    [text.about.level, grouped(limits.MaxLevel)],
    [text.about.inventory, grouped(limits.MaxInventory)],
    [text.about.bank, grouped(limits.MaxBank)],
    [text.about.spells, grouped(limits.MaxSpells)],
  ];
  return (
    <Card title={text.about.limits} hint={text.about.limitsHint}>
      <Facts facts={facts} />
    </Card>
  );
}

function Elsewhere() {
  return (
    <Card title={text.about.more}>
      <Link to="/moderation" search={{ tab: "templates" }}>
        {text.about.templates}
      </Link>
      <Link to="/integrations">{text.about.keys}</Link>
      <Link to="/profile">{text.about.profile}</Link>
    </Card>
  );
}
