import type { LimitsRecord } from "@gamekeeper/client";
import { Fieldset, NumberInput, SimpleGrid, Text } from "@mantine/core";
import { LIMITS } from "./limits";
import classes from "./rights.module.css";
import { text } from "./text";

interface LimitFieldsProps {
  value: LimitsRecord;
  onChange: (limits: LimitsRecord) => void;
}

/** How much may be handed out and undone; an empty field is no limit. */
export function LimitFields({ value, onChange }: LimitFieldsProps) {
  return (
    <Fieldset legend={text.limits} p="sm">
      <Text size="xs" c="dimmed" mb="xs">
        {text.limitsHint}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" className={classes.limits}>
        {LIMITS.map((limit) => (
          <NumberInput
            key={limit}
            label={text.limitNames[limit]}
            placeholder={text.noLimit}
            min={0}
            max={Number.MAX_SAFE_INTEGER}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            hideControls
            value={value[limit] ?? ""}
            onChange={(next) =>
              onChange({ ...value, [limit]: typeof next === "number" ? next : null })
            }
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
