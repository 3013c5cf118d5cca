import type { Server } from "@gamekeeper/client";
import {
  Alert,
  Blockquote,
  Code,
  JsonInput,
  SegmentedControl,
  Text,
  Textarea,
} from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

interface SendSheetProps {
  server: Server;
  opened: boolean;
  onClose: () => void;
}

/** A message to all who play on a server, or a command of the game's own. */
export function SendSheet({ server, opened, onClose }: SendSheetProps) {
  const [kind, setKind] = useState<"message" | "custom">("message");
  const [message, setMessage] = useState("");
  const [typed, setTyped] = useState("");
  const payload = objectOf(typed);
  const isReady = kind === "message" ? message.trim() !== "" : payload !== null;

  function close() {
    setMessage("");
    setTyped("");
    onClose();
  }

  const preview =
    kind === "message" ? (
      <>
        <Text size="sm">{text.previewMessage}</Text>
        <Blockquote p="sm" mt={4}>
          {message.trim()}
        </Blockquote>
      </>
    ) : (
      <>
        <Text size="sm">{text.previewCustom}</Text>
        <Code block>{JSON.stringify(payload, null, 2)}</Code>
      </>
    );
  return (
    <ChangeSheet
      permission="commands"
      opened={opened}
      onClose={close}
      title={text.send}
      whom={text.sendTo(server.Name, server.Online)}
      subject={{}}
      preview={isReady ? preview : null}
      ready={isReady}
      submitLabel={text.submit}
      done={text.sent(server.Name)}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/servers/{server_id}/commands", {
          params: { path: { server_id: server.Id } },
          body: {
            kind,
            ...(kind === "message" ? { text: message.trim() } : { payload: payload ?? {} }),
            ...(reason && { reason }),
          },
          ...init,
        })
      }
    >
      {!server.Alive && <Alert color="yellow">{text.sendDown}</Alert>}
      <SegmentedControl
        aria-label={text.kind}
        value={kind}
        data={[
          { value: "message", label: text.kinds.message },
          { value: "custom", label: text.kinds.custom },
        ]}
        onChange={(chosen) => setKind(chosen === "custom" ? "custom" : "message")}
      />
      {kind === "message" ? (
        <Textarea
          label={text.message}
          data-autofocus
          autosize
          minRows={2}
          maxLength={500}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      ) : (
        <JsonInput
          label={text.payload}
          autosize
          minRows={4}
          value={typed}
          error={typed !== "" && payload === null ? text.badPayload : undefined}
          onChange={setTyped}
        />
      )}
    </ChangeSheet>
  );
}

function objectOf(typed: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(typed);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
