import { Box, Group, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconPlugConnectedX, IconServer2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "~/api";
import { compact } from "~/format";
import { useFollow, useIsLive } from "~/live";
import { Sparkline } from "~/parts/Sparkline";
import { useNow } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "~/text";

const EVERY = 15_000;
/** As old as this, what the strip shows is no longer how the game is. */
const STALE = 60_000;

/** The game at a glance: who plays, on how many servers, and what is wrong. */
export default function LiveStrip() {
  useFollow(useMay("events.read"));
  const isLive = useIsLive();
  const now = useNow();
  const { data, dataUpdatedAt } = useQuery({ ...get("/api/v1/overview"), refetchInterval: EVERY });
  if (!data) return null;
  const { Online, Servers, Alerts } = data;
  const isStale = now.getTime() - dataUpdatedAt > STALE;
  const curve = Online.Curve.map((point) => point.Average);
  const how = isLive ? text.live.stream : text.live.polled(EVERY / 1000);
  return (
    <Group gap="md" wrap="nowrap" component="section" aria-label={text.live.label}>
      {isStale && (
        <Tooltip label={text.live.staleHint}>
          <Group gap={4} wrap="nowrap" c="var(--gk-changed)" role="status">
            <IconPlugConnectedX size={16} aria-hidden="true" />
            <Text size="sm" fw={600}>
              {text.live.stale}
            </Text>
          </Group>
        </Tooltip>
      )}
      <Tooltip label={`${text.live.onlineHint(Online.Now, highest(curve))} ${how}`}>
        <UnstyledButton component={Link} to="/" opacity={isStale ? 0.6 : 1}>
          <Group gap={6} wrap="nowrap">
            <Box component="span" visibleFrom="sm" lh={0}>
              <Sparkline values={curve} />
            </Box>
            <Text size="sm" fw={600}>
              {compact(Online.Now)}
            </Text>
            <Text size="sm" c="dimmed">
              {text.live.online}
            </Text>
          </Group>
        </UnstyledButton>
      </Tooltip>
      <UnstyledButton component={Link} to="/servers" visibleFrom="md">
        <Group gap={4} wrap="nowrap">
          <IconServer2 size={16} aria-hidden="true" />
          <Text size="sm">
            {Servers.Alive}/{Servers.Total - Servers.Stopped} {text.live.servers}
          </Text>
        </Group>
      </UnstyledButton>
      {Alerts.length > 0 && (
        <UnstyledButton
          component={Link}
          to="/"
          hash="warnings"
          aria-label={text.live.warnings(Alerts.length)}
        >
          <Group gap={4} wrap="nowrap" c="var(--gk-changed)">
            <IconAlertTriangle size={16} aria-hidden="true" />
            <Text size="sm" fw={600}>
              {Alerts.length}
            </Text>
          </Group>
        </UnstyledButton>
      )}
    </Group>
  );
}

function highest(curve: number[]): number {
  return Math.round(Math.max(0, ...curve));
}
