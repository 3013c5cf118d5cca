import type { User } from "@gamekeeper/client";
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

const words = text.identities;

/** Link the identity for which a Discord bot gave the player a code. */
export function LinkIdentitySheet({ user, onClose }: { user: User; onClose: () => void }) {
  const [code, setCode] = useState("");
  const ready = code.trim() !== "";
  return (
    <ChangeSheet
      permission="identities.manage"
      opened
      onClose={onClose}
      title={words.linkTitle}
      whom={user.Name}
      subject={{ user: user.Name }}
      preview={ready ? <Text size="sm">{words.linkPreview}</Text> : null}
      ready={ready}
      undoable={false}
      submitLabel={words.linkSubmit}
      done={words.linkDone(user.Name)}
      submit={(reason, init) =>
        gk.post("/api/v1/users/{key}/identities/link", {
          params: { path: { key: user.Id } },
          body: { code: code.trim() },
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    >
      <TextInput
        label={words.code}
        description={words.codeHint}
        value={code}
        required
        data-autofocus
        autoComplete="off"
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}
