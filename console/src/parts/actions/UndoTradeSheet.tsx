import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { PlayerName } from "./people";
import { text } from "./text";
import { InTheWay, UndoChanges } from "./UndoSheet";
import { blockersOf } from "./undo";

interface UndoTradeSheetProps {
  transaction: string;
  /** A character of it, in whose log the undo is found. */
  player: string | undefined;
  opened: boolean;
  onClose: () => void;
}

/** Undo a trade on all its sides, or not at all. */
export function UndoTradeSheet({ transaction, player, opened, onClose }: UndoTradeSheetProps) {
  const dryRun = useQuery({
    queryKey: ["undo", transaction],
    queryFn: () => undo({ dryrun: true }),
    enabled: opened,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });

  const blockers = blockersOf(dryRun.error);

  function undo(body: { dryrun?: boolean; reason?: string }, init = {}) {
    const params = { path: { id: transaction } };
    return gk.post("/api/v1/transactions/{id}/undo", { params, body, ...init });
  }

  return (
    <ChangeSheet
      permission="actions.undo"
      opened={opened}
      onClose={onClose}
      title={text.undo.trade}
      whom={text.undo.tradeHint}
      subject={{ player }}
      preview={
        blockers ? (
          <InTheWay blockers={blockers} isAll />
        ) : (
          dryRun.data && (
            <Stack gap="sm">
              {dryRun.data.Actions.map((action) => (
                <div key={action.Undoes}>
                  <Text size="sm" mb={4}>
                    <PlayerName name={action.PlayerName} />
                  </Text>
                  <UndoChanges changes={action.Done} />
                </div>
              ))}
            </Stack>
          )
        )
      }
      previewLoading={dryRun.isFetching}
      previewError={blockers ? null : dryRun.error}
      charge={{ undos: dryRun.data?.Actions.length ?? 0 }}
      ready={dryRun.data !== undefined && dryRun.data.Actions.length > 0}
      submitLabel={text.undo.trade}
      done={text.undo.done}
      undoable={false}
      submit={(reason, init) => undo(reason ? { reason } : {}, init)}
    />
  );
}
