import type { LinkedAccounts, SeenClient } from "@gamekeeper/client";
import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { AccessBanSheet } from "~/parts/access/AccessBanSheet";
import { type Column, DataTable } from "~/parts/DataTable";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "./text";

const words = text.linked;

const columns = (ban: ((one: SeenClient) => void) | null): Column<SeenClient>[] => [
  {
    key: "what",
    title: words.what,
    cell: (one) => (
      <Group gap="xs">
        <Text size="sm">{nameOf(one)}</Text>
        {one.IsShared && <Badge color="gray">{words.sharedBadge}</Badge>}
        {one.IsBanned && <Badge color="red">{words.banned}</Badge>}
      </Group>
    ),
  },
  { key: "days", title: words.daysUsed, numeric: true, cell: (one) => one.Days },
  {
    key: "accounts",
    title: words.accounts,
    numeric: true,
    secondary: true,
    cell: (one) => one.Accounts,
  },
  {
    key: "last",
    title: words.last,
    secondary: true,
    cell: (one) => <When at={one.LastSeen} />,
  },
  ...(ban
    ? [
        {
          key: "ban",
          title: words.actions,
          cell: (one: SeenClient) =>
            (one.Device || one.Address) && !one.IsBanned ? (
              <Button size="compact-sm" variant="default" onClick={() => ban(one)}>
                {words.banThis}
              </Button>
            ) : null,
        },
      ]
    : []),
];

function nameOf(one: SeenClient): string {
  return one.Device ? words.device(one.Device.slice(0, 8)) : (one.Address ?? words.hidden);
}

/** The devices and addresses that the account itself was used from. */
export function SeenClients({ linked }: { linked: LinkedAccounts }) {
  const may = useMay("sanctions.access");
  const [banned, setBanned] = useState<SeenClient | null>(null);
  if (linked.Seen.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={words.seen}>
      <Title order={2}>{words.seen}</Title>
      <DataTable
        label={words.seen}
        columns={columns(may ? setBanned : null)}
        rows={linked.Seen}
        rowKey={(one) => `${one.By}${one.Device ?? one.FirstSeen}`}
      />
      {banned && (
        <AccessBanSheet
          name={nameOf(banned)}
          device={banned.Device}
          range={banned.Address}
          onClose={() => setBanned(null)}
        />
      )}
    </Stack>
  );
}
