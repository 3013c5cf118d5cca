import type { Sanction } from "@gamekeeper/client";
import {
  Alert,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
} from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { carryOut } from "~/change";
import { ActorLink } from "~/parts/people";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { toastDone } from "~/toasts";
import { liftAtOnce } from "./lift";
import { LiftButton } from "./SanctionCard";
import classes from "./SanctionCard.module.css";
import { namedTarget, type Target } from "./target";
import { text } from "./text";

/** What staff wrote about somebody, newest first, and a place to write more. */
export function NoteList({ notes, target }: { notes: Sanction[]; target: Target }) {
  const shown = notes.filter((one) => one.Kind === "note" && !one.LiftedAt);
  return (
    <Stack>
      {useMay("sanctions.manage") && <NewNote target={target} />}
      {shown.length === 0 && <Text c="dimmed">{text.list.noNotes}</Text>}
      {shown.map((note) => (
        <Paper key={note.Id} withBorder p="md" component="article" aria-label={text.kinds.note}>
          <Text className={classes.link}>{note.Reason}</Text>
          <Group justify="space-between" mt="xs">
            <Text size="sm" c="dimmed">
              <ActorLink actor={note.ImposedBy} name={note.ImposedByName} /> ·{" "}
              <When at={note.ImposedAt} span /> ·{" "}
              {note.PlayerId
                ? text.character(note.PlayerName ?? text.deletedCharacter)
                : text.onAccount}
            </Text>
            <LiftButton sanction={note} label={text.note.remove} />
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

function NewNote({ target }: { target: Target }) {
  const [words, setWords] = useState("");
  const [whole, setWhole] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function add() {
    if (!words.trim()) return;
    setBusy(true);
    setRefusal(null);
    const body = { ...namedTarget(target, whole), kind: "note" as const, reason: words.trim() };
    try {
      let key = "";
      await carryOut(async (init) => {
        key = (await gk.post("/api/v1/sanctions", { body, ...init })).Id ?? "";
      });
      setWords("");
      toastDone(text.note.added, {
        label: text.note.remove,
        act: () => liftAtOnce(key),
        done: text.note.removed,
        failed: text.notLifted,
      });
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

  return (
    <Paper withBorder p="md" component="form" onSubmit={submit}>
      <Textarea
        label={text.note.label}
        description={text.note.hint}
        placeholder={text.note.placeholder}
        value={words}
        maxLength={500}
        autosize
        minRows={2}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => void add()]])}
      />
      {refusal && (
        <Alert color="red" role="alert" mt="sm">
          {refusal}
        </Alert>
      )}
      <Group justify="space-between" mt="sm">
        {target.player ? (
          <SegmentedControl
            size="xs"
            aria-label={text.note.on}
            value={whole ? "account" : "character"}
            onChange={(value) => setWhole(value === "account")}
            data={[
              { value: "character", label: text.note.onCharacter },
              { value: "account", label: text.note.onAccount },
            ]}
          />
        ) : (
          <span />
        )}
        <Button type="submit" loading={busy} disabled={!words.trim()}>
          {text.note.add}
        </Button>
      </Group>
    </Paper>
  );
}
