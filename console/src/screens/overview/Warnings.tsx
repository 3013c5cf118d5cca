import type { Alert } from "@gamekeeper/client";
import { Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconChevronRight } from "@tabler/icons-react";
import { Link, type LinkProps } from "@tanstack/react-router";
import { When } from "~/parts/When";
import classes from "./Overview.module.css";
import { text } from "./text";

/** What is wrong, each with the way to where it is mended. */
export function Warnings({ alerts }: { alerts: Alert[] }) {
  return (
    <Paper withBorder p="md" className={classes.warning} id="warnings" component="section">
      <Title order={2} mb={4}>
        {text.warnings}
      </Title>
      <ul className={classes.list}>
        {alerts.map((alert) => (
          <li key={`${alert.Code} ${alert.TargetId} ${alert.Message}`}>
            <Link {...whereMended(alert)} className={classes.row}>
              <IconAlertTriangle size={18} color="var(--gk-changed)" aria-hidden="true" />
              <div className={classes.grow}>
                <Text size="sm">{alert.Message}</Text>
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {alert.Target === "webhook" && `${alert.TargetName} · `}
                  {alert.Since && (
                    <>
                      {text.since} <When at={alert.Since} /> ·{" "}
                    </>
                  )}
                  {text.mend[alert.Target]}
                </Text>
              </div>
              <IconChevronRight size={16} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Paper>
  );
}

function whereMended({ Target, TargetId, TargetName }: Alert): LinkProps {
  switch (Target) {
    case "server":
      return { to: "/servers/$server", params: { server: TargetName ?? TargetId ?? "" } };
    case "webhook":
      return { to: "/integrations" };
    case "item":
      return { to: "/economy/$item", params: { item: TargetId ?? "" } };
    case "economy":
      return { to: "/economy", search: { tab: "findings" } };
    case "chain":
      return { to: "/actions" };
    case "worker":
      return { to: "/settings", search: { tab: "health" } };
  }
}
