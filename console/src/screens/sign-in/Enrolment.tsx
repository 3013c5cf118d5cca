import type { TotpEnrolment } from "@gamekeeper/client";
import { Alert, Button, Stack } from "@mantine/core";
import { IconDeviceMobile, IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { gk } from "~/api";
import { ConfirmApp, RecoveryCodes } from "~/parts/Enrolment";
import { addPasskey, hasPasskeys } from "~/passkeys";
import { text } from "./text";

/** The first second factor, then recovery codes. */
export function Enrolment({ onDone }: { onDone: () => void }) {
  const [app, setApp] = useState<TotpEnrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function attempt(step: () => Promise<unknown>) {
    setBusy(true);
    setRefusal(null);
    try {
      await step();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  async function finish() {
    setCodes((await gk.post("/api/v1/me/recovery-codes")).Codes);
  }

  if (codes) return <RecoveryCodes codes={codes} onKept={onDone} />;
  return (
    <Stack>
      {app ? (
        <ConfirmApp
          app={app}
          busy={busy}
          onCode={(code) =>
            void attempt(async () => {
              await gk.post("/api/v1/me/factors/totp/confirm", { body: { id: app.Id, code } });
              await finish();
            })
          }
        />
      ) : (
        <>
          {hasPasskeys && (
            <Button
              leftSection={<IconFingerprint size={18} />}
              loading={busy}
              onClick={() =>
                void attempt(async () => {
                  await addPasskey(text.passkeyName);
                  await finish();
                })
              }
            >
              {text.passkey}
            </Button>
          )}
          <Button
            variant={hasPasskeys ? "default" : "filled"}
            leftSection={<IconDeviceMobile size={18} />}
            loading={busy}
            onClick={() =>
              void attempt(async () =>
                setApp(await gk.post("/api/v1/me/factors/totp", { body: {} })),
              )
            }
          >
            {text.app}
          </Button>
        </>
      )}
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
    </Stack>
  );
}
