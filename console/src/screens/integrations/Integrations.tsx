import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "~/parts/Page";
import { Forbidden } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { useMay } from "~/session";
import { ApiTab } from "./ApiTab";
import { ClientsTab } from "./clients/ClientsTab";
import { KeysTab } from "./KeysTab";
import { TABS } from "./search";
import { text } from "./text";
import { WebhooksTab } from "./WebhooksTab";

/** How other programs work with this service: keys, webhooks, the API itself. */
export function Integrations() {
  const mayKeys = useMay("keys.manage");
  const mayHooks = useMay("webhooks");
  const { tab = mayKeys ? "keys" : "webhooks" } = useSearch({ from: "/integrations" });
  const navigate = useNavigate();
  return (
    <Page title={text.title}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const wanted = TABS.find((one) => one === next);
          void navigate({ to: "/integrations", search: wanted ? { tab: wanted } : {} });
        }}
      >
        <TabBar label={text.tabsLabel} tabs={TABS} names={text.tabs} />
        <Tabs.Panel value="keys">
          {mayKeys ? <KeysTab /> : <Forbidden scope="keys.manage" />}
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          {mayHooks ? <WebhooksTab /> : <Forbidden scope="webhooks" />}
        </Tabs.Panel>
        <Tabs.Panel value="sign-in">
          {mayKeys ? <ClientsTab /> : <Forbidden scope="keys.manage" />}
        </Tabs.Panel>
        <Tabs.Panel value="api">
          <ApiTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
