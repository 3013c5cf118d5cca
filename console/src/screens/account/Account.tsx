import type { User } from "@gamekeeper/client";
import { Group, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { CopyId } from "~/parts/CopyId";
import { EverythingButton } from "~/parts/everything/EverythingButton";
import { Page } from "~/parts/Page";
import { ImposeButton } from "~/parts/sanctions/ImposeButton";
import { NoteList } from "~/parts/sanctions/NoteList";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { SanctionList } from "~/parts/sanctions/SanctionList";
import { restraints, useAccountRecord } from "~/parts/sanctions/useRecord";
import { Answered, Forbidden } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { useMay } from "~/session";
import { AccountMenu } from "./AccountMenu";
import { CharactersTab } from "./CharactersTab";
import { Facts } from "./Facts";
import { IdentitiesTab } from "./IdentitiesTab";
import { LinkedTab } from "./LinkedTab";
import { OrdersTab } from "./OrdersTab";
import { RightsTab } from "./RightsTab";
import { SignInsTab } from "./SignInsTab";
import { TABS } from "./search";
import { text } from "./text";

/** One account: its characters, what it may do, where it signs in, and its record. */
export function Account() {
  const { key } = useParams({ from: "/accounts/$key" });
  const user = useQuery(get("/api/v1/users/{key}", { params: { path: { key } } }));
  const name = user.data?.Name ?? key;
  return user.data ? (
    <Known user={user.data} />
  ) : (
    <Page title={name}>
      <Answered query={user}>{() => null}</Answered>
    </Page>
  );
}

function Known({ user }: { user: User }) {
  const { tab = "characters" } = useSearch({ from: "/accounts/$key" });
  const navigate = useNavigate();
  const record = useAccountRecord(user.Name);
  const target = { userId: user.Id, userName: user.Name };
  return (
    <Page
      title={user.Name}
      beside={
        <>
          <CopyId id={user.Id} what={text.facts.id} />
          {restraints(record.data?.Values ?? []).map((one) => (
            <SanctionBadge key={one.Id} sanction={one} />
          ))}
        </>
      }
      action={
        <Group gap="xs">
          <EverythingButton whose={{ user: user.Id }} name={user.Name} />
          <ImposeButton target={target} />
          <AccountMenu user={user} />
        </Group>
      }
      filters={<Facts user={user} />}
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const wanted = TABS.find((one) => one === next);
          void navigate({
            to: "/accounts/$key",
            params: { key: user.Name },
            search: wanted ? { tab: wanted } : {},
          });
        }}
      >
        <TabBar label={text.tabsLabel} tabs={TABS} names={text.tabs} />
        <Tabs.Panel value="characters">
          <CharactersTab user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="rights">
          <RightsTab user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="sign-ins">
          <SignInsTab user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="linked">
          <LinkedTab user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="identities">
          <IdentitiesTab user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="orders">
          <OrdersTab user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="sanctions">
          <RecordOf user={user} part="sanctions" />
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <RecordOf user={user} part="notes" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function RecordOf({ user, part }: { user: User; part: "sanctions" | "notes" }) {
  const record = useAccountRecord(user.Name);
  if (!useMay("sanctions.read")) return <Forbidden scope="sanctions.read" />;
  return (
    <Answered query={record}>
      {({ Values }) =>
        part === "sanctions" ? (
          <SanctionList sanctions={Values} />
        ) : (
          <NoteList notes={Values} target={{ userId: user.Id, userName: user.Name }} />
        )
      }
    </Answered>
  );
}
