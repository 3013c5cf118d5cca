import type { AccountIdentities, FormerIdentity, LinkedIdentity, User } from "@gamekeeper/client";
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconLinkPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { Answered, Empty, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { LinkIdentitySheet } from "./LinkIdentitySheet";
import { serviceOf } from "./services";
import { text } from "./text";
import { UnlinkIdentitySheet } from "./UnlinkIdentitySheet";

const words = text.identities;

const service = <T extends LinkedIdentity | FormerIdentity>(): Column<T> => ({
  key: "service",
  title: words.service,
  cell: (one) => <Text size="sm">{serviceOf(one.Issuer)}</Text>,
});

const person = <T extends LinkedIdentity | FormerIdentity>(): Column<T> => ({
  key: "name",
  title: words.name,
  cell: (one) => (
    <>
      <Text size="sm">{one.DisplayName ?? words.noName}</Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {one.Subject}
      </Text>
    </>
  ),
});

const columns = (unlink: (one: LinkedIdentity) => void): Column<LinkedIdentity>[] => [
  service(),
  person(),
  {
    key: "linked",
    title: words.linked,
    secondary: true,
    cell: (one) => <When at={one.LinkedAt} />,
  },
  {
    key: "used",
    title: words.used,
    secondary: true,
    cell: (one) => (one.LastUsedAt ? <When at={one.LastUsedAt} /> : words.never),
  },
  {
    key: "unlink",
    title: words.actions,
    cell: (one) => (
      <Button size="compact-sm" variant="default" onClick={() => unlink(one)}>
        {words.unlink}
      </Button>
    ),
  },
];

const FORMER: Column<FormerIdentity>[] = [
  service(),
  person(),
  {
    key: "linked",
    title: words.linked,
    secondary: true,
    cell: (one) => <When at={one.LinkedAt} />,
  },
  { key: "unlinked", title: words.unlinked, cell: (one) => <When at={one.UnlinkedAt} /> },
];

/** The account's identities at Discord, Steam and OpenID issuers. */
export function IdentitiesTab({ user }: { user: User }) {
  const may = useMay("identities.manage");
  const identities = useQuery({
    ...get("/api/v1/users/{key}/identities", { params: { path: { key: user.Id } } }),
    enabled: may,
  });
  if (!may) return <Forbidden scope="identities.manage" />;
  return (
    <Answered query={identities}>{(found) => <Found user={user} identities={found} />}</Answered>
  );
}

function Found({ user, identities }: { user: User; identities: AccountIdentities }) {
  const [linking, setLinking] = useState(false);
  const [unlinked, setUnlinked] = useState<LinkedIdentity | null>(null);
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
          <Button
            variant="default"
            leftSection={<IconLinkPlus size={16} />}
            onClick={() => setLinking(true)}
          >
            {words.link}
          </Button>
        </Group>
        {identities.Values.length === 0 ? (
          <Empty title={words.none} hint={words.noneHint} />
        ) : (
          <DataTable
            label={words.title}
            columns={columns(setUnlinked)}
            rows={identities.Values}
            rowKey={(one) => one.Id}
          />
        )}
      </Stack>
      <Former identities={identities.Former} />
      {linking && <LinkIdentitySheet user={user} onClose={() => setLinking(false)} />}
      {unlinked && (
        <UnlinkIdentitySheet
          user={user}
          identity={unlinked}
          service={serviceOf(unlinked.Issuer)}
          onClose={() => setUnlinked(null)}
        />
      )}
    </Stack>
  );
}

function Former({ identities }: { identities: FormerIdentity[] }) {
  if (identities.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={words.former}>
      <div>
        <Title order={2}>{words.former}</Title>
        <Text size="sm" c="dimmed">
          {words.formerHint}
        </Text>
      </div>
      <DataTable
        label={words.former}
        columns={FORMER}
        rows={identities}
        rowKey={(one) => `${one.Issuer} ${one.Subject}`}
      />
    </Stack>
  );
}
