import { ActionIcon, Select, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { Fragment } from "react";
import { oneOf } from "~/search";
import {
  type ConditionDraft,
  FIELDS,
  newCondition,
  type Operand,
  shapeKey,
  shapesOf,
} from "./definition";
import { OperandField } from "./OperandField";
import classes from "./segments.module.css";
import { text } from "./text";

const CHOICES = FIELDS.map((field) => ({ value: field, label: text.fields[field] }));

interface ConditionLineProps {
  condition: ConditionDraft;
  /** Counted from 1 over all groups. */
  at: number;
  onChange: (condition: ConditionDraft) => void;
  /** Absent: the only one of its group. */
  onRemove?: (() => void) | undefined;
}

/** One condition as a sentence: "Level is at least 20". */
export function ConditionLine({ condition, at, onChange, onRemove }: ConditionLineProps) {
  const { key, field, negate, shape, values } = condition;
  // A variable is named before it is compared: "Player variable Karma is at least 5".
  const isVariable = field === "player_variable" || field === "user_variable";
  const compared = shape.filter((operand) => !(isVariable && operand === "id"));

  function operand(name: Operand) {
    return (
      <OperandField
        condition={condition}
        operand={name}
        at={at}
        onChange={(value) => {
          const { [name]: _, ...others } = values;
          // Another variable may have another type.
          const kept = isVariable && name === "id" ? {} : others;
          onChange({
            ...condition,
            values: { ...kept, ...(value !== undefined && { [name]: value }) },
          });
        }}
      />
    );
  }

  return (
    <li className={classes.condition}>
      <div className={classes.sentence}>
        <Select
          aria-label={text.builder.property(at)}
          w={160}
          data={CHOICES}
          value={field}
          allowDeselect={false}
          onChange={(chosen) => {
            const next = oneOf(chosen, FIELDS);
            if (next && next !== field) onChange({ ...newCondition(next), key });
          }}
        />
        {isVariable && operand("id")}
        <Select
          aria-label={text.builder.negation(at)}
          w={field === "guild" || field === "item" || field === "sanction" ? 152 : 88}
          data={text.verbs[field].map((label, index) => ({ value: String(index === 1), label }))}
          value={String(negate)}
          allowDeselect={false}
          onChange={(chosen) => onChange({ ...condition, negate: chosen === "true" })}
        />
        <Comparison condition={condition} at={at} onChange={onChange} />
        {compared.map((name, index) => (
          <Fragment key={name}>
            {index > 0 && (
              <Text span size="sm">
                {field === "item" ? text.pieces : text.and}
              </Text>
            )}
            {operand(name)}
          </Fragment>
        ))}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={text.builder.removeCondition(at)}
        disabled={!onRemove}
        onClick={onRemove}
      >
        <IconX size={16} />
      </ActionIcon>
    </li>
  );
}

/** How it is compared, if there is a choice. */
function Comparison({ condition, at, onChange }: Omit<ConditionLineProps, "onRemove">) {
  const shapes = shapesOf(condition);
  if (shapes.length < 2) return null;
  return (
    <Select
      aria-label={text.builder.comparison(at)}
      w={112}
      data={shapes.map((shape) => ({
        value: shapeKey(shape),
        label: shapeLabel(condition, shape),
      }))}
      value={shapeKey(condition.shape)}
      allowDeselect={false}
      onChange={(chosen) => {
        const shape = shapes.find((one) => shapeKey(one) === chosen);
        if (shape) onChange({ ...condition, shape });
      }}
    />
  );
}

/** The words for a combination of operands, which some properties have words of their own for. */
function shapeLabel({ field }: ConditionDraft, shape: readonly Operand[]): string {
  const key = shapeKey(shape);
  return text.shapes[`${field} ${key}`] ?? text.shapes[key] ?? text.unusual;
}
