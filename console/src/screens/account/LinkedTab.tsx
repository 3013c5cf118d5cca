import type { AccountLink as Link, LinkedAccount, LinkedAccounts, User } from "@gamekeeper/client";
import { Alert, Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { AccountLink } from "~/parts/people";
import { Answered, Empty, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { BanLinkedSheet } from "./BanLinkedSheet";
import { SeenClients } from "./SeenClients";
import { serviceOf } from "./services";
import { text } from "./text";

const words = text.linked;
const COLORS = { strong: "red", likely: "yellow", weak: "gray" } as const;

const COLUMNS: Column<LinkedAccount>[] = [
  {
    key: "account",
    title: words.account,
    cell: (one) => (
      <Group gap="xs">
        <AccountLink name={one.UserName} />
        {one.IsBanned && <Badge color="gray">{words.banned}</Badge>}
      </Group>
    ),
  },
  {
    key: "strength",
    title: words.strength,
    cell: (one) => (
      <Badge color={COLORS[one.Strength]} variant="light" autoContrast miw="max-content">
        {words.strengths[one.Strength]}
      </Badge>
    ),
  },
  {
    key: "why",
    title: words.why,
    cell: (one) => (
      <Stack gap={2}>
        {one.Links.map((link) => (
          <Text size="sm" key={`${link.By}${link.Device ?? link.FirstSeen}`}>
            {linkInWords(link)}
          </Text>
        ))}
      </Stack>
    ),
  },
  {
    key: "last",
    title: words.last,
    secondary: true,
    cell: (one) => <When at={one.Links[0]?.LastSeen ?? ""} />,
  },
];

/** What two accounts share, as people say it. */
function linkInWords(link: Link): string {
  const what = words.same[link.By];
  if (link.By === "payment") {
    return `${what} ${words.onDays(link.DaysInCommon)}${link.IsShared ? words.shared(link.Accounts) : ""}`;
  }
  const shared = link.IsShared ? words.shared(link.Accounts) : "";
  if (link.By === "identity") return `${what} ${serviceOf(link.Issuer ?? "")}${shared}`;
  const address = link.Address ? ` ${link.Address}` : "";
  return `${what}${address}${shared}, ${words.days(link.DaysInCommon)}`;
}

/** Other accounts of the same person, as far as devices, addresses, payments and identities tell. */
export function LinkedTab({ user }: { user: User }) {
  const may = useMay("users.linked");
  const linked = useQuery({
    ...get("/api/v1/users/{key}/linked", { params: { path: { key: user.Id } } }),
    enabled: may,
  });
  if (!may) return <Forbidden scope="users.linked" />;
  return <Answered query={linked}>{(found) => <Found linked={found} />}</Answered>;
}

function Found({ linked }: { linked: LinkedAccounts }) {
  const [opened, setOpened] = useState(false);
  const mayBan = useMay("sanctions.manage");
  return (
    <Stack gap="lg">
      <Stack gap="xs" component="section" aria-label={words.title}>
        <Group justify="space-between">
          <div>
            <Title order={2}>{words.title}</Title>
            <Text size="sm" c="dimmed">
              {words.hint}
            </Text>
          </div>
          {mayBan && linked.Values.length > 0 && (
            <Button color="red" variant="light" onClick={() => setOpened(true)}>
              {words.banAll}
            </Button>
          )}
        </Group>
        {linked.IsCut && <Alert color="blue">{words.cut}</Alert>}
        {linked.Values.length === 0 ? (
          <Empty title={words.none} hint={words.noneHint} />
        ) : (
          <DataTable
            label={words.title}
            columns={COLUMNS}
            rows={linked.Values}
            rowKey={(one) => one.UserId}
          />
        )}
      </Stack>
      <SeenClients linked={linked} />
      {opened && <BanLinkedSheet linked={linked} onClose={() => setOpened(false)} />}
    </Stack>
  );
}
