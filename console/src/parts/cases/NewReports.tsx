import { Button, Group, Paper, Text } from "@mantine/core";
import { IconFlag } from "@tabler/icons-react";
import classes from "./NewReports.module.css";
import { text } from "./text";

/** That reports arrived since the page was loaded; they are shown when the reader asks. */
export function NewReports({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className={classes.status}>
      {count > 0 && (
        <Paper withBorder className={classes.note}>
          <Group gap="sm" wrap="nowrap">
            <IconFlag size={18} aria-hidden="true" />
            <Text size="sm" fw={600}>
              {text.newReports(count)}
            </Text>
            <Button size="compact-md" onClick={onShow}>
              {text.show}
            </Button>
          </Group>
        </Paper>
      )}
    </div>
  );
}
