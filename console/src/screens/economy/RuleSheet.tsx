import type { EconomyRule } from "@gamekeeper/client";
import { NumberInput, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { useItem } from "~/items";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { ItemPicker } from "~/parts/ItemPicker";
import { sentenceOf } from "./rules";
import { text } from "./text";

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const SHAPES = ["created_per_hour", "given_per_day", "received_by_new_account"] as const;
const MOST_DAYS = 365;

/** Create a rule, or change one: what it counts, how many, and what then happens. */
export function RuleSheet({ rule, onClose }: { rule: EconomyRule | null; onClose: () => void }) {
  const [name, setName] = useState(rule?.Name ?? "");
  const [shape, setShape] = useState<EconomyRule["Shape"]>(rule?.Shape ?? "created_per_hour");
  const [item, setItem] = useState<string | null>(rule?.ItemId ?? null);
  const [moreThan, setMoreThan] = useState<number | null>(rule?.MoreThan ?? null);
  const [days, setDays] = useState<number | null>(rule?.Days ?? 3);
  const [effect, setEffect] = useState<EconomyRule["Effect"]>(rule?.Effect ?? "flag");
  const isAboutNew = shape === "received_by_new_account";
  const itemName = useItem(item ?? "")?.Name ?? null;
  const ready = NAME.test(name) && moreThan !== null && (!isAboutNew || days !== null);

  return (
    <ChangeSheet
      permission="economy.manage"
      opened
      onClose={onClose}
      title={rule ? text.rules.editTitle(rule.Name) : text.rules.newTitle}
      whom={text.rules.whom}
      subject={{}}
      preview={
        ready ? (
          <Text size="sm">
            {sentenceOf({
              Shape: shape,
              ItemId: item,
              ItemName: itemName,
              MoreThan: moreThan,
              Days: days,
            })}
          </Text>
        ) : null
      }
      ready={ready}
      submitLabel={text.rules.save}
      done={text.rules.saved(name)}
      undoable={false}
      submit={(reason, init) =>
        gk.put("/api/v1/economy/rules/{name}", {
          params: { path: { name } },
          body: {
            shape,
            morethan: moreThan ?? 0,
            effect,
            ...(item && { itemid: item }),
            ...(isAboutNew && days !== null && { days }),
          },
          ...init,
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    >
      {!rule && (
        <TextInput
          label={text.rules.name}
          description={text.rules.nameHint}
          value={name}
          required
          maxLength={40}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value.toLowerCase())}
        />
      )}
      <Select
        label={text.rules.shape}
        data={SHAPES.map((one) => ({ value: one, label: text.rules.shapes[one] }))}
        value={shape}
        allowDeselect={false}
        onChange={(next) => next && setShape(next)}
      />
      <ItemPicker label={text.rules.item} value={item} onChange={setItem} clearable />
      <NumberInput
        label={text.rules.moreThan}
        value={moreThan ?? ""}
        min={0}
        allowDecimal={false}
        thousandSeparator=","
        required
        onChange={(next) => setMoreThan(typeof next === "number" ? next : null)}
      />
      {isAboutNew && (
        <NumberInput
          label={text.rules.days}
          value={days ?? ""}
          min={1}
          max={MOST_DAYS}
          allowDecimal={false}
          required
          onChange={(next) => setDays(typeof next === "number" ? next : null)}
        />
      )}
      <Radio.Group
        label={text.rules.effect}
        value={effect}
        onChange={(next) => setEffect(next === "hold" ? "hold" : "flag")}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="flag" label={text.rules.flagHint} />
          <Radio value="hold" label={text.rules.holdHint} />
        </Stack>
      </Radio.Group>
    </ChangeSheet>
  );
}
