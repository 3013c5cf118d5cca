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
import { SanctionSheet } from "./SanctionSheet";
import { SanctionsTab } from "./SanctionsTab";
import { TABS } from "./search";
import { TemplatesTab } from "./TemplatesTab";
import { text } from "./text";

/** Sanctions in force, the appeals that wait, and the templates. */
export function Moderation() {
  const { tab = "sanctions" } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const mayRead = useMay("sanctions.read");
  const { appeals: waiting } = useWaiting();

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
            beside={(one) =>
              one === "appeals" && waiting ? (
                <Badge size="sm" circle={waiting < 10} aria-label={common.appealsWaiting(waiting)}>
                  {waiting}
                </Badge>
              ) : null
            }
          />
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
