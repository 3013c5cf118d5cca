import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconTrendingUp } from "@tabler/icons-react";
import classes from "./Item.module.css";
import type { Spike } from "./supply";
import { text } from "./text";

interface SpikesProps {
  spikes: Spike[];
  day: string | undefined;
  onDay: (day: string) => void;
}

/** Days on which unusually many came: a click shows to whom. */
export function Spikes({ spikes, day, onDay }: SpikesProps) {
  if (spikes.length === 0) return null;
  return (
    <Paper withBorder p="md" className={classes.spikes} component="section">
      <Group gap="xs" mb={8}>
        <IconTrendingUp size={18} color="var(--gk-changed)" aria-hidden="true" />
        <Title order={2}>{text.spikes}</Title>
      </Group>
      <Group gap="xs">
        {[...spikes].reverse().map((spike) => (
          <Button
            key={spike.day}
            variant="default"
            size="compact-md"
            className={classes.spike}
            aria-pressed={spike.day === day}
            onClick={() => onDay(spike.day)}
          >
            {text.spikeLine(spike.day, spike.came)}
            <Text span size="sm" c="var(--gk-changed)" ml={6}>
              {text.spike(spike.times)}
            </Text>
          </Button>
        ))}
      </Group>
    </Paper>
  );
}
