import type { ChatLine } from "@gamekeeper/client";
import { Button, Group, Paper, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconGavel, IconMessagePlus } from "@tabler/icons-react";
import { SanctionComposer } from "~/parts/sanctions/SanctionComposer";
import type { Target } from "~/parts/sanctions/target";
import classes from "./chat.module.css";
import { inOrder } from "./order";
import { text } from "./text";

interface EvidenceBarProps {
  lines: ChatLine[];
  /** Whom a sanction would be for; undefined: none can be made here. */
  target: Target | undefined;
  onChange: (lines: ChatLine[]) => void;
  /** Adds the messages to a case; undefined: the person may not. */
  onAddToCase: (() => void) | undefined;
}

const MOST_OF_SANCTION = 50;

/** How many messages are selected, and what they can be the evidence of. */
export function EvidenceBar({ lines, target, onChange, onAddToCase }: EvidenceBarProps) {
  const [opened, composer] = useDisclosure(false);
  const isTooMany = lines.length > MOST_OF_SANCTION;
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
          {onAddToCase && (
            <Button
              variant={target ? "default" : "filled"}
              leftSection={<IconMessagePlus size={18} />}
              onClick={onAddToCase}
            >
              {text.addToCase.menu}
            </Button>
          )}
          {target && (
            <Tooltip label={text.evidence.most} disabled={!isTooMany}>
              <Button
                leftSection={<IconGavel size={18} />}
                data-disabled={isTooMany || undefined}
                aria-disabled={isTooMany}
                onClick={() => isTooMany || composer.open()}
              >
                {text.evidence.use}
              </Button>
            </Tooltip>
          )}
        </Group>
      </Group>
      {target && (
        <SanctionComposer
          opened={opened}
          onClose={composer.close}
          target={target}
          excerpt={inOrder(lines)}
          onDone={() => onChange([])}
        />
      )}
    </Paper>
  );
}
