import type { Case, Sanction } from "@gamekeeper/client";
import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { Card } from "~/parts/Card";
import { reportedName } from "~/parts/cases/marks";
import { AccountLink, PlayerLink } from "~/parts/people";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { restraints } from "~/parts/sanctions/useRecord";
import { When } from "~/parts/When";
import { text } from "./text";

/** Who the case is about: the character that was reported last, and its account. */
export function PlayerCard({ about, record }: { about: Case; record: Sanction[] }) {
  const { data: player } = useQuery({
    ...get("/api/v1/players/{key}", {
      params: { path: { key: about.PlayerId }, query: { details: true } },
    }),
    enabled: about.PlayerName !== null,
  });
  const inForce = restraints(record);
  return (
    <Card title={text.player}>
      <Stack gap={6}>
        <Text fw={650} size="lg">
          {about.PlayerName ? <PlayerLink name={about.PlayerName} /> : reportedName(about)}
        </Text>
        {about.PlayerName === null && <Text c="dimmed">{text.playerGone}</Text>}
        {player && <Text size="sm">{text.level(player.ClassName, player.Level)}</Text>}
        {about.UserName && (
          <Text size="sm" component="div">
            {text.account} <AccountLink name={about.UserName} />
          </Text>
        )}
        {player && (
          <Text size="sm" c="dimmed" component="div">
            {player.Online ? (
              [text.online, player.ServerName, player.MapName].filter(Boolean).join(" · ")
            ) : (
              <>
                {text.lastOnline} <When at={player.LastOnline} span />
              </>
            )}
          </Text>
        )}
        {inForce.length > 0 ? (
          <Group gap="xs">
            {inForce.map((one) => (
              <SanctionBadge key={one.Id} sanction={one} />
            ))}
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {text.none}
          </Text>
        )}
      </Stack>
    </Card>
  );
}
