import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { text } from "~/text";

/** An id, which nobody reads: a button that copies it. */
export function CopyId({ id, what = text.copy.id }: { id: string; what?: string }) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? text.copy.done : text.copy.label(what)}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={text.copy.label(what)}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
