import type { Case } from "@gamekeeper/client";
import { SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useMay } from "~/session";
import { reopen } from "./change";
import { reportedName } from "./marks";
import { text } from "./text";

interface CloseSheetProps {
  about: Case;
  opened: boolean;
  onClose: () => void;
}

/** Close a case without a sanction: nothing was wrong, or a kick was enough. */
export function CloseSheet({ about, opened, onClose }: CloseSheetProps) {
  const [outcome, setOutcome] = useState<"none" | "kick">("none");
  const mayKick = useMay("commands");
  const name = reportedName(about);
  return (
    <ChangeSheet
      permission="reports.manage"
      opened={opened}
      onClose={onClose}
      title={text.close.title}
      whom={text.close.whom(name, text.reports(about.Reports))}
      subject={{ user: about.UserId }}
      preview={<Text size="sm">{text.close[outcome]}</Text>}
      ready
      submitLabel={text.close.submit}
      done={text.close.done(name)}
      wayBack={{
        label: text.close.reopen,
        act: () => reopen(about),
        done: text.close.reopened(name),
        failed: text.close.notReopened,
      }}
      submit={(reason, init) =>
        gk.post("/api/v1/cases/{id}/close", {
          params: { path: { id: about.Id } },
          body: { outcome, ...(reason && { note: reason }) },
          ...init,
        })
      }
    >
      {mayKick && (
        <SegmentedControl
          aria-label={text.close.outcome}
          value={outcome}
          onChange={(value) => setOutcome(value === "kick" ? "kick" : "none")}
          data={[
            { value: "none", label: text.outcomes.none },
            { value: "kick", label: text.outcomes.kick },
          ]}
        />
      )}
    </ChangeSheet>
  );
}
