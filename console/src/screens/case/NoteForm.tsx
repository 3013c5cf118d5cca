import type { Case } from "@gamekeeper/client";
import { Alert, Button, Group, Paper, Stack, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { carryOut } from "~/change";
import { releaseNow } from "~/parts/cases/change";
import { toastDone } from "~/toasts";
import { text } from "./text";

/** A note for staff. */
export function NoteForm({ about }: { about: Case }) {
  const note = useNote(about);
  return (
    <Paper withBorder p="md" component="form" onSubmit={note.submit}>
      <Textarea
        label={text.note.add}
        description={text.note.hint}
        value={note.words}
        maxLength={2000}
        autosize
        minRows={2}
        onChange={(event) => note.setWords(event.currentTarget.value)}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => void note.add()]])}
      />
      <Refusal words={note.refusal} />
      <Group justify="flex-end" mt="sm">
        <Button type="submit" variant="default" loading={note.busy} disabled={!note.words.trim()}>
          {text.note.submit}
        </Button>
      </Group>
    </Paper>
  );
}

interface QuestionFormProps {
  about: Case;
  onDone: () => void;
}

/** A question to a colleague: a note, and the case is released. */
export function QuestionForm({ about, onDone }: QuestionFormProps) {
  const note = useNote(about, onDone);
  return (
    <form onSubmit={note.submit}>
      <Stack>
        <Textarea
          data-autofocus
          label={text.note.askLabel}
          description={text.note.askHint}
          required
          value={note.words}
          maxLength={2000}
          autosize
          minRows={3}
          onChange={(event) => note.setWords(event.currentTarget.value)}
        />
        <Refusal words={note.refusal} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {text.note.cancel}
          </Button>
          <Button type="submit" loading={note.busy} disabled={!note.words.trim()}>
            {text.note.askSubmit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Refusal({ words }: { words: string | null }) {
  if (!words) return null;
  return (
    <Alert color="red" role="alert" mt="sm">
      {words}
    </Alert>
  );
}

/** With `onAsked`, the case is released after the note. */
function useNote(about: Case, onAsked?: () => void) {
  const [words, setWords] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function add() {
    if (!words.trim() || busy) return;
    setBusy(true);
    setRefusal(null);
    const params = { path: { id: about.Id } };
    const body = { text: words.trim() };
    try {
      await carryOut((init) => gk.post("/api/v1/cases/{id}/notes", { params, body, ...init }));
      setWords("");
      if (onAsked) await releaseNow(about);
      toastDone(onAsked ? text.note.asked : text.note.added);
      onAsked?.();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void add();
  }
  return { words, setWords, busy, refusal, add, submit };
}
