import { Badge, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { Page } from "~/parts/Page";
import { TabBar } from "~/parts/TabBar";
import { FindingsTab } from "./FindingsTab";
import { ItemsTab } from "./ItemsTab";
import { RulesTab } from "./RulesTab";
import { TABS } from "./search";
import { text } from "./text";

/** Every item and its supply, what was unusual, and the rules of the operator. */
export function Economy() {
  const { tab = "items" } = useSearch({ from: "/economy" });
  const navigate = useNavigate();
  const waiting = useQuery(
    get("/api/v1/economy/findings", { params: { query: { state: "open", pageSize: 1 } } }),
  ).data?.Total;
  return (
    <Page title={text.title}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const wanted = TABS.find((one) => one === next);
          const search = wanted && wanted !== "items" ? { tab: wanted } : {};
          void navigate({ to: "/economy", search });
        }}
      >
        <TabBar
          label={text.tabsLabel}
          tabs={TABS}
          names={text.tabs}
          beside={(one) =>
            one === "findings" && waiting ? (
              <Badge
                size="sm"
                circle={waiting < 10}
                aria-label={text.openFindings(waiting)}
                role="img"
              >
                {waiting}
              </Badge>
            ) : null
          }
        />
        <Tabs.Panel value="items">
          <ItemsTab />
        </Tabs.Panel>
        <Tabs.Panel value="findings">
          <FindingsTab />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <RulesTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
