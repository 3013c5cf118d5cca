import { Alert, Anchor, Button, Divider, Stack, TextInput } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { hasPasskeys, verifyPasskey } from "~/passkeys";
import { text } from "./text";

export type Method = "passkey" | "recovery" | "totp";

interface SecondFactorProps {
  methods: Method[];
  onPassed: () => void;
}

/** The field to begin with; null: none, a passkey will do. A recovery code is the last resort. */
function firstField(methods: Method[]): "recovery" | "totp" | null {
  if (methods.includes("totp")) return "totp";
  if (methods.includes("passkey") && hasPasskeys) return null;
  return methods.includes("recovery") ? "recovery" : null;
}

/** The second factor: a passkey, a code, or a recovery code. */
export function SecondFactor({ methods, onPassed }: SecondFactorProps) {
  const [code, setCode] = useState("");
  const [field, setField] = useState(() => firstField(methods));
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
    const path = field === "recovery" ? "/api/v1/session/recovery" : "/api/v1/session/totp";
    void prove(() => gk.post(path, { body: { code: code.trim() } }));
  }

  function change(next: "recovery" | "totp") {
    setField(next);
    setCode("");
    setRefusal(null);
  }

  const isRecovery = field === "recovery";
  return (
    <Stack>
      {methods.includes("passkey") && (
        <Button
          leftSection={<IconFingerprint size={18} />}
          disabled={!hasPasskeys}
          data-autofocus={field === null || undefined}
          autoFocus={field === null}
          loading={busy}
          onClick={() => void prove(verifyPasskey)}
        >
          {hasPasskeys ? text.secondFactor.passkey : text.secondFactor.noPasskey}
        </Button>
      )}
      {methods.includes("passkey") && field && <Divider label={text.secondFactor.or} />}
      {field && (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              key={field}
              label={isRecovery ? text.secondFactor.recovery : text.secondFactor.code}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              inputMode={isRecovery ? "text" : "numeric"}
              autoComplete="one-time-code"
              data-autofocus
              autoFocus
              required
            />
            <Button type="submit" loading={busy} disabled={!code.trim()}>
              {text.secondFactor.go}
            </Button>
          </Stack>
        </form>
      )}
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      {methods.includes("recovery") && !isRecovery && (
        <Anchor component="button" type="button" size="sm" onClick={() => change("recovery")}>
          {text.secondFactor.useRecovery}
        </Anchor>
      )}
      {methods.includes("totp") && isRecovery && (
        <Anchor component="button" type="button" size="sm" onClick={() => change("totp")}>
          {text.secondFactor.useCode}
        </Anchor>
      )}
    </Stack>
  );
}
