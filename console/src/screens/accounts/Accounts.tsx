import type { User } from "@gamekeeper/client";
import { Badge, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconBan, IconMessageOff, IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { duration, grouped } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { Page } from "~/parts/Page";
import { Pager } from "~/parts/Pager";
import { AccountLink } from "~/parts/people";
import { SavedFilters } from "~/parts/saved/SavedFilters";
import { Answered, Empty, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { useTyping } from "~/typing";
import { text } from "./text";
import { type Accounts as Found, PAGE_SIZE, useAccounts } from "./useAccounts";

const COLUMNS: Column<User>[] = [
  { key: "name", title: text.table.name, cell: (one) => <AccountLink name={one.Name} /> },
  { key: "state", title: text.table.state, cell: (one) => <State user={one} /> },
  {
    key: "email",
    title: text.table.email,
    secondary: true,
    cell: (one) => <Text size="sm">{one.Email}</Text>,
  },
  {
    key: "powers",
    title: text.table.powers,
    secondary: true,
    cell: (one) => (
      <Text size="sm" c="dimmed">
        {powersOf(one).join(", ")}
      </Text>
    ),
  },
  {
    key: "registered",
    title: text.table.registered,
    secondary: true,
    cell: (one) => <When at={one.RegistrationDate} />,
  },
  {
    key: "played",
    title: text.table.played,
    numeric: true,
    cell: (one) => (one.PlayTimeSeconds > 0 ? duration(one.PlayTimeSeconds) : "–"),
  },
];

/** Every account by page, and a search by name, email or id. */
export function Accounts() {
  const mayQuery = useMay("users.query");
  return mayQuery ? (
    <List />
  ) : (
    <Page title={text.title}>
      <Forbidden scope="users.query" />
    </Page>
  );
}

function List() {
  const { search = "", page = 0 } = useSearch({ from: "/accounts" });
  const navigate = useNavigate();
  const seesEmails = useMay("users.personal");
  const accounts = useAccounts(search, page);
  const type = useTyping((typed: string) => {
    const wanted = typed.trim();
    void navigate({ to: "/accounts", search: wanted ? { search: wanted } : {}, replace: true });
  }, 200);
  const total = accounts.data?.total;

  return (
    <Page
      title={text.title}
      beside={
        total != null && (
          <Text span c="dimmed" size="lg">
            {grouped(total)}
          </Text>
        )
      }
      filters={
        <Group gap="sm" align="flex-start">
          <TextInput
            aria-label={text.search}
            placeholder={seesEmails ? text.searchHint : text.searchHintMasked}
            description={seesEmails ? undefined : text.masked}
            inputWrapperOrder={["input", "description"]}
            leftSection={<IconSearch size={16} />}
            defaultValue={search}
            maxLength={64}
            w={420}
            maw="100%"
            type="search"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => type(event.currentTarget.value)}
          />
          <SavedFilters list="accounts" />
        </Group>
      }
    >
      <Answered query={accounts}>
        {(found) => <Table found={found} search={search} page={page} />}
      </Answered>
    </Page>
  );
}

function Table({ found, search, page }: { found: Found; search: string; page: number }) {
  const navigate = useNavigate();
  if (found.users.length === 0 && found.total === null) {
    return <Empty title={text.none} hint={text.noneHint} />;
  }
  if (found.total === 0) return <Empty title={text.empty} hint={text.emptyHint} />;
  return (
    <Stack>
      {search.length === 1 && <Text c="dimmed">{text.short}</Text>}
      <DataTable
        label={text.table.label}
        columns={COLUMNS}
        rows={found.users}
        rowKey={(one) => one.Id}
        onOpen={(one) => void navigate({ to: "/accounts/$key", params: { key: one.Name } })}
      />
      {found.more && <Text c="dimmed">{text.more}</Text>}
      {found.total !== null && found.total > PAGE_SIZE && (
        <Pager
          page={page}
          pageSize={PAGE_SIZE}
          total={found.total}
          onPage={(next) => void navigate({ to: "/accounts", search: { page: next } })}
        />
      )}
    </Stack>
  );
}

function State({ user }: { user: User }) {
  return (
    <Group gap={6}>
      {user.IsBanned && (
        <Badge variant="outline" color="red" leftSection={<IconBan size={12} />} c="var(--gk-loss)">
          {text.banned}
        </Badge>
      )}
      {user.IsMuted && (
        <Badge
          variant="outline"
          color="yellow"
          leftSection={<IconMessageOff size={12} />}
          c="var(--gk-changed)"
        >
          {text.muted}
        </Badge>
      )}
    </Group>
  );
}

function powersOf(user: User): string[] {
  return Object.entries(user.Power)
    .filter(([, has]) => has)
    .map(([power]) => power);
}
