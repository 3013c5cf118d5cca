import type { FactorRecord, TotpEnrolment } from "@gamekeeper/client";
import { ActionIcon, Button, Divider, Group, Modal, Stack, Text, Tooltip } from "@mantine/core";
import { IconDeviceMobile, IconFingerprint, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { carryOut } from "~/change";
import { ConfirmApp, RecoveryCodes } from "~/parts/Enrolment";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { addPasskey, hasPasskeys } from "~/passkeys";
import { toastDone, toastFailed } from "~/toasts";
import { text } from "./text";

/** Second factors: those there are, one more, recovery codes. */
export function Factors() {
  const query = useQuery(get("/api/v1/me/factors"));
  const [app, setApp] = useState<TotpEnrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  function attempt(change: () => Promise<unknown>, done?: string) {
    carryOut(change).then(
      () => done && toastDone(done),
      (error: unknown) => toastFailed(error),
    );
  }

  /** Add a factor; with the first one come recovery codes, as at the first sign-in. */
  async function enrol(add: () => Promise<unknown>) {
    const isFirst = query.data?.Values.length === 0;
    await add();
    setApp(null);
    if (isFirst) setCodes((await gk.post("/api/v1/me/recovery-codes")).Codes);
  }

  return (
    <Answered query={query}>
      {({ Values, RecoveryCodesLeft }) => (
        <Stack gap="sm">
          {Values.map((factor) => (
            <Factor
              key={factor.Id}
              factor={factor}
              onRemove={() =>
                attempt(
                  () =>
                    gk.delete("/api/v1/me/factors/{factor_id}", {
                      params: { path: { factor_id: factor.Id } },
                    }),
                  text.removed,
                )
              }
            />
          ))}
          <Group>
            <Tooltip label={text.noPasskeys} disabled={hasPasskeys}>
              <Button
                variant="default"
                leftSection={<IconFingerprint size={16} />}
                data-disabled={!hasPasskeys || undefined}
                onClick={() =>
                  hasPasskeys &&
                  attempt(() => enrol(() => addPasskey(text.passkeyName)), text.addedToast)
                }
              >
                {text.addPasskey}
              </Button>
            </Tooltip>
            <Button
              variant="default"
              leftSection={<IconDeviceMobile size={16} />}
              onClick={() =>
                attempt(async () => setApp(await gk.post("/api/v1/me/factors/totp", { body: {} })))
              }
            >
              {text.addApp}
            </Button>
          </Group>
          <Divider />
          <Group justify="space-between">
            <Text size="sm">{text.codesLeft(RecoveryCodesLeft)}</Text>
            <Button
              variant="default"
              onClick={() =>
                attempt(async () => setCodes((await gk.post("/api/v1/me/recovery-codes")).Codes))
              }
            >
              {text.newCodes}
            </Button>
          </Group>
          <Modal opened={app !== null} onClose={() => setApp(null)} title={text.addApp}>
            {app && (
              <ConfirmApp
                app={app}
                busy={false}
                onCode={(code) =>
                  attempt(
                    () =>
                      enrol(() =>
                        gk.post("/api/v1/me/factors/totp/confirm", { body: { id: app.Id, code } }),
                      ),
                    text.addedToast,
                  )
                }
              />
            )}
          </Modal>
          <Modal
            opened={codes !== null}
            onClose={() => setCodes(null)}
            title={text.codes}
            // They are shown once: a click beside the dialog must not lose them.
            closeOnClickOutside={false}
            closeOnEscape={false}
          >
            {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
          </Modal>
        </Stack>
      )}
    </Answered>
  );
}

function Factor({ factor, onRemove }: { factor: FactorRecord; onRemove: () => void }) {
  const Icon = factor.Kind === "passkey" ? IconFingerprint : IconDeviceMobile;
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Icon size={20} aria-hidden="true" />
        <div>
          <Text size="sm" fw={600}>
            {factor.Name}
          </Text>
          <Text size="xs" c="dimmed">
            {text.kinds[factor.Kind]} · {text.added} <When at={factor.CreatedAt} /> ·{" "}
            {factor.UsedAt ? (
              <>
                {text.used} <When at={factor.UsedAt} />
              </>
            ) : (
              text.never
            )}
          </Text>
        </div>
      </Group>
      <Tooltip label={text.remove(factor.Name)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={text.remove(factor.Name)}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
