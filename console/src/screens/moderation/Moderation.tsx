import { Badge, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "~/parts/Page";
import { ImposeButton } from "~/parts/sanctions/ImposeButton";
import { Forbidden } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { useMe } from "~/session";
import { text as common } from "~/text";
import { useWaiting } from "~/waiting";
import { AccessBansTab } from "./AccessBansTab";
import { AppealsTab } from "./AppealsTab";
import { ChatTab } from "./ChatTab";
import { ReportsTab } from "./ReportsTab";
import { SanctionSheet } from "./SanctionSheet";
import { SanctionsTab } from "./SanctionsTab";
import { StatisticsTab } from "./StatisticsTab";
import { SCOPES, TABS, tabOf } from "./search";
import { TemplatesTab } from "./TemplatesTab";
import { text } from "./text";

/** Reports and appeals that wait, the chat log, sanctions in force, the templates, and statistics. */
export function Moderation() {
  const { Scopes } = useMe();
  const tab = tabOf(useSearch({ from: "/moderation" }), Scopes);
  const navigate = useNavigate();
  const { appeals, cases } = useWaiting();
  const waiting: Partial<Record<string, [number, string]>> = {
    appeals: [appeals, common.appealsWaiting(appeals)],
    reports: [cases, common.casesWaiting(cases)],
  };
  const Panel = PANELS[tab];

  return (
    <Page title={text.title} action={<ImposeButton />}>
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
          tabs={TABS.filter((one) => one === tab || Scopes.includes(SCOPES[one]))}
          names={text.tabs}
          beside={(one) =>
            waiting[one] && <Waits count={waiting[one][0]} label={waiting[one][1]} />
          }
        />
        <Tabs.Panel value={tab}>
          {Scopes.includes(SCOPES[tab]) ? <Panel /> : <Forbidden scope={SCOPES[tab]} />}
        </Tabs.Panel>
      </Tabs>
      <SanctionSheet />
    </Page>
  );
}

const PANELS = {
  reports: ReportsTab,
  chat: ChatTab,
  sanctions: SanctionsTab,
  access: AccessBansTab,
  appeals: AppealsTab,
  templates: TemplatesTab,
  statistics: StatisticsTab,
};

function Waits({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <Badge size="sm" circle={count < 10} aria-label={label} role="img">
      {count}
    </Badge>
  );
}
