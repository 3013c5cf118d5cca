import { GamekeeperError, hashPassword, type SessionStatus } from "@gamekeeper/client";
import { Alert, Button, PasswordInput, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { invitationCode } from "./link";
import { text } from "./text";

const SHORTEST_PASSWORD = 8;

/** Accept an invitation, with a new account or one that exists; the second factor comes next. */
export function Invitation({ onAnswer }: { onAnswer: (status: SessionStatus) => void }) {
  const [code] = useState(() => invitationCode() ?? "");
  const [isNew, setNew] = useState(true);
  const [username, setUsername] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      const status = await gk.post("/api/v1/session/invitation", {
        body: {
          code,
          username: username.trim(),
          password: await hashPassword(password),
          ...(isNew && { email: email.trim() }),
        },
      });
      // Used up: reloaded, the page would offer it again.
      history.replaceState(history.state, "", location.pathname + location.search);
      onAnswer(status);
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
        <SegmentedControl
          aria-label={text.accounts}
          value={isNew ? "new" : "own"}
          data={[
            { value: "new", label: text.newAccount },
            { value: "own", label: text.ownAccount },
          ]}
          onChange={(choice) => setNew(choice === "new")}
        />
        <TextInput
          label={text.username}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="username"
          required
        />
        {isNew && (
          <TextInput
            label={text.email}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoComplete="email"
            required
          />
        )}
        <PasswordInput
          label={text.password}
          description={isNew ? text.newPassword : undefined}
          minLength={isNew ? SHORTEST_PASSWORD : undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete={isNew ? "new-password" : "current-password"}
          required
        />
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Button type="submit" loading={busy}>
          {text.accept}
        </Button>
      </Stack>
    </form>
  );
}
