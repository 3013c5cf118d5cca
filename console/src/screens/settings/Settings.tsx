import { Badge, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "~/parts/Page";
import { Forbidden } from "~/parts/states";
import { TabBar } from "~/parts/TabBar";
import { useMay } from "~/session";
import { text as common } from "~/text";
import { useWaiting } from "~/waiting";
import { AboutTab } from "./AboutTab";
import { ApprovalsTab } from "./ApprovalsTab";
import { HealthTab } from "./health/HealthTab";
import { RolesTab } from "./RolesTab";
import { StaffTab } from "./StaffTab";
import { TABS } from "./search";
import { text } from "./text";

/** Who may do what, what waits for a second pair of eyes, and how the service is set up. */
export function Settings() {
  const mayRead = useMay("staff.read");
  const mayManage = useMay("staff.manage");
  const { tab = mayRead ? "staff" : "about" } = useSearch({ from: "/settings" });
  const navigate = useNavigate();
  const { approvals: waiting } = useWaiting();
  return (
    <Page title={text.title}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const wanted = TABS.find((one) => one === next);
          void navigate({ to: "/settings", search: wanted ? { tab: wanted } : {} });
        }}
      >
        <TabBar
          label={text.tabsLabel}
          tabs={TABS}
          names={text.tabs}
          beside={(one) =>
            one === "approvals" && waiting ? (
              <Badge
                c="var(--gk-on-accent)"
                size="sm"
                circle={waiting < 10}
                aria-label={common.approvalsWaiting(waiting)}
              >
                {waiting}
              </Badge>
            ) : null
          }
        />
        <Tabs.Panel value="staff">
          {mayRead ? <StaffTab /> : <Forbidden scope="staff.read" />}
        </Tabs.Panel>
        <Tabs.Panel value="roles">
          {mayRead ? <RolesTab /> : <Forbidden scope="staff.read" />}
        </Tabs.Panel>
        <Tabs.Panel value="approvals">
          <ApprovalsTab />
        </Tabs.Panel>
        <Tabs.Panel value="health">
          {mayManage ? <HealthTab /> : <Forbidden scope="staff.manage" />}
        </Tabs.Panel>
        <Tabs.Panel value="about">
          <AboutTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
