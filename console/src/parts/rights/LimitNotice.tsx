import { Alert, Text } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { itemQuery } from "~/items";
import { useMe } from "~/session";
import { isLimited } from "./limits";
import { type Charge, limitNotice } from "./usage";

/** What a change means for one's limits; null: one has none, or that is not known yet. */
export function useLimitNotice(charge: Charge): ReturnType<typeof limitNotice> | null {
  const { Limits } = useMe();
  const isBounded = isLimited(Limits);
  const items = [...new Set(charge.pieces?.map(({ item }) => item))];
  const usage = useQuery({ ...get("/api/v1/me/usage"), enabled: isBounded });
  const entries = useQueries({
    queries: items.map((item) => ({ ...itemQuery(item), enabled: Limits.ValuePerDay !== null })),
  });
  if (!isBounded || !usage.data) return null;
  const values = new Map(entries.map(({ data }) => [data?.Id, data?.Value ?? 0]));
  const worthOf = (item: string) => values.get(item) ?? 0;
  return limitNotice(Limits, usage.data, charge, worthOf);
}

/** Whether a change exceeds one's limits, before it is sent; otherwise what is left of them. */
export function LimitNotice({ charge }: { charge: Charge }) {
  const notice = useLimitNotice(charge);
  if (!notice) return null;
  const { isBeyond, lines } = notice;
  if (isBeyond) {
    return (
      <Alert color="yellow" icon={<IconClock />} role="status">
        {lines}
      </Alert>
    );
  }
  return lines.map((line) => (
    <Text key={line} size="sm" c="dimmed">
      {line}
    </Text>
  ));
}
