import { Alert, Text } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { itemQuery } from "~/items";
import { useMe } from "~/session";
import { LIMITS } from "./limits";
import { type Charge, limitNotice } from "./usage";

/** Whether a change exceeds one's limits, before it is sent; otherwise what is left of them. */
export function LimitNotice({ charge }: { charge: Charge }) {
  const { Limits } = useMe();
  const isLimited = LIMITS.some((limit) => Limits[limit] !== null);
  const items = [...new Set(charge.pieces?.map(({ item }) => item))];
  const usage = useQuery({ ...get("/api/v1/me/usage"), enabled: isLimited });
  const entries = useQueries({
    queries: items.map((item) => ({ ...itemQuery(item), enabled: Limits.ValuePerDay !== null })),
  });
  if (!isLimited || !usage.data) return null;
  const values = new Map(entries.map(({ data }) => [data?.Id, data?.Value ?? 0]));
  const worthOf = (item: string) => values.get(item) ?? 0;
  const { isBeyond, lines } = limitNotice(Limits, usage.data, charge, worthOf);
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
