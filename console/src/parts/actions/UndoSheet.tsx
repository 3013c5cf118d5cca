import type { UndoBlocker, UndoChange } from "@gamekeeper/client";
import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { Quantity } from "~/parts/Quantity";
import { ActionPhrase } from "./ActionSentence";
import classes from "./actions.module.css";
import { CatalogName } from "./CatalogName";
import type { Entry } from "./entry";
import { Pieces } from "./Pieces";
import type { About } from "./people";
import { text } from "./text";
import { blockersOf } from "./undo";
import { Value } from "./Value";

interface UndoSheetProps {
  entry: Entry;
  about?: About | undefined;
  opened: boolean;
  onClose: () => void;
}

/** Undo one action: what would come back, and what is in the way, before anything is done. */
export function UndoSheet({ entry, about, opened, onClose }: UndoSheetProps) {
  // With `partial` the service says both: what it would do, and what it could not.
  const dryRun = useQuery({
    queryKey: ["undo", entry.Id],
    queryFn: () =>
      undo({ dryrun: true, partial: true }).catch((error: unknown) => {
        const NotDone = blockersOf(error);
        if (!NotDone) throw error;
        return { Done: [], NotDone };
      }),
    enabled: opened,
    gcTime: 0,
    staleTime: 0,
  });
  const found = dryRun.data;
  const blockers = found?.NotDone ?? [];

  function undo(body: { dryrun?: boolean; partial?: boolean; reason?: string }, init = {}) {
    const params = { path: { id: entry.Id } };
    return gk.post("/api/v1/actions/{id}/undo", { params, body, ...init });
  }

  return (
    <ChangeSheet
      permission="actions.undo"
      opened={opened}
      onClose={onClose}
      title={text.undo.title}
      whom={<ActionPhrase entry={entry} about={about} />}
      subject={subjectOf(entry)}
      preview={
        found && (
          <Stack gap="xs">
            {found.Done.length > 0 && <UndoChanges changes={found.Done} />}
            {blockers.length > 0 && <InTheWay blockers={blockers} isAll={!found.Done.length} />}
          </Stack>
        )
      }
      previewLoading={dryRun.isFetching}
      previewError={dryRun.error}
      ready={found !== undefined && found.Done.length > 0}
      charge={{ undos: 1 }}
      submitLabel={blockers.length > 0 ? text.undo.doPart : text.undo.do}
      done={text.undo.done}
      submit={(reason, init) =>
        undo({ ...(blockers.length > 0 && { partial: true }), ...(reason && { reason }) }, init)
      }
    />
  );
}

/** Where its undo is found in the log. */
function subjectOf(entry: Entry) {
  if (entry.PlayerId) return { player: entry.PlayerId };
  return { user: entry.UserId ?? undefined };
}

/** What would come back or go again, line by line. */
export function UndoChanges({ changes }: { changes: UndoChange[] }) {
  return (
    <ul className={classes.changes} aria-label={text.undo.preview}>
      {changes.map((change, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that is shown as it is
        <li key={at}>
          <Text size="sm" component="div">
            <Named change={change} />
            {change.Slot !== null && (
              <Text size="xs" c="dimmed">
                {text.undo.slot(change.Place, change.Slot)}
              </Text>
            )}
          </Text>
          <Text size="sm" component="div">
            {change.Quantity !== null ? (
              <Quantity change={change.Quantity} />
            ) : (
              <>
                <Value of={change.Before} /> → <Value of={change.After} />
              </>
            )}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** What a line of an undo is about. */
export function Named({ change }: { change: Pick<UndoChange, "What" | "Id" | "Name"> }) {
  const { What, Id, Name } = change;
  if (What === "item" && Id) return <Pieces item={Id} />;
  if (What === "spell" && Id) return <CatalogName part="spells" id={Id} />;
  if (What === "variable" && Id) return <CatalogName part="variables" id={Id} />;
  if (What === "power" && Name) return <>{text.powers[Name] ?? Name}</>;
  return <>{Name ?? text.undo.what[What] ?? What}</>;
}

/** What keeps an action from being undone, wholly or in part. */
export function InTheWay({ blockers, isAll }: { blockers: UndoBlocker[]; isAll: boolean }) {
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle />}
      title={isAll ? text.undo.nothing : text.undo.inTheWay}
    >
      <Stack gap={4}>
        {blockers.map((blocker, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that is shown as it is
          <Text size="sm" key={at}>
            <Named change={blocker} />: {text.undo.reasons[blocker.Reason] ?? blocker.Reason}
            {blocker.Wanted !== null &&
              blocker.Possible !== null &&
              ` ${text.undo.possible(blocker.Possible, blocker.Wanted)}`}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
