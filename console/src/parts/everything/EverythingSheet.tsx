import type { BulkUndoResult } from "@gamekeeper/client";
import { Alert, Radio, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { withSecondFactor } from "~/change";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { Result } from "./Result";
import { type BulkUndo, execute, preview, type Whose } from "./run";
import { SpanFields, useSpan } from "./span";
import { undoneOf } from "./sum";
import { text } from "./text";

interface EverythingSheetProps {
  whose: Whose;
  name: string;
  /** Since when, if a filter says it. */
  from: string | undefined;
  opened: boolean;
  onClose: () => void;
}

/** Undo all that somebody did, or all that left somebody, since an instant: counted, then done. */
export function EverythingSheet({ whose, name, from, opened, onClose }: EverythingSheetProps) {
  const words = text[kindOf(whose)];
  const isByActor = "actor" in whose;
  const span = useSpan(from);
  const [what, setWhat] = useState<"left" | "all">("left");
  const undo: BulkUndo = { whose, from: span.from, to: span.to, ...(!isByActor && { what }) };
  const dryRun = useQuery({
    queryKey: ["undo", undo],
    queryFn: () => withSecondFactor(() => preview(undo)),
    enabled: opened && span.isValid,
    gcTime: 0,
    staleTime: 0,
    // Whoever closes the question about the second factor is not asked again at once.
    refetchOnWindowFocus: false,
  });
  const found = dryRun.data;
  const count = undoneOf(found);

  return (
    <ChangeSheet
      permission="actions.undo"
      opened={opened}
      onClose={onClose}
      title={words.title(name)}
      whom={words.intro}
      subject={{}}
      undoable={false}
      preview={found && (found.Kinds.length > 0 ? <Result result={found} /> : words.nothing)}
      previewLoading={dryRun.isFetching}
      previewError={dryRun.error}
      ready={span.isValid && count > 0}
      submitLabel={text.submit(count)}
      done={words.done(count, name)}
      outcome={(result: BulkUndoResult) => (
        <Outcome result={result} done={words.done(undoneOf(result), name)} />
      )}
      submit={(reason, init) => execute(undo, reason, init)}
    >
      <SpanFields span={span} />
      {!isByActor && (
        <Radio.Group
          label={text.what.label}
          value={what}
          onChange={(next) => setWhat(next === "all" ? "all" : "left")}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="left" label={text.what.left} description={text.what.leftHint} />
            <Radio value="all" label={text.what.all} description={text.what.allHint} />
          </Stack>
        </Radio.Group>
      )}
    </ChangeSheet>
  );
}

function kindOf(whose: Whose): "actor" | "player" | "user" {
  if ("actor" in whose) return "actor";
  return "player" in whose ? "player" : "user";
}

/** What was done, which may differ from the preview: the game goes on. */
function Outcome({ result, done }: { result: BulkUndoResult; done: string }) {
  return (
    <Stack>
      <Alert color="moss" icon={<IconCheck />}>
        <Text size="sm">{done}</Text>
      </Alert>
      <Result result={result} />
    </Stack>
  );
}
