import { hashPassword, type User } from "@gamekeeper/client";
import { Button, Code, Group, PasswordInput, Text } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { CopyId } from "~/parts/CopyId";
import { text } from "./text";

const SHORTEST = 8;
/** Without letters that look alike: it may be read out. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/** Sixteen random letters in groups of four. */
function makePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const letters = [...bytes].map((byte) => LETTERS[byte % LETTERS.length]);
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join("")).join("-");
}

/** Set a password for somebody who cannot get the mail. Only its hash leaves the browser. */
export function PasswordSheet({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [made, setMade] = useState(false);
  const isShort = password.length > 0 && password.length < SHORTEST;
  return (
    <ChangeSheet
      permission="users.manage"
      opened
      onClose={onClose}
      title={text.password.title}
      whom={user.Name}
      subject={{ user: user.Name }}
      preview={<Text>{text.password.preview}</Text>}
      ready={password.length >= SHORTEST}
      submitLabel={text.password.submit}
      done={text.password.done(user.Name)}
      undoable={false}
      submit={async (reason, init) =>
        gk.post("/api/v1/users/{key}/manage/password/change", {
          params: { path: { key: user.Name } },
          body: { new: await hashPassword(password), ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <PasswordInput
        label={text.password.label}
        description={text.password.hint}
        value={password}
        required
        data-autofocus
        autoComplete="new-password"
        error={isShort ? text.password.short : null}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setMade(false);
        }}
      />
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            setPassword(makePassword());
            setMade(true);
          }}
        >
          {text.password.make}
        </Button>
        {made && (
          <>
            <Code>{password}</Code>
            <CopyId id={password} what={text.password.label.toLowerCase()} />
          </>
        )}
      </Group>
    </ChangeSheet>
  );
}
