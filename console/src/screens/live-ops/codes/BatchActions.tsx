import type { CodeBatch } from "@gamekeeper/client";
import { Group } from "@mantine/core";
import { IconCheck, IconCircleX, IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { MayButton } from "~/parts/MayButton";
import { useRefusals } from "./refusals";
import { ActivateSheet, DownloadSheet, RevokeSheet } from "./sheets";
import { text } from "./text";

/** What can be done with a batch in its state. */
export function BatchActions({ batch }: { batch: CodeBatch }) {
  const [open, setOpen] = useState<"download" | "activate" | "revoke" | null>(null);
  const refusals = useRefusals();
  const { State } = batch;
  const isReplaceable = State === "draft" || State === "ready";
  const close = () => setOpen(null);
  return (
    <Group gap="sm">
      {State !== "revoked" && (
        <MayButton
          variant="default"
          leftSection={<IconCircleX size={16} />}
          refusal={refusals.change}
          onClick={() => setOpen("revoke")}
        >
          {text.revoke.button}
        </MayButton>
      )}
      {isReplaceable && refusals.change === null && (
        <MayButton
          variant={State === "draft" ? "filled" : "default"}
          leftSection={<IconDownload size={16} />}
          refusal={refusals.create}
          onClick={() => setOpen("download")}
        >
          {text.download.title[State]}
        </MayButton>
      )}
      {State === "ready" && (
        <MayButton
          leftSection={<IconCheck size={16} />}
          refusal={refusals.create}
          onClick={() => setOpen("activate")}
        >
          {text.activate.button}
        </MayButton>
      )}
      {open === "download" && <DownloadSheet batch={batch} onClose={close} />}
      {open === "activate" && <ActivateSheet batch={batch} onClose={close} />}
      {open === "revoke" && <RevokeSheet batch={batch} onClose={close} />}
    </Group>
  );
}
