import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { Page } from "~/parts/Page";
import { Forbidden, Loading } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { useMe } from "~/session";
import { TABS, type Tab, tabOf } from "./tabs";
import { text } from "./text";

const NAMES = Object.fromEntries(TABS.map(({ tab, label }) => [tab, label])) as Record<Tab, string>;

/** Work for many players at once: a tab for each kind of it. */
export function LiveOps() {
  const { Scopes } = useMe();
  const open = tabOf(useSearch({ from: "/live-ops" }).tab, Scopes);
  const navigate = useNavigate();
  const mine = TABS.filter(({ scope }) => Scopes.includes(scope));

  return (
    <Page title={text.title}>
      <Tabs
        value={open}
        keepMounted={false}
        onChange={(next) => {
          const wanted = TABS.find(({ tab }) => tab === next)?.tab;
          void navigate({ to: "/live-ops", search: wanted ? { tab: wanted } : {} });
        }}
      >
        <TabBar label={text.tabsLabel} tabs={mine.map(({ tab }) => tab)} names={NAMES} />
        {mine.map(({ tab, panel: Panel }) => (
          <Tabs.Panel key={tab} value={tab}>
            <Suspense fallback={<Loading />}>
              <Panel />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
      {TABS.filter(({ tab, scope }) => tab === open && !Scopes.includes(scope)).map(({ scope }) => (
        <Forbidden key={scope} scope={scope} />
      ))}
    </Page>
  );
}
