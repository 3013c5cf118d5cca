import type { CreatedKey, KeyRecord } from "@gamekeeper/client";
import { Badge, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { config } from "~/config";
import { type Column, DataTable } from "~/parts/DataTable";
import { Pager } from "~/parts/Pager";
import { summary } from "~/parts/rights/scopes";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { CodeBlock } from "./CodeBlock";
import { KeySheet } from "./KeySheet";
import { NewKeySheet } from "./NewKeySheet";
import { OnceSecret } from "./OnceSecret";
import { KEY_STATES } from "./search";
import { curlRead } from "./snippets";
import { text } from "./text";

const PAGE_SIZE = 25;

const COLUMNS: Column<KeyRecord>[] = [
  {
    key: "name",
    title: text.keys.name,
    cell: (key) => (
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {key.Name}
        </Text>
        {key.State !== "live" && <Badge variant="default">{text.keys.states[key.State]}</Badge>}
      </Group>
    ),
  },
  {
    key: "may",
    title: text.keys.may,
    secondary: true,
    cell: (key) => <Text size="sm">{summary(key.Scopes)}</Text>,
  },
  {
    key: "used",
    title: text.keys.used,
    cell: (key) =>
      key.UsedAt ? (
        <When at={key.UsedAt} size="sm" />
      ) : (
        <Text size="sm" c="dimmed">
          {text.keys.never}
        </Text>
      ),
  },
  {
    key: "expires",
    title: text.keys.expires,
    secondary: true,
    cell: (key) =>
      key.ExpiresAt ? (
        <When at={key.ExpiresAt} size="sm" />
      ) : (
        <Text size="sm" c="dimmed">
          {text.keys.untilRevoked}
        </Text>
      ),
  },
  {
    key: "made",
    title: text.keys.made,
    secondary: true,
    cell: (key) => <When at={key.CreatedAt} size="sm" />,
  },
];

/** The API keys: what each may do and when it was last used. */
export function KeysTab() {
  const { state, page = 0, key: open } = useSearch({ from: "/integrations" });
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const query = { page, pageSize: PAGE_SIZE, ...(state && { state }) };
  const keys = useQuery({
    ...get("/api/v1/keys", { params: { query } }),
    placeholderData: keepPreviousData,
  });
  const go = (next: object) =>
    void navigate({
      to: "/integrations",
      search: { tab: "keys", ...(state && { state }), ...next },
    });
  const make = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {text.keys.make}
    </Button>
  );

  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={text.keys.filter}
          value={state ?? "all"}
          data={[
            { value: "all", label: text.keys.every },
            ...KEY_STATES.map((one) => ({ value: one, label: text.keys.states[one] })),
          ]}
          onChange={(next) =>
            go({ state: KEY_STATES.find((one) => one === next), page: undefined })
          }
        />
        {make}
      </Group>
      <Answered query={keys}>
        {({ Values, Total }) =>
          Values.length === 0 ? (
            <Empty
              title={state ? text.keys.noneOf : text.keys.none}
              hint={state ? undefined : text.keys.noneHint}
            />
          ) : (
            <>
              <DataTable
                label={text.keys.label}
                columns={COLUMNS}
                rows={Values}
                rowKey={(key) => key.Id}
                onOpen={(key) => go({ key: key.Id, page })}
              />
              {Total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={Total}
                  onPage={(next) => go({ page: next })}
                />
              )}
            </>
          )
        }
      </Answered>
      {open && <KeySheet id={open} onClose={() => go({ page })} />}
      {making && <NewKeySheet onClose={() => setMaking(false)} onCreated={setCreated} />}
      {created && (
        <OnceSecret
          title={text.keys.yours(created.Name)}
          secret={created.Key}
          onClose={() => setCreated(null)}
        >
          <Text size="sm">{text.keys.use}</Text>
          <CodeBlock
            code={curlRead(location.origin + config.root, created.Key ?? "")}
            label={text.api.languages.curl}
          />
        </OnceSecret>
      )}
    </Stack>
  );
}
