import type { Player } from "@gamekeeper/client";
import { Box, Group, Progress, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CSSProperties, ReactNode } from "react";
import { get } from "~/api";
import { config } from "~/config";
import { compact, duration, grouped } from "~/format";
import { CopyId } from "~/parts/CopyId";
import { hueOf, lettersOf } from "~/parts/ItemTile";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { ChangeMenu } from "./changes/ChangeMenu";
import classes from "./PlayerHeader.module.css";
import { text } from "./text";

/** Who the character is, where it is, what is in force against it, and what to do about it. */
export function PlayerHeader({ player }: { player: Player }) {
  useDocumentTitle(`${player.Name} · ${config.game}`);
  const path = { key: player.Id };
  const account = player.AccountName;
  const sanctions = useQuery({
    ...get("/api/v1/players/{key}/sanctions", { params: { path } }),
    enabled: useMay("sanctions.read"),
  });
  const inForce = sanctions.data?.Values.filter((one) => one.InForce && one.Kind !== "note") ?? [];
  const server = player.ServerName ?? undefined;
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <Group gap="md" wrap="nowrap" align="flex-start" className={classes.who}>
        <span
          className={classes.portrait}
          style={{ "--hue": hueOf(player.Id) } as CSSProperties}
          aria-hidden="true"
        >
          {lettersOf(player.Name)}
        </span>
        <Box className={classes.about}>
          <Group gap="xs">
            <Title order={1}>{player.Name}</Title>
            <CopyId id={player.Id} what={text.header.id} />
            {inForce.map((sanction) => (
              <Link
                key={sanction.Id}
                to="/players/$key"
                params={{ key: player.Name }}
                search={{ tab: "sanctions" }}
                className={classes.badge}
              >
                <SanctionBadge sanction={sanction} />
              </Link>
            ))}
          </Group>
          <Group gap="lg" mt={6} className={classes.facts}>
            <Level player={player} />
            <Fact label={text.header.account}>
              <Link to="/accounts/$key" params={{ key: account || player.UserId }}>
                {account || text.header.openAccount}
              </Link>
            </Fact>
            <Presence player={player} server={server} />
            <Fact label={text.header.played}>{duration(player.PlayTimeSeconds)}</Fact>
          </Group>
        </Box>
      </Group>
      <ChangeMenu
        player={player}
        server={server ?? (player.Online ? text.header.game : undefined)}
      />
    </Group>
  );
}

function Level({ player }: { player: Player }) {
  const { Exp, ExperienceToNextLevel: next } = player;
  const isHighest = next < 0;
  const label = isHighest ? text.header.highest : text.header.exp(grouped(Exp), grouped(next));
  return (
    <div className={classes.level}>
      <Text size="sm">
        {player.ClassName}, {text.header.level(player.Level)}
        <Text span size="xs" c="dimmed" ml={8}>
          {isHighest ? text.header.highest : `${compact(Exp)} / ${compact(next)}`}
        </Text>
      </Text>
      <Progress.Root size={4} mt={4}>
        <Progress.Section
          value={isHighest ? 100 : Math.min(100, (Exp / Math.max(1, next)) * 100)}
          aria-label={label}
        />
      </Progress.Root>
    </div>
  );
}

function Presence({ player, server }: { player: Player; server: string | undefined }) {
  if (!player.Online) {
    return (
      <Fact label={text.header.lastOnline}>
        <When at={player.LastOnline} span />
      </Fact>
    );
  }
  const where = [server, player.MapName].filter(Boolean).join(", ");
  return (
    <Text size="sm" component="div">
      <span className={classes.dot} aria-hidden="true" /> {text.header.online}
      {where && ` · ${where}`}
      <Text span c="dimmed" size="sm">
        {" "}
        {text.header.since} <When at={player.LastOnline} span />
      </Text>
    </Text>
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
