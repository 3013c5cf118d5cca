import { isError } from "@gamekeeper/client";
import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconArrowBackUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import { ActionPhrase } from "~/parts/actions/ActionSentence";
import type { Entry } from "~/parts/actions/entry";
import { text as words } from "~/parts/actions/text";
import { blockersOf } from "~/parts/actions/undo";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

interface BulkUndoSheetProps {
  entries: Entry[];
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

interface UndoPreview {
  entry: Entry;
  /** Why it would be left as it is; null: it can be undone. */
  conflict: string | null;
}

/** Undo chosen actions: a dry run says which would conflict, and offers the rest. */
export function BulkUndoSheet({ entries, opened, onClose, onDone }: BulkUndoSheetProps) {
  const ids = entries.map((entry) => entry.Id);
  const dryRun = useQuery({
    queryKey: ["undo", ids],
    queryFn: () => previewUndos(entries),
    enabled: opened && entries.length > 0,
    gcTime: 0,
    staleTime: 0,
  });
  const can = dryRun.data?.filter((one) => one.conflict === null) ?? [];
  const cannot = dryRun.data?.filter((one) => one.conflict !== null) ?? [];

  async function submit(reason: string, init: ChangeInit) {
    const left: unknown[] = [];
    for (const { entry } of can) await undo(entry, reason, init).catch((error) => left.push(error));
    onDone();
    // What was done is done; what was not is said.
    if (left.length > 0) throw new Error(text.bulk.some(can.length - left.length, can.length));
  }

  return (
    <ChangeSheet
      permission="actions.undo"
      opened={opened}
      onClose={onClose}
      title={text.bulk.title(entries.length)}
      whom={text.bulk.whom}
      subject={{}}
      undoable={false}
      preview={
        dryRun.data && (
          <Stack gap="sm">
            {can.length > 0 && (
              <Alert color="moss" icon={<IconArrowBackUp />} title={text.bulk.can(can.length)}>
                <Lines previews={can} />
              </Alert>
            )}
            {cannot.length > 0 && (
              <Alert
                color="yellow"
                icon={<IconAlertTriangle />}
                title={text.bulk.conflicts(cannot.length)}
              >
                <Lines previews={cannot} />
              </Alert>
            )}
          </Stack>
        )
      }
      previewLoading={dryRun.isFetching}
      previewError={dryRun.error}
      ready={can.length > 0}
      submitLabel={text.bulk.submit(can.length)}
      done={text.bulk.done(can.length)}
      submit={submit}
    />
  );
}

function Lines({ previews }: { previews: UndoPreview[] }) {
  return (
    <Stack gap={4}>
      {previews.map(({ entry, conflict }) => (
        <Text size="sm" component="div" key={entry.Id}>
          <ActionPhrase entry={entry} />
          {conflict && (
            <Text size="xs" c="dimmed">
              {conflict}
            </Text>
          )}
        </Text>
      ))}
    </Stack>
  );
}

/** One after the other, as they would be undone. */
async function previewUndos(entries: Entry[]): Promise<UndoPreview[]> {
  const found: UndoPreview[] = [];
  for (const entry of entries) {
    const answer = await gk
      .post("/api/v1/actions/{id}/undo", {
        params: { path: { id: entry.Id } },
        body: { dryrun: true, partial: true },
      })
      .catch((error: unknown) => {
        const NotDone = blockersOf(error);
        if (NotDone) return { NotDone };
        // A refusal is about this one; anything else is about them all.
        if (isError(error) && error.status >= 400 && error.status < 500) return error.message;
        throw error;
      });
    if (typeof answer === "string") found.push({ entry, conflict: answer });
    else {
      const why = answer.NotDone.map((one) => words.undo.reasons[one.Reason] ?? one.Reason);
      found.push({ entry, conflict: why.length > 0 ? sentence([...new Set(why)]) : null });
    }
  }
  return found;
}

function sentence(parts: string[]): string {
  const [first = "", ...rest] = parts.join(" ");
  return first.toUpperCase() + rest.join("");
}

function undo(entry: Entry, reason: string, { headers }: ChangeInit) {
  return gk.post("/api/v1/actions/{id}/undo", {
    params: { path: { id: entry.Id } },
    body: reason ? { reason } : {},
    headers: { ...headers, "Idempotency-Key": `${headers["Idempotency-Key"]}-${entry.Id}` },
  });
}
