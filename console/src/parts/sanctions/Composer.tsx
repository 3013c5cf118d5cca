import type { ImposedSanction, ImposeSanction, SanctionTemplate } from "@gamekeeper/client";
import { Alert, Box, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { get, gk } from "~/api";
import { type ChangeInit, carryOut } from "~/change";
import { ExcerptLines, type QuotedLine } from "~/parts/chat/ExcerptLines";
import { text as chat } from "~/parts/chat/text";
import { useMay } from "~/session";
import classes from "./Composer.module.css";
import { KindFields, TargetFields, TemplateField } from "./ComposerFields";
import { bodyOf, type Draft, emptyDraft } from "./draft";
import { parseDuration } from "./durations";
import type { Kind } from "./kinds";
import { LadderSteps } from "./LadderSteps";
import { SeenByPlayer } from "./SeenByPlayer";
import { type Target, targetName } from "./target";
import { text } from "./text";
import { useSanctionPreview } from "./useSanctionPreview";

export type Impose = (body: ImposeSanction, init: ChangeInit) => Promise<ImposedSanction>;

const imposeAlone: Impose = (body, init) => gk.post("/api/v1/sanctions", { body, ...init });

interface ComposerProps {
  target: Target | null;
  kind?: Kind | undefined;
  excerpt?: QuotedLine[] | undefined;
  /** Another way to impose it than by itself, such as with the end of a case. */
  impose?: Impose | undefined;
  onImposed: (imposed: ImposedSanction, whom: string) => void;
  onCancel: () => void;
}

/** The form of a sanction: whom, what, how long, and what each side reads. */
export function Composer({
  target,
  kind,
  excerpt = [],
  impose = imposeAlone,
  onImposed,
  onCancel,
}: ComposerProps) {
  const [draft, setDraft] = useState<Draft>(() => ({
    ...emptyDraft(target, kind),
    excerpt: excerpt.map(({ Id }) => Id),
  }));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const templates = useTemplates();
  const preview = useSanctionPreview(draft);
  const template = templates.find(({ Name }) => Name === draft.template) ?? null;
  const change = (parts: Partial<Draft>) => setDraft({ ...draft, ...parts });
  const body = bodyOf(draft);
  const next = preview.data;
  const kindNow = template ? (next?.Kind ?? template.Steps[0]?.Kind ?? "warning") : draft.kind;
  const message = draft.message ?? template?.Message ?? "";

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!body || !draft.target) return;
    setBusy(true);
    setRefusal(null);
    try {
      let imposed: ImposedSanction | undefined;
      await carryOut(async (init) => {
        imposed = await impose(body, init);
      });
      if (imposed) onImposed(imposed, targetName(draft.target, draft.whole));
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  const isNote = kindNow === "note";
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="lg">
        <TargetFields draft={draft} onChange={change} fixed={target !== null} />
        <TemplateField draft={draft} onChange={change} templates={templates}>
          {template && <Suggestion template={template} draft={draft} next={next} />}
        </TemplateField>
        {!template && <KindFields draft={draft} onChange={change} />}
        {preview.isError && <Refusal words={preview.error.message} />}
        {!isNote && (
          <Textarea
            label={text.composer.message}
            description={text.composer.messageHint}
            value={message}
            maxLength={2000}
            autosize
            minRows={2}
            onChange={(event) => change({ message: event.currentTarget.value })}
          />
        )}
        {!isNote && (
          <Box>
            <Text size="sm" fw={500} mb={4}>
              {text.composer.preview}
            </Text>
            <SeenByPlayer
              kind={kindNow}
              onCharacter={draft.target?.player !== undefined && !draft.whole}
              endsAt={endOf(draft, next)}
              message={message.trim()}
            />
          </Box>
        )}
        <Textarea
          label={isNote ? text.composer.noteText : text.composer.reason}
          description={isNote ? text.effects.note : text.composer.reasonHint}
          value={draft.reason}
          maxLength={500}
          required={!template}
          autosize
          minRows={2}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
        <Textarea
          label={text.composer.evidence}
          description={text.composer.evidenceHint}
          value={draft.evidence}
          autosize
          minRows={1}
          onChange={(event) => change({ evidence: event.currentTarget.value })}
        />
        {excerpt.length > 0 && <ChatEvidence lines={excerpt} />}
        {refusal && <Refusal words={refusal} />}
        <Group justify="flex-end" className={classes.footer}>
          <Button variant="default" onClick={onCancel}>
            {text.composer.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={body === null || preview.isError}>
            {text.composer.submit(draft.target ? kindNow : null)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The messages that will be kept with the sanction. */
function ChatEvidence({ lines }: { lines: QuotedLine[] }) {
  return (
    <Box>
      <Text size="sm" fw={500}>
        {chat.evidence.title}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {chat.evidence.kept}
      </Text>
      <ExcerptLines lines={lines} />
    </Box>
  );
}

function Refusal({ words }: { words: string }) {
  return (
    <Alert color="red" role="alert" title={text.composer.refused}>
      {words}
    </Alert>
  );
}

interface SuggestionProps {
  template: SanctionTemplate;
  draft: Draft;
  next: ImposedSanction | undefined;
}

/** "Third time: mute for 7 days", and the whole ladder. */
function Suggestion({ template, draft, next }: SuggestionProps) {
  const number = next?.Step ?? null;
  const step = number === null ? undefined : template.Steps[number - 1];
  const isLast = number === template.Steps.length;
  const waits = draft.target ? text.composer.looking : text.composer.pickWhom;
  return (
    <Stack gap="xs">
      <Text fw={step ? 650 : 400} c={step ? undefined : "dimmed"} aria-live="polite">
        {step && number !== null
          ? text.suggestion(number, isLast, step.Kind, step.DurationSeconds)
          : waits}
      </Text>
      <LadderSteps steps={template.Steps} next={number} />
    </Stack>
  );
}

/** The templates, for those who may read them; without, the person decides. */
function useTemplates(): SanctionTemplate[] {
  const enabled = useMay("sanctions.read");
  return useQuery({ ...get("/api/v1/sanctions/templates"), enabled }).data?.Values ?? [];
}

/** Null: without end; undefined: not known yet. */
function endOf(draft: Draft, next: ImposedSanction | undefined): Date | null | undefined {
  if (draft.template) return next && (next.EndsAt ? new Date(next.EndsAt) : null);
  const seconds = parseDuration(draft.duration);
  return typeof seconds === "number" ? new Date(Date.now() + seconds * 1000) : seconds;
}
