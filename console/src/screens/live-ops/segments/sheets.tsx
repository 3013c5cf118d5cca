import type { Segment } from "@gamekeeper/client";
import { Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { bodyOf, countConditions, type Draft, draftOf } from "./definition";
import { NAME, putSegment, removeSegment, restoreSegment } from "./saved";
import { text } from "./text";
import { previewOf } from "./usePreview";

interface SaveSheetProps {
  /** The saved segment that is changed; null: a new one. */
  segment: Segment | null;
  draft: Draft;
  onClose: () => void;
  onSaved: (name: string) => void;
}

/** Save the conditions, with how many players they select before and after. */
export function SaveSheet({ segment, draft, onClose, onSaved }: SaveSheetProps) {
  const [name, setName] = useState(segment?.Name ?? "");
  const [description, setDescription] = useState(segment?.Description ?? "");
  const isTaken = useNames().includes(name) && !segment;
  const before = usePlayers(segment && draftOf(segment));
  const after = usePlayers(draft);
  return (
    <ChangeSheet
      permission="segments.manage"
      opened
      onClose={onClose}
      title={segment ? text.sheets.changeTitle(segment.Name) : text.sheets.saveTitle}
      whom={text.sheets.whom}
      subject={{}}
      preview={
        <BeforeAfter
          changes={[
            {
              key: "players",
              label: text.sheets.players,
              note: text.sheets.conditions(countConditions(draft)),
              before: segment ? before : null,
              after,
            },
          ]}
        />
      }
      ready={NAME.test(name) && !isTaken}
      submitLabel={text.sheets.save}
      done={text.sheets.saved(name)}
      undoable={false}
      wayBack={
        segment
          ? {
              label: text.sheets.restore,
              act: () => restoreSegment(segment),
              done: text.sheets.restored(name),
              failed: text.sheets.notRestored,
            }
          : undefined
      }
      submit={async (reason, init) => {
        await putSegment({ name, draft, description: description.trim() }, reason, init);
        onSaved(name);
      }}
    >
      {!segment && <NameField value={name} onChange={setName} isTaken={isTaken} />}
      <TextInput
        label={text.sheets.description}
        value={description}
        maxLength={500}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}

interface SegmentSheetProps {
  segment: Segment;
  onClose: () => void;
  /** With the name that it has now; null: it is gone. */
  onDone: (name: string | null) => void;
}

/** The API knows segments by name: save it under the new one, then delete the old one. */
export function RenameSheet({ segment, onClose, onDone }: SegmentSheetProps) {
  const [name, setName] = useState(segment.Name);
  const isTaken = useNames().includes(name) && name !== segment.Name;
  const { Description: description } = segment;
  return (
    <ChangeSheet
      permission="segments.manage"
      opened
      onClose={onClose}
      title={text.sheets.renameTitle(segment.Name)}
      whom={text.sheets.renameWhom}
      subject={{}}
      preview={
        name === segment.Name ? null : (
          <BeforeAfter
            changes={[{ key: "name", label: text.sheets.name, before: segment.Name, after: name }]}
          />
        )
      }
      ready={NAME.test(name) && !isTaken && name !== segment.Name}
      submitLabel={text.sheets.rename}
      done={text.sheets.renamed(name)}
      undoable={false}
      submit={async (reason, init) => {
        await putSegment({ name, draft: draftOf(segment), description }, reason, init);
        const key = `${init.headers["Idempotency-Key"]}-delete`;
        await removeSegment(segment.Name, reason, {
          headers: { ...init.headers, "Idempotency-Key": key },
        });
        onDone(name);
      }}
    >
      <NameField value={name} onChange={setName} isTaken={isTaken} />
    </ChangeSheet>
  );
}

export function RemoveSheet({ segment, onClose, onDone }: SegmentSheetProps) {
  const { Name: name } = segment;
  return (
    <ChangeSheet
      permission="segments.manage"
      opened
      onClose={onClose}
      title={text.sheets.removeTitle(name)}
      whom={text.sheets.removeWhom}
      subject={{}}
      preview={<Text size="sm">{text.sheets.conditions(countConditions(draftOf(segment)))}</Text>}
      ready
      submitLabel={text.sheets.remove}
      done={text.sheets.removed(name)}
      undoable={false}
      wayBack={{
        label: text.sheets.restore,
        act: () => restoreSegment(segment),
        done: text.sheets.restored(name),
        failed: text.sheets.notRestored,
      }}
      submit={async (reason, init) => {
        await removeSegment(name, reason, init);
        onDone(null);
      }}
    />
  );
}

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  isTaken: boolean;
}

function NameField({ value, onChange, isTaken }: NameFieldProps) {
  return (
    <TextInput
      label={text.sheets.name}
      description={text.sheets.nameHint}
      value={value}
      required
      maxLength={40}
      data-autofocus
      error={isTaken && text.sheets.taken}
      onChange={(event) => onChange(event.currentTarget.value.toLowerCase())}
    />
  );
}

/** The names that are in use. */
function useNames(): string[] {
  return useQuery(get("/api/v1/segments")).data?.Values.map(({ Name }) => Name) ?? [];
}

/** How many players conditions select; null while that is counted. */
function usePlayers(draft: Draft | null): string | number | null {
  const conditions = draft && bodyOf(draft);
  const found = useQuery({ ...previewOf(conditions, false), enabled: conditions !== null }).data;
  if (!found) return null;
  return found.IsEstimate ? text.preview.about(found.Count) : found.Count;
}
