import type { ChatLine } from "@gamekeeper/client";
import { Button, Group, Paper, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconGavel } from "@tabler/icons-react";
import { SanctionComposer } from "~/parts/sanctions/SanctionComposer";
import type { Target } from "~/parts/sanctions/target";
import classes from "./chat.module.css";
import { text } from "./text";

interface EvidenceBarProps {
  lines: ChatLine[];
  target: Target;
  onChange: (lines: ChatLine[]) => void;
}

/** How many messages are selected, and the sanction that they are the evidence of. */
export function EvidenceBar({ lines, target, onChange }: EvidenceBarProps) {
  const [opened, composer] = useDisclosure(false);
  const ordered = lines.toSorted((one, other) => one.SaidAt.localeCompare(other.SaidAt));
  return (
    <Paper withBorder className={classes.bar}>
      <Group justify="space-between" gap="sm">
        <Text fw={600} aria-live="polite">
          {text.evidence.selected(lines.length)}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={() => onChange([])}>
            {text.evidence.clear}
          </Button>
          <Button leftSection={<IconGavel size={18} />} onClick={composer.open}>
            {text.evidence.use}
          </Button>
        </Group>
      </Group>
      <SanctionComposer
        opened={opened}
        onClose={composer.close}
        target={target}
        excerpt={ordered}
        onDone={() => onChange([])}
      />
    </Paper>
  );
}
