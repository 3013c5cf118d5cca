import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Input,
  NumberInput,
  Select,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { CatalogPicker, useVariable } from "~/parts/CatalogPicker";
import { ItemPicker } from "~/parts/ItemPicker";
import { QuantityInput } from "~/parts/QuantityInput";
import { text } from "./text";
import {
  type ItemDraft,
  type LetterDraft,
  MAX_ITEMS,
  MAX_LETTER_DAYS,
  MAX_MESSAGE,
  newItem,
  type WorkDraft,
} from "./work";

interface WorkFieldsProps {
  draft: WorkDraft;
  onChange: (parts: Partial<WorkDraft>) => void;
}

/** The fields of the chosen kind of work. */
export function WorkFields({ draft, onChange }: WorkFieldsProps) {
  if (draft.kind === "letter")
    return <LetterFields draft={draft} onChange={onChange} words={text.form.letter} />;
  if (draft.kind === "variable") return <VariableFields draft={draft} onChange={onChange} />;
  if (draft.kind === "message")
    return (
      <Textarea
        label={text.form.message}
        description={text.form.messageHint}
        required
        maxLength={MAX_MESSAGE}
        autosize
        minRows={2}
        value={draft.message}
        onChange={(event) => onChange({ message: event.currentTarget.value })}
      />
    );
  if (draft.kind === "spell")
    return (
      <CatalogPicker
        part="spells"
        label={text.form.spell}
        required
        value={draft.spell}
        onChange={(spell) => onChange({ spell })}
      />
    );
  return (
    <>
      <ItemFields
        items={draft.items}
        onChange={(items) => onChange({ items })}
        hint={text.form.letter.quantityHint}
        isSingle
      />
      {draft.kind === "give" && (
        <Checkbox
          label={text.form.overflow}
          checked={draft.toBank}
          onChange={(event) => onChange({ toBank: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

interface LetterFieldsProps {
  draft: LetterDraft;
  onChange: (parts: Partial<LetterDraft>) => void;
  words: { subject: string; expires: string; quantityHint: string };
}

/** The letter that recipients of a campaign get, or a code gives. */
export function LetterFields({ draft, onChange, words }: LetterFieldsProps) {
  return (
    <>
      <TextInput
        label={words.subject}
        required
        maxLength={100}
        value={draft.subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <Textarea
        label={text.form.body}
        maxLength={2000}
        autosize
        minRows={3}
        value={draft.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <ItemFields
        items={draft.items}
        onChange={(items) => onChange({ items })}
        hint={words.quantityHint}
      />
      <NumberInput
        label={words.expires}
        w={160}
        min={1}
        max={MAX_LETTER_DAYS}
        allowDecimal={false}
        suffix={` ${text.form.days}`}
        value={draft.expires}
        onChange={(expires) => onChange({ expires })}
      />
    </>
  );
}

interface ItemFieldsProps {
  items: readonly ItemDraft[];
  onChange: (items: readonly ItemDraft[]) => void;
  /** For whom the quantities are. */
  hint: string;
  isSingle?: boolean;
}

/** The items of a letter or a gift, with their quantities. */
function ItemFields({ items, onChange, hint, isSingle = false }: ItemFieldsProps) {
  const set = (old: ItemDraft, parts: Partial<ItemDraft>) =>
    onChange(items.map((one) => (one === old ? { ...one, ...parts } : one)));
  return (
    <Input.Wrapper label={text.form.items} description={hint} labelElement="div">
      <Stack gap="xs" mt="xs">
        {items.map((one, index) => (
          <Group key={one.key} wrap="nowrap" gap="xs">
            <Group flex={1} grow preventGrowOverflow={false}>
              <ItemPicker
                aria-label={text.form.item(index + 1)}
                value={one.item}
                onChange={(item) => set(one, { item })}
              />
            </Group>
            <QuantityInput
              aria-label={text.form.quantity(index + 1)}
              w={96}
              max={2_147_483_647}
              value={one.quantity}
              onChange={(quantity) => set(one, { quantity })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={text.form.removeItem(index + 1)}
              onClick={() => onChange(items.filter((other) => other !== one))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={items.length >= (isSingle ? 1 : MAX_ITEMS)}
            onClick={() => onChange([...items, newItem(items)])}
          >
            {text.form.addItem}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

const BOOLEANS = [
  { value: "true", label: text.form.yes },
  { value: "false", label: text.form.no },
];

/** A variable of characters, and its new value. */
function VariableFields({ draft, onChange }: WorkFieldsProps) {
  const { variable, value } = draft;
  const type = useVariable(variable)?.Type;
  return (
    <>
      <CatalogPicker
        part="variables"
        owner="player"
        label={text.form.variable}
        required
        value={variable}
        onChange={(id) => onChange({ variable: id, value: undefined })}
      />
      {type === "boolean" && (
        <Select
          label={text.form.value}
          required
          data={BOOLEANS}
          value={typeof value === "boolean" ? String(value) : null}
          onChange={(chosen) =>
            onChange({ value: chosen === null ? undefined : chosen === "true" })
          }
        />
      )}
      {(type === "integer" || type === "number") && (
        <NumberInput
          label={text.form.value}
          required
          allowDecimal={type === "number"}
          thousandSeparator=","
          value={typeof value === "number" ? value : ""}
          onChange={(typed) => onChange({ value: typed === "" ? undefined : Number(typed) })}
        />
      )}
      {type === "string" && (
        <TextInput
          label={text.form.value}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
      )}
    </>
  );
}
