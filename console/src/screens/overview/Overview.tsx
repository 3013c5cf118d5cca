import { Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { get } from "~/api";
import { Page } from "~/parts/Page";
import { Answered, Loading } from "~/parts/states";
import { When } from "~/parts/When";
import { ActionHours } from "./ActionHours";
import { Numbers } from "./Numbers";
import { OnlineCurve } from "./OnlineCurve";
import classes from "./Overview.module.css";
import { ServerList } from "./ServerList";
import { Summary } from "./Summary";
import { SupplyList } from "./SupplyList";
import { text } from "./text";
import { Warnings } from "./Warnings";

// The end of the page, with the sentences of all kinds: the first screen must be small.
const StaffActions = lazy(() => import("./StaffActions"));

/** What is going on in the game, within ten seconds. */
export function Overview() {
  const overview = useQuery(get("/api/v1/overview"));
  const at = overview.data?.At;
  return (
    <Page
      title={text.title}
      action={
        at && (
          <Text size="sm" c="dimmed">
            <When at={at} />
          </Text>
        )
      }
    >
      <Answered query={overview} loading={<Loading rows={4} height={120} />}>
        {(data) => {
          const may = (part: string) => data.Shown.includes(part);
          return (
            <>
              <Summary data={data} />
              {data.Alerts.length > 0 && <Warnings alerts={data.Alerts} />}
              <Numbers data={data} />
              <div className={classes.grid}>
                <Paper withBorder p="md">
                  <OnlineCurve online={data.Online} />
                </Paper>
                <ServerList servers={data.Servers} />
                {may("actions") && (
                  <Paper withBorder p="md">
                    <ActionHours hours={data.Actions} until={new Date(data.At)} />
                  </Paper>
                )}
                {may("supply") && <SupplyList supply={data.Supply} />}
              </div>
              {may("staff_actions") && (
                <Suspense fallback={<Loading rows={data.StaffActions.length} />}>
                  <StaffActions actions={data.StaffActions} />
                </Suspense>
              )}
            </>
          );
        }}
      </Answered>
    </Page>
  );
}
