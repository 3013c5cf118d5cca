import { Checkbox, NumberInput, Switch, Text, TextInput } from "@mantine/core";
import { IconArrowNarrowRight } from "@tabler/icons-react";
import { clsx } from "clsx";
import { grouped } from "~/format";
import { text } from "../text";
import classes from "./Variables.module.css";
import { isValid, type Value, type Variable } from "./values";

interface VariableLineProps {
  variable: Variable;
  isPast: boolean;
  may: boolean;
  /** What was typed instead; no value: it cannot be read. */
  edited: { value: Value | undefined } | null;
  onEdit: (value: Value | undefined) => void;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}

/** A variable: its editor now; then → now at an instant. */
export function VariableLine(props: VariableLineProps) {
  const { variable, isPast, may, edited } = props;
  const differs = isPast && variable.was !== variable.value;
  const isEdited = !isPast && edited !== null && edited.value !== variable.value;
  return (
    <li className={clsx(classes.line, (differs || isEdited) && classes.changed)}>
      {differs && (
        <Checkbox
          checked={props.isTicked}
          disabled={!may}
          aria-label={text.variables.tick(variable.name)}
          onChange={(event) => props.onTick(event.currentTarget.checked)}
        />
      )}
      <div className={classes.name}>
        <Text fw={600}>{variable.name}</Text>
        {!isPast && variable.isDefault && !isEdited && (
          <Text size="xs" c="dimmed">
            {text.variables.isDefault}
          </Text>
        )}
        {isEdited && (
          <Text size="xs" c="var(--gk-changed)" fw={600}>
            ≠ {text.variables.isNow} {shownValue(variable.value)}
          </Text>
        )}
      </div>
      <div className={classes.value}>
        {isPast ? <Past variable={variable} differs={differs} /> : <Editor {...props} />}
      </div>
    </li>
  );
}

function Past({ variable, differs }: { variable: Variable; differs: boolean }) {
  if (!differs) return <Text>{shownValue(variable.value)}</Text>;
  return (
    <Text component="div" className={classes.pair}>
      <span>
        <Text span size="xs" c="dimmed">
          {text.variables.wasThen}{" "}
        </Text>
        <b>{shownValue(variable.was)}</b>
      </span>
      <IconArrowNarrowRight size={16} aria-hidden="true" />
      <span>
        <Text span size="xs" c="dimmed">
          {text.variables.isNow}{" "}
        </Text>
        {shownValue(variable.value)}
      </span>
    </Text>
  );
}

function Editor({ variable, may, edited, onEdit }: VariableLineProps) {
  const value = edited ? edited.value : variable.value;
  if (!may) return <Text>{shownValue(variable.value)}</Text>;
  if (variable.type === "boolean") {
    return (
      <Switch
        aria-label={variable.name}
        label={value ? text.variables.yes : text.variables.no}
        checked={value === true}
        onChange={(event) => onEdit(event.currentTarget.checked)}
      />
    );
  }
  if (variable.type === "string") {
    return (
      <TextInput
        aria-label={variable.name}
        placeholder={text.variables.empty}
        value={String(value ?? "")}
        onChange={(event) => onEdit(event.currentTarget.value)}
      />
    );
  }
  return (
    <NumberInput
      aria-label={variable.name}
      value={typeof value === "number" ? value : ""}
      allowDecimal={variable.type === "number"}
      thousandSeparator=","
      error={edited !== null && !isValid(variable.type, edited.value)}
      onChange={(typed) => onEdit(typed === "" ? undefined : Number(typed))}
    />
  );
}

export function shownValue(value: Value | undefined): string {
  if (typeof value === "boolean") return value ? text.variables.yes : text.variables.no;
  if (typeof value === "number") return grouped(value);
  return value ? `“${value}”` : text.variables.empty;
}
