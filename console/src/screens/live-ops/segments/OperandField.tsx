import { NumberInput, Select, TextInput } from "@mantine/core";
import { fromLocal, toLocal } from "~/instants";
import { CatalogPicker, useVariable } from "~/parts/CatalogPicker";
import { ItemPicker } from "~/parts/ItemPicker";
import { useTimeZone } from "~/preferences";
import type { ConditionDraft, Field, Operand, Value } from "./definition";
import { GuildPicker, ListPicker } from "./pickers";
import { text } from "./text";

interface OperandFieldProps {
  condition: ConditionDraft;
  operand: Operand;
  /** Of the condition, counted from 1 over all groups. */
  at: number;
  onChange: (value: Value | undefined) => void;
}

const KINDS = Object.entries(text.kinds).map(([value, label]) => ({ value, label }));
const BOOLEANS = [
  { value: "true", label: text.trueValue },
  { value: "false", label: text.falseValue },
];

/** The editor of one operand: a number, an instant, something of the catalog, a list. */
export function OperandField({ condition, operand, at, onChange }: OperandFieldProps) {
  const [zone] = useTimeZone();
  const value = condition.values[operand];
  const label = { "aria-label": text.builder.operand(at, text.operands[operand]) };
  if (operand === "id")
    return <ObjectField {...label} field={condition.field} value={value} onChange={onChange} />;
  if (operand === "equals")
    return (
      <EqualsField
        {...label}
        variable={textOrNull(condition.values.id)}
        value={value}
        onChange={onChange}
      />
    );
  if (operand === "list")
    return (
      <ListPicker
        {...label}
        value={textOrNull(value)}
        onChange={(name) => onChange(name ?? undefined)}
      />
    );
  if (operand === "kind")
    return (
      <Select
        {...label}
        w={140}
        placeholder={text.choose}
        data={KINDS}
        value={textOrNull(value)}
        onChange={(kind) => onChange(kind ?? undefined)}
      />
    );
  if (operand === "since" || operand === "before")
    return (
      <TextInput
        {...label}
        type="datetime-local"
        value={toLocal(textOrNull(value) ?? undefined, zone)}
        onChange={(event) => onChange(fromLocal(event.currentTarget.value, zone))}
      />
    );
  return (
    <NumberField {...label} value={value} onChange={onChange} isDays={operand === "withindays"} />
  );
}

interface FieldProps {
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  "aria-label": string;
}

function NumberField({ value, onChange, isDays, ...label }: FieldProps & { isDays: boolean }) {
  return (
    <NumberInput
      {...label}
      w={104}
      allowDecimal={false}
      thousandSeparator=","
      {...(isDays && { min: 1, max: 36_500, suffix: ` ${text.days}` })}
      value={typeof value === "number" ? value : ""}
      onChange={(typed) => onChange(typed === "" ? undefined : Number(typed))}
    />
  );
}

/** What a condition is about, by its property. */
function ObjectField({ field, value, onChange, ...label }: FieldProps & { field: Field }) {
  const given = {
    value: textOrNull(value),
    onChange: (id: string | null) => onChange(id ?? undefined),
  };
  if (field === "item") return <ItemPicker {...label} {...given} />;
  if (field === "guild") return <GuildPicker {...label} {...given} />;
  if (field === "class") return <CatalogPicker {...label} {...given} part="classes" />;
  const owner = field === "user_variable" ? "user" : "player";
  return <CatalogPicker {...label} {...given} part="variables" owner={owner} />;
}

/** A value of the variable's own type. */
function EqualsField({
  variable,
  value,
  onChange,
  ...label
}: FieldProps & { variable: string | null }) {
  const type = useVariable(variable)?.Type;
  if (type === "boolean")
    return (
      <Select
        {...label}
        w={120}
        placeholder={text.choose}
        data={BOOLEANS}
        value={typeof value === "boolean" ? String(value) : null}
        onChange={(chosen) => onChange(chosen === null ? undefined : chosen === "true")}
      />
    );
  if (type === "integer" || type === "number")
    return (
      <NumberInput
        {...label}
        w={120}
        allowDecimal={type === "number"}
        thousandSeparator=","
        value={typeof value === "number" ? value : ""}
        onChange={(typed) => onChange(typed === "" ? undefined : Number(typed))}
      />
    );
  return (
    <TextInput
      {...label}
      w={160}
      disabled={type === undefined}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function textOrNull(value: Value | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
