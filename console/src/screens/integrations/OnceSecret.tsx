import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CodeBlock } from "./CodeBlock";
import { text } from "./text";

interface OnceSecretProps {
  title: string;
  /** Null: the service does not show it a second time. */
  secret: string | null;
  children?: ReactNode;
  onClose: () => void;
}

/** A secret that is shown this once; a click beside the dialog does not lose it. */
export function OnceSecret({ title, secret, children, onClose }: OnceSecretProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ "aria-label": text.close }}
    >
      <Stack>
        {secret ? (
          <>
            <Alert icon={<IconEyeOff />} color="yellow">
              {text.once.hint}
            </Alert>
            <CodeBlock code={secret} label={title} />
            {children}
          </>
        ) : (
          <Text>{text.once.repeated}</Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {text.once.kept}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
