import { Alert, Anchor, Button, Divider, Stack, TextInput } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { hasPasskeys, verifyPasskey } from "~/passkeys";

export type Method = "passkey" | "recovery" | "totp";

const text = {
  passkey: "Use a passkey",
  or: "or",
  code: "Code of your authenticator app",
  recovery: "Recovery code",
  useRecovery: "Use a recovery code instead",
  useCode: "Use the authenticator app instead",
  go: "Continue",
  noPasskey: "This browser, or this address, cannot use passkeys.",
};

interface SecondFactorProps {
  methods: Method[];
  onPassed: () => void;
}

/** The second factor: a passkey, a code, or a recovery code. */
export function SecondFactor({ methods, onPassed }: SecondFactorProps) {
  const [code, setCode] = useState("");
  const [recovery, setRecovery] = useState(!methods.includes("totp"));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function prove(proof: () => Promise<unknown>) {
    setBusy(true);
    setRefusal(null);
    try {
      await proof();
      onPassed();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const path = recovery ? "/api/v1/session/recovery" : "/api/v1/session/totp";
    void prove(() => gk.post(path, { body: { code: code.trim() } }));
  }

  const hasCodes = methods.includes("totp") || methods.includes("recovery");
  return (
    <Stack>
      {methods.includes("passkey") && (
        <Button
          leftSection={<IconFingerprint size={18} />}
          disabled={!hasPasskeys}
          loading={busy}
          onClick={() => void prove(verifyPasskey)}
        >
          {hasPasskeys ? text.passkey : text.noPasskey}
        </Button>
      )}
      {methods.includes("passkey") && hasCodes && <Divider label={text.or} />}
      {hasCodes && (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={recovery ? text.recovery : text.code}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              inputMode={recovery ? "text" : "numeric"}
              autoComplete="one-time-code"
              data-autofocus
              autoFocus
              required
            />
            <Button type="submit" loading={busy} disabled={!code.trim()}>
              {text.go}
            </Button>
          </Stack>
        </form>
      )}
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      {methods.includes("totp") && methods.includes("recovery") && (
        <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!recovery)}>
          {recovery ? text.useCode : text.useRecovery}
        </Anchor>
      )}
    </Stack>
  );
}
