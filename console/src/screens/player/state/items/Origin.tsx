import type { Slot, Trail } from "@gamekeeper/client";
import { Button, Divider, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { grouped } from "~/format";
import { momentLabel } from "~/parts/actions/kinds";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "../text";
import { OwnerLink } from "./OwnerLink";

interface OriginProps {
  playerId: string;
  held: Slot;
  /** Since when to follow it. */
  since: string;
}

/** The last changes of this item here, and, asked for, who got such items from here. */
export function Origin({ playerId, held, since }: OriginProps) {
  const may = useMay("actions.read");
  const [isFollowed, follow] = useState(false);
  const log = useQuery({
    ...get("/api/v1/actions", {
      params: { query: { player: playerId, item: held.ItemId, limit: 3, names: true } },
    }),
    enabled: may,
  });
  if (!may) return null;
  return (
    <>
      <Divider label={text.origin.title} labelPosition="left" />
      {log.isPending && <Skeleton height={32} />}
      {log.data?.Values.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.origin.none}
        </Text>
      )}
      <Stack gap={6}>
        {log.data?.Values.map((entry) => (
          <Text key={entry.Id} size="sm" lh={1.35}>
            {text.origin.entry(momentLabel(entry.Kind), entry.ActorName)}
            {entry.Reason && <>: “{entry.Reason}”</>}
            <When at={entry.At} c="dimmed" size="xs" display="block" />
          </Text>
        ))}
      </Stack>
      {isFollowed ? (
        <Followed playerId={playerId} held={held} since={since} />
      ) : (
        <Button size="compact-sm" variant="default" onClick={() => follow(true)}>
          {text.origin.trail}
        </Button>
      )}
    </>
  );
}

function Followed({ playerId, held, since }: OriginProps) {
  const bag = held.BagId;
  const ofItem = useQuery({
    ...get("/api/v1/players/{key}/items/{item_id}/trail", {
      params: { path: { key: playerId, item_id: held.ItemId }, query: { from: since } },
    }),
    enabled: bag === null,
  });
  const ofBag = useQuery({
    ...get("/api/v1/players/bag/{bag_id}/trail", { params: { path: { bag_id: bag ?? "" } } }),
    enabled: bag !== null,
  });
  const { data, error } = bag === null ? ofItem : ofBag;
  if (error) return <Text size="sm">{error.message}</Text>;
  return data ? <TrailLines trail={data} /> : <Skeleton height={32} />;
}

function TrailLines({ trail }: { trail: Trail }) {
  if (trail.Transfers.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {text.origin.trailNone}
      </Text>
    );
  }
  return (
    <Stack gap={6}>
      {trail.Transfers.slice(-4).map((transfer) => (
        <Text key={`${transfer.ActionId}${transfer.Quantity}`} size="sm" lh={1.35}>
          {text.origin.to(
            grouped(transfer.Quantity),
            transfer.Receivers.map((party) => party.Name ?? text.origin.somebody).join(", "),
          )}
          <When at={transfer.At} c="dimmed" size="xs" display="block" />
        </Text>
      ))}
      {trail.Holders.filter((holder) => holder.Name && holder.Quantity > 0).map((holder) => (
        <Text key={holder.PlayerId ?? holder.GuildId} size="sm">
          <OwnerLink owner={holder}>
            {text.origin.holds(holder.Name ?? "", grouped(holder.Quantity))}
          </OwnerLink>
        </Text>
      ))}
      {!trail.IsExact && (
        <Text size="xs" c="dimmed">
          {text.origin.inexact}
        </Text>
      )}
    </Stack>
  );
}
