import { Alert, Button, Group, Modal, Stack, Text, Textarea, Title, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useMay } from "~/session";
import { text } from "./text";

interface PrivateSwitchProps {
  /** Null: private messages are not shown. */
  reason: string | null;
  onChange: (reason: string | null) => void;
}

/** Asks why, says that it is recorded, and shows private messages. */
export function PrivateSwitch({ reason, onChange }: PrivateSwitchProps) {
  const [opened, dialog] = useDisclosure(false);
  const may = useMay("chat.private");
  if (reason !== null) {
    return (
      <Button
        variant="default"
        leftSection={<IconEyeOff size={16} />}
        onClick={() => onChange(null)}
      >
        {text.private.hide}
      </Button>
    );
  }
  return (
    <>
      <Tooltip label={text.private.mayNot} disabled={may}>
        <Button
          variant="default"
          leftSection={<IconEye size={16} />}
          data-disabled={!may || undefined}
          aria-disabled={!may}
          onClick={() => may && dialog.open()}
        >
          {text.private.show}
        </Button>
      </Tooltip>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={
          <Title order={2} component="span">
            {text.private.title}
          </Title>
        }
        closeButtonProps={{ "aria-label": text.private.cancel }}
      >
        <Question
          onCancel={dialog.close}
          onReason={(given) => {
            dialog.close();
            onChange(given);
          }}
        />
      </Modal>
    </>
  );
}

interface QuestionProps {
  onCancel: () => void;
  onReason: (reason: string) => void;
}

function Question({ onCancel, onReason }: QuestionProps) {
  const [typed, setTyped] = useState("");
  const reason = typed.trim();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason) onReason(reason);
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Alert icon={<IconEye />} color="blue" title={text.private.notice}>
          {text.private.noticeHint}
        </Alert>
        <Textarea
          data-autofocus
          label={text.private.reason}
          description={text.private.reasonHint}
          required
          maxLength={500}
          autosize
          minRows={2}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {text.private.cancel}
          </Button>
          <Button type="submit" disabled={!reason}>
            {text.private.go}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** That private messages are on the screen, and why. */
export function PrivateNotice({ reason }: { reason: string }) {
  return (
    <Alert icon={<IconEye />} color="blue" role="status">
      {text.private.shown}{" "}
      <Text span inherit>
        {text.private.because(reason)}
      </Text>
    </Alert>
  );
}
