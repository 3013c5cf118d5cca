import type { EconomyFinding } from "@gamekeeper/client";
import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { grouped } from "~/format";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

const LONGEST_NOTE = 500;

/** Say what a finding turned out to be; it stays acknowledged. */
export function AcknowledgeSheet({
  finding,
  onClose,
}: {
  finding: EconomyFinding;
  onClose: () => void;
}) {
  const [note, setNote] = useState("");
  const what = finding.ItemName ?? text.allItems;
  return (
    <ChangeSheet
      permission="economy.manage"
      opened
      onClose={onClose}
      title={text.acknowledgeTitle}
      whom={`${what}: ${grouped(finding.Quantity)} ${text.measures[finding.Measure]}`}
      subject={{}}
      preview={<Text size="sm">{text.stays}</Text>}
      ready={note.trim() !== ""}
      submitLabel={text.acknowledge}
      done={text.acknowledged}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/economy/findings/{id}/acknowledge", {
          params: { path: { id: finding.Id } },
          body: { note: note.trim() },
          ...init,
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    >
      <Textarea
        label={text.note}
        description={text.noteHint}
        value={note}
        required
        maxLength={LONGEST_NOTE}
        autosize
        minRows={2}
        data-autofocus
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}
