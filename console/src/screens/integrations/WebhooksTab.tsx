import type { Webhook, WebhookWithSecret } from "@gamekeeper/client";
import { Button, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { OnceSecret } from "./OnceSecret";
import { text } from "./text";
import { WebhookSheet } from "./WebhookSheet";
import { WebhookView } from "./WebhookView";
import { HookState, kindsInWords } from "./webhook";

const COLUMNS: Column<Webhook>[] = [
  {
    key: "address",
    title: text.hooks.address,
    cell: (hook) => (
      <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        {hook.Url}
      </Text>
    ),
  },
  { key: "state", title: text.hooks.state, cell: (hook) => <HookState hook={hook} /> },
  {
    key: "kinds",
    title: text.hooks.kinds,
    secondary: true,
    cell: (hook) => <Text size="sm">{kindsInWords(hook.Kinds)}</Text>,
  },
  {
    key: "owner",
    title: text.hooks.owner,
    secondary: true,
    cell: (hook) => <Text size="sm">{hook.OwnerName ?? text.hooks.nobody}</Text>,
  },
  {
    key: "made",
    title: text.hooks.made,
    secondary: true,
    cell: (hook) => <When at={hook.CreatedAt} size="sm" />,
  },
];

/** The webhooks with their states, or one of them. */
export function WebhooksTab() {
  const { webhook } = useSearch({ from: "/integrations" });
  return webhook ? <WebhookView id={webhook} /> : <WebhookList />;
}

function WebhookList() {
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const mayFollow = useMay("events.read");
  const hooks = useQuery(get("/api/v1/webhooks"));
  const open = (id: string) =>
    void navigate({ to: "/integrations", search: { tab: "webhooks", webhook: id } });
  const make = (
    <Tooltip label={text.hooks.mayNot} disabled={mayFollow}>
      <Button
        leftSection={<IconPlus size={16} />}
        data-disabled={!mayFollow || undefined}
        aria-disabled={!mayFollow}
        onClick={() => mayFollow && setMaking(true)}
      >
        {text.hooks.make}
      </Button>
    </Tooltip>
  );
  return (
    <Stack>
      <Answered query={hooks}>
        {({ Values }) =>
          Values.length === 0 ? (
            <Empty title={text.hooks.none} hint={text.hooks.noneHint} action={make} />
          ) : (
            <>
              <Group justify="flex-end">{make}</Group>
              <DataTable
                label={text.hooks.label}
                columns={COLUMNS}
                rows={Values}
                rowKey={(hook) => hook.Id}
                onOpen={(hook) => open(hook.Id)}
              />
            </>
          )
        }
      </Answered>
      {making && (
        <WebhookSheet hook={null} onClose={() => setMaking(false)} onCreated={setCreated} />
      )}
      {created && (
        <OnceSecret
          title={text.hooks.secretTitle}
          secret={created.Secret}
          onClose={() => open(created.Id)}
        >
          <Text size="sm">{text.hooks.secretHint}</Text>
        </OnceSecret>
      )}
    </Stack>
  );
}
