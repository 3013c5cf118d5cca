import type { SanctionTemplate } from "@gamekeeper/client";
import { Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { exact } from "~/format";
import { useTimeZone } from "~/preferences";
import type { Draft } from "./draft";
import { parseDuration } from "./durations";
import { KINDS, lasts } from "./kinds";
import { TargetPicker } from "./TargetPicker";
import { targetName } from "./target";
import { text } from "./text";

export interface FieldsProps {
  draft: Draft;
  onChange: (parts: Partial<Draft>) => void;
}

/** Whom, and whether for all of the account. */
export function TargetFields({ draft, onChange, fixed }: FieldsProps & { fixed: boolean }) {
  const { target } = draft;
  if (!target) return <TargetPicker onPick={(picked) => onChange({ target: picked })} />;
  const { player } = target;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={650} size="lg">
          {targetName(target, false)}
        </Text>
        {!fixed && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange({ target: null })}>
            {text.composer.change}
          </Button>
        )}
      </Group>
      {player && (
        <SegmentedControl
          aria-label={text.composer.scope}
          value={draft.whole ? "account" : "character"}
          onChange={(value) => onChange({ whole: value === "account" })}
          data={[
            { value: "character", label: text.composer.onlyCharacter(player.name) },
            { value: "account", label: text.composer.wholeAccount },
          ]}
        />
      )}
    </Stack>
  );
}

interface TemplateFieldProps extends FieldsProps {
  templates: SanctionTemplate[];
  /** The ladder, below the choice. */
  children?: ReactNode;
}

export function TemplateField({ draft, onChange, templates, children }: TemplateFieldProps) {
  if (templates.length === 0) return null;
  return (
    <Stack gap="xs">
      <Select
        label={text.composer.template}
        description={text.composer.templateHint}
        data={[
          { value: "", label: text.composer.own },
          ...templates.map(({ Name }) => ({ value: Name, label: Name })),
        ]}
        value={draft.template ?? ""}
        allowDeselect={false}
        onChange={(value) => onChange({ template: value || null, message: null })}
      />
      {children}
    </Stack>
  );
}

export function KindFields({ draft, onChange }: FieldsProps) {
  return (
    <Stack gap="sm">
      <Select
        label={text.composer.kind}
        description={text.effects[draft.kind]}
        inputWrapperOrder={["label", "input", "description"]}
        data={KINDS.map((kind) => ({ value: kind, label: text.kinds[kind] }))}
        value={draft.kind}
        allowDeselect={false}
        onChange={(value) => value && onChange({ kind: value })}
      />
      {lasts(draft.kind) && <DurationField draft={draft} onChange={onChange} />}
    </Stack>
  );
}

function DurationField({ draft, onChange }: FieldsProps) {
  const [zone] = useTimeZone();
  const seconds = parseDuration(draft.duration);
  const end = typeof seconds === "number" ? new Date(Date.now() + seconds * 1000) : null;
  const reading = end ? text.composer.ends(exact(end, zone).slice(0, 16)) : text.composer.noEnd;
  return (
    <Stack gap="xs">
      <TextInput
        label={text.composer.duration}
        placeholder={text.composer.durationHint}
        value={draft.duration}
        onChange={(event) => onChange({ duration: event.currentTarget.value })}
        description={seconds === undefined ? text.composer.durationHint : reading}
        error={draft.duration && seconds === undefined ? text.composer.durationOdd : null}
        inputWrapperOrder={["label", "input", "error", "description"]}
      />
      <Group gap={6}>
        {text.composer.quick.map((words) => (
          <Button
            key={words}
            size="compact-sm"
            variant={parseDuration(words) === seconds ? "filled" : "default"}
            aria-pressed={parseDuration(words) === seconds}
            onClick={() => onChange({ duration: words })}
          >
            {words}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
