import type { SanctionTemplate } from "@gamekeeper/client";
import {
  ActionIcon,
  Button,
  Group,
  Input,
  Select,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { durationInWords, parseDuration } from "~/parts/sanctions/durations";
import { KINDS, type Kind, lasts } from "~/parts/sanctions/kinds";
import { LadderSteps } from "~/parts/sanctions/LadderSteps";
import { text as sanctionText } from "~/parts/sanctions/text";
import { text } from "./text";

interface Step {
  key: number;
  kind: Kind;
  duration: string;
}

const FIRST: Step = { key: 0, kind: "warning", duration: "1 day" };
const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const MOST_STEPS = 20;

/** The seconds of a step; null: without end; undefined: not understood. */
function secondsOf(step: Step): number | null | undefined {
  return lasts(step.kind) ? parseDuration(step.duration) : null;
}

/** Make a template, or change one: its words, and what each time costs. */
export function TemplateSheet({
  template,
  onClose,
}: {
  template: SanctionTemplate | null;
  onClose: () => void;
}) {
  const [name, setName] = useState(template?.Name ?? "");
  const [message, setMessage] = useState(template?.Message ?? "");
  const [steps, setSteps] = useState<Step[]>(() => template?.Steps.map(toStep) ?? [FIRST]);
  const lengths = steps.map(secondsOf);
  const shown = steps.map(({ kind }, at) => ({ Kind: kind, DurationSeconds: lengths[at] ?? null }));
  const ready = NAME.test(name) && steps.length > 0 && !lengths.includes(undefined);

  return (
    <ChangeSheet
      permission="sanctions.templates"
      opened
      onClose={onClose}
      title={template ? text.templates.editTitle(template.Name) : text.templates.newTitle}
      whom={text.templates.whom}
      subject={{}}
      preview={<LadderSteps steps={shown} />}
      ready={ready}
      submitLabel={text.templates.save}
      done={text.templates.saved(name)}
      undoable={false}
      submit={(reason, init) =>
        gk.put("/api/v1/sanctions/templates/{name}", {
          params: { path: { name } },
          body: {
            message: message.trim(),
            steps: steps.map(({ kind }, at) => {
              const seconds = lengths[at];
              return { kind, ...(typeof seconds === "number" && { durationseconds: seconds }) };
            }),
            ...(reason && { reason }),
          },
          ...init,
        })
      }
    >
      {!template && (
        <TextInput
          label={text.templates.name}
          description={text.templates.nameHint}
          value={name}
          required
          maxLength={40}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value.toLowerCase())}
        />
      )}
      <Textarea
        label={text.templates.message}
        value={message}
        maxLength={2000}
        autosize
        minRows={2}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <StepsField steps={steps} onChange={setSteps} />
    </ChangeSheet>
  );
}

function toStep(step: SanctionTemplate["Steps"][number], key: number): Step {
  const seconds = step.DurationSeconds;
  const duration = seconds === null ? sanctionText.permanent : durationInWords(seconds);
  return { key, kind: step.Kind, duration };
}

function StepsField({ steps, onChange }: { steps: Step[]; onChange: (steps: Step[]) => void }) {
  function set(key: number, parts: Partial<Step>) {
    onChange(steps.map((step) => (step.key === key ? { ...step, ...parts } : step)));
  }

  function add() {
    const last = steps.at(-1) ?? FIRST;
    onChange([...steps, { ...last, key: Math.max(0, ...steps.map(({ key }) => key)) + 1 }]);
  }

  return (
    <Input.Wrapper
      label={text.templates.steps}
      description={text.templates.stepsHint}
      labelElement="div"
    >
      <Stack gap="xs" mt="xs">
        {steps.map((step, at) => (
          <Group key={step.key} wrap="nowrap" gap="xs" align="flex-start">
            <Select
              aria-label={text.templates.stepKind(at + 1)}
              w={136}
              data={KINDS.map((kind) => ({ value: kind, label: sanctionText.kinds[kind] }))}
              value={step.kind}
              allowDeselect={false}
              onChange={(kind) => kind && set(step.key, { kind })}
            />
            <TextInput
              flex={1}
              aria-label={text.templates.stepDuration(at + 1)}
              placeholder={text.templates.duration}
              value={lasts(step.kind) ? step.duration : ""}
              disabled={!lasts(step.kind)}
              error={secondsOf(step) === undefined ? text.templates.odd : null}
              onChange={(event) => set(step.key, { duration: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={text.templates.stepRemove(at + 1)}
              disabled={steps.length === 1}
              onClick={() => onChange(steps.filter(({ key }) => key !== step.key))}
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
            disabled={steps.length >= MOST_STEPS}
            onClick={add}
          >
            {text.templates.add}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
