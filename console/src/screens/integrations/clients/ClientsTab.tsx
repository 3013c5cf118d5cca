import type { CreatedOpenIdClient, OpenIdClient } from "@gamekeeper/client";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { grouped } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { ClientForm } from "./ClientForm";
import { ClientSheet } from "./ClientSheet";
import { kindOf } from "./draft";
import { SecretOnce } from "./SecretOnce";
import { text } from "./text";
import { scopesInWords } from "./words";

const COLUMNS: Column<OpenIdClient>[] = [
  {
    key: "name",
    title: text.name,
    cell: (client) => (
      <Text size="sm" fw={600}>
        {client.Name}
      </Text>
    ),
  },
  {
    key: "kind",
    title: text.kind,
    secondary: true,
    cell: (client) => <Text size="sm">{text.kinds[kindOf(client)]}</Text>,
  },
  {
    key: "may",
    title: text.may,
    secondary: true,
    cell: (client) => <Text size="sm">{scopesInWords(client.Scopes) || text.scopes.openid}</Text>,
  },
  {
    key: "today",
    title: text.today,
    numeric: true,
    cell: (client) => <Text size="sm">{grouped(client.SignIns)}</Text>,
  },
  {
    key: "used",
    title: text.used,
    cell: (client) =>
      client.UsedAt ? (
        <When at={client.UsedAt} size="sm" />
      ) : (
        <Text size="sm" c="dimmed">
          {text.never}
        </Text>
      ),
  },
];

/** The websites and programs at which players sign in with their account. */
export function ClientsTab() {
  const { client: open } = useSearch({ from: "/integrations" });
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const [created, setCreated] = useState<CreatedOpenIdClient | null>(null);
  const clients = useQuery(get("/api/v1/openid-clients"));
  const go = (client?: string) =>
    void navigate({ to: "/integrations", search: { tab: "sign-in", ...(client && { client }) } });
  // A launcher has no secret: its page has all that it needs.
  const onCreated = (made: CreatedOpenIdClient) => (made.IsPublic ? go(made.Id) : setCreated(made));
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {text.make}
    </Button>
  );

  return (
    <Answered query={clients}>
      {({ Issuer, Values }) => (
        <Stack>
          {!Issuer && (
            <Alert color="yellow" icon={<IconAlertTriangle />}>
              {text.off}
            </Alert>
          )}
          {Values.length === 0 ? (
            <Empty title={text.none} hint={text.noneHint} action={make} />
          ) : (
            <>
              <Group justify="space-between">
                <Text c="dimmed" size="sm">
                  {text.hint}
                </Text>
                {make}
              </Group>
              <DataTable
                label={text.label}
                columns={COLUMNS}
                rows={Values}
                rowKey={(client) => client.Id}
                onOpen={(client) => go(client.Id)}
              />
            </>
          )}
          {open && <ClientSheet id={open} issuer={Issuer} onClose={() => go()} />}
          {making && (
            <ClientForm client={null} onClose={() => setMaking(false)} onCreated={onCreated} />
          )}
          {created && (
            <SecretOnce
              client={created}
              issuer={Issuer}
              onClose={() => {
                setCreated(null);
                go(created.Id);
              }}
            />
          )}
        </Stack>
      )}
    </Answered>
  );
}
