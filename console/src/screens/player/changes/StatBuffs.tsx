import { Collapse, NumberInput, SimpleGrid, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { text } from "./text";

interface StatBuffsProps {
  buffs: number[];
  onChange: (buffs: number[]) => void;
}

/** The stat buffs of a piece of equipment; folded away, because most have none. */
export function StatBuffs({ buffs, onChange }: StatBuffsProps) {
  const [opened, open] = useState(false);
  return (
    <div>
      <UnstyledButton fz="sm" fw={600} aria-expanded={opened} onClick={() => open(!opened)}>
        {opened ? "▾" : "▸"} {text.give.buffs}
      </UnstyledButton>
      <Collapse expanded={opened}>
        <SimpleGrid cols={2} spacing="xs" pt="xs">
          {text.give.stats.map((stat, index) => (
            <NumberInput
              key={stat}
              label={stat}
              size="sm"
              value={buffs[index] ?? 0}
              allowDecimal={false}
              onChange={(value) => onChange(buffs.with(index, Number(value) || 0))}
            />
          ))}
        </SimpleGrid>
      </Collapse>
    </div>
  );
}
