import { Box, Button, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./CodeBlock.module.css";
import { text } from "./text";

/** Code or JSON to read and to copy. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <Box className={classes.box}>
      <pre className={classes.code}>{code}</pre>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button
            className={classes.copy}
            size="compact-xs"
            variant="default"
            leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            aria-label={text.api.copy(label)}
            onClick={copy}
          >
            {copied ? text.once.copied : text.once.copy}
          </Button>
        )}
      </CopyButton>
    </Box>
  );
}
