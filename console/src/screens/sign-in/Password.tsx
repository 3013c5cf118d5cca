import { GamekeeperError, hashPassword, type SessionStatus } from "@gamekeeper/client";
import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { text } from "./text";

/** User name and password. The password itself never leaves the browser, only its hash. */
export function Password({ onAnswer }: { onAnswer: (status: SessionStatus) => void }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      const body = { username: username.trim(), password: await hashPassword(password) };
      onAnswer(await gk.post("/api/v1/session", { body }));
    } catch (error) {
      const wait = error instanceof GamekeeperError && error.status === 429 && error.retryAfter;
      const reason = error instanceof Error ? error.message : String(error);
      setRefusal(wait ? text.wait(wait) : reason);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <TextInput
          label={text.username}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="username"
          autoFocus
          required
        />
        <PasswordInput
          label={text.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Button type="submit" loading={busy}>
          {text.go}
        </Button>
      </Stack>
    </form>
  );
}
