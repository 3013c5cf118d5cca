import { Badge, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "~/parts/Page";
import { ImposeButton } from "~/parts/sanctions/ImposeButton";
import { Forbidden } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { useMay } from "~/session";
import { text as common } from "~/text";
import { useWaiting } from "~/waiting";
import { AccessBansTab } from "./AccessBansTab";
import { AppealsTab } from "./AppealsTab";
import { ReportsTab } from "./ReportsTab";
import { SanctionSheet } from "./SanctionSheet";
import { SanctionsTab } from "./SanctionsTab";
import { TABS, tabOf } from "./search";
import { TemplatesTab } from "./TemplatesTab";
import { text } from "./text";

/** Reports and appeals that wait, sanctions in force, and the templates. */
export function Moderation() {
  const mayReport = useMay("reports.read");
  const tab = tabOf(useSearch({ from: "/moderation" }), mayReport);
  const navigate = useNavigate();
  const mayRead = useMay("sanctions.read");
  const { appeals, cases } = useWaiting();
  const waiting = { appeals, reports: cases, sanctions: 0, access: 0, templates: 0 };
  const labels = {
    appeals: common.appealsWaiting(appeals),
    reports: common.casesWaiting(cases),
    sanctions: "",
    access: "",
    templates: "",
  };

  return (
    <Page title={text.title} action={<ImposeButton />}>
      {mayRead ? (
        <Tabs
          value={tab}
          keepMounted={false}
          onChange={(next) => {
            const wanted = TABS.find((one) => one === next);
            void navigate({ to: "/moderation", search: wanted ? { tab: wanted } : {} });
          }}
        >
          <TabBar
            label={text.tabsLabel}
            tabs={TABS}
            names={text.tabs}
            beside={(one) => <Waits count={waiting[one]} label={labels[one]} />}
          />
          <Tabs.Panel value="reports">
            {mayReport ? <ReportsTab /> : <Forbidden scope="reports.read" />}
          </Tabs.Panel>
          <Tabs.Panel value="sanctions">
            <SanctionsTab />
          </Tabs.Panel>
          <Tabs.Panel value="access">
            <AccessBansTab />
          </Tabs.Panel>
          <Tabs.Panel value="appeals">
            <AppealsTab />
          </Tabs.Panel>
          <Tabs.Panel value="templates">
            <TemplatesTab />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Forbidden scope="sanctions.read" />
      )}
      <SanctionSheet />
    </Page>
  );
}

function Waits({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <Badge size="sm" circle={count < 10} aria-label={label} role="img">
      {count}
    </Badge>
  );
}
