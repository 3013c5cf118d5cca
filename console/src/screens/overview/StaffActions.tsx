import type { AuditLogEntry } from "@gamekeeper/client";
import { Anchor, Paper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ActionSentence } from "~/parts/actions/ActionSentence";
import { KindMark } from "~/parts/actions/KindMark";
import { When } from "~/parts/When";
import classes from "./Overview.module.css";
import { text } from "./text";

/** The last things that staff did. */
export default function StaffActions({ actions }: { actions: AuditLogEntry[] }) {
  const known = new Map(actions.map((action) => [action.Id, action]));
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} mb={4}>
        {text.staff}
      </Title>
      {actions.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.noStaff}
        </Text>
      )}
      <ul className={classes.list}>
        {actions.map((action) => (
          <li key={action.Id} className={classes.row}>
            <KindMark entry={action} />
            <div className={classes.grow}>
              <ActionSentence entry={action} known={known} />
            </div>
            <Anchor
              size="xs"
              c="dimmed"
              renderRoot={(props) => <Link to="/actions" search={{ id: action.Id }} {...props} />}
            >
              <When at={action.At} />
            </Anchor>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
