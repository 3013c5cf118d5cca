import { Chip, Group, Input, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useId } from "react";
import { DateTimeField } from "~/parts/DateTimeField";
import { DAYS, endsTooEarly, type PlanDraft, REPEATS, type Repeat } from "./plan";
import { text } from "./text";

const words = text.form;
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

interface PlanFieldsProps {
  draft: PlanDraft;
  /** `required`: the end of a letter on joining. Otherwise work is taken back at the end. */
  end: "none" | "optional" | "required";
  onChange: (parts: Partial<PlanDraft>) => void;
}

/** When a schedule runs, and when a run ends. */
export function PlanFields({ draft, end, onChange }: PlanFieldsProps) {
  const label = useId();
  const Fields = { once: OnceFields, weekly: WeeklyFields, cron: CronFields }[draft.repeat];
  return (
    <>
      <Input.Wrapper label={words.repeat} labelElement="div" labelProps={{ id: label }}>
        <SegmentedControl
          fullWidth
          aria-labelledby={label}
          data={REPEATS.map((repeat) => ({ value: repeat, label: words.repeats[repeat] }))}
          value={draft.repeat}
          onChange={(chosen) => onChange({ repeat: chosen as Repeat })}
        />
      </Input.Wrapper>
      <Fields draft={draft} end={end} onChange={onChange} />
      {draft.repeat !== "once" && (
        <Select
          label={words.zone}
          required
          searchable
          allowDeselect={false}
          data={ZONES.includes(draft.zone) ? ZONES : [draft.zone, ...ZONES]}
          limit={50}
          value={draft.zone}
          onChange={(zone) => zone && onChange({ zone })}
        />
      )}
    </>
  );
}

function OnceFields({ draft, end, onChange }: PlanFieldsProps) {
  return (
    <>
      <DateTimeField
        label={words.starts}
        required
        value={draft.startsAt}
        onChange={(startsAt) => onChange({ startsAt })}
      />
      {end !== "none" && (
        <DateTimeField
          label={end === "required" ? words.until : words.ends}
          description={end === "optional" ? words.endsHint : undefined}
          required={end === "required"}
          error={endsTooEarly(draft) && words.endsWrong}
          value={draft.endsAt}
          onChange={(endsAt) => onChange({ endsAt })}
        />
      )}
    </>
  );
}

const END_DAYS = [
  { value: "", label: words.never },
  { value: "*", label: words.everyDay },
  ...DAYS.map((day) => ({ value: day, label: text.days[day] })),
];

function WeeklyFields({ draft, end, onChange }: PlanFieldsProps) {
  const label = useId();
  return (
    <>
      <Input.Wrapper label={words.onDays} labelElement="div" labelProps={{ id: label }}>
        <Chip.Group
          multiple
          value={[...draft.days]}
          onChange={(days: string[]) => onChange({ days })}
        >
          <Group gap={6} role="group" aria-labelledby={label}>
            {DAYS.map((day) => (
              <Chip key={day} value={day} size="sm">
                {text.days[day]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <TextInput
        type="time"
        label={words.time}
        required
        w={160}
        value={draft.time}
        onChange={(event) => onChange({ time: event.currentTarget.value })}
      />
      {end !== "none" && (
        <Group align="flex-end">
          <Select
            label={end === "required" ? words.untilDay : words.endDay}
            data={end === "required" ? END_DAYS.slice(1) : END_DAYS}
            allowDeselect={false}
            value={draft.endDay}
            onChange={(endDay) => onChange({ endDay: endDay ?? "" })}
          />
          {draft.endDay && (
            <TextInput
              type="time"
              label={words.endTime}
              required
              w={160}
              value={draft.endTime}
              onChange={(event) => onChange({ endTime: event.currentTarget.value })}
            />
          )}
        </Group>
      )}
    </>
  );
}

function CronFields({ draft, end, onChange }: PlanFieldsProps) {
  return (
    <>
      <TextInput
        label={words.cron}
        description={words.cronHint}
        required
        maxLength={100}
        spellCheck={false}
        value={draft.cron}
        onChange={(event) => onChange({ cron: event.currentTarget.value })}
      />
      {end !== "none" && (
        <TextInput
          label={end === "required" ? words.untilCron : words.endsCron}
          description={end === "optional" ? words.endsHint : undefined}
          required={end === "required"}
          maxLength={100}
          spellCheck={false}
          value={draft.endsCron}
          onChange={(event) => onChange({ endsCron: event.currentTarget.value })}
        />
      )}
    </>
  );
}
