import type { CreatedOpenIdClient, OpenIdClient } from "@gamekeeper/client";
import { gk } from "~/api";
import { withReason } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

interface SheetProps {
  client: OpenIdClient;
  onClose: () => void;
}

interface RenewSheetProps extends SheetProps {
  onRenewed: (client: CreatedOpenIdClient) => void;
}

export function RenewSheet({ client, onClose, onRenewed }: RenewSheetProps) {
  const words = text.renewing;
  const { label, before, after } = words;
  return (
    <ChangeSheet
      permission="keys.manage"
      opened
      onClose={onClose}
      title={words.title(client.Name)}
      whom={words.whom}
      subject={{}}
      preview={<BeforeAfter changes={[{ key: "secret", label, before, after }]} />}
      ready
      submitLabel={words.now}
      done={words.done}
      undoable={false}
      submit={async (reason, init) =>
        onRenewed(
          await gk.post("/api/v1/openid-clients/{client_id}/secret", {
            params: { path: { client_id: client.Id } },
            ...withReason(init, reason),
          }),
        )
      }
    />
  );
}

export function SignOutSheet({ client, onClose }: SheetProps) {
  const words = text.signingOut;
  const before = words.before(client.SignIns);
  return (
    <ChangeSheet
      permission="keys.manage"
      opened
      onClose={onClose}
      title={words.title(client.Name)}
      whom={words.whom}
      subject={{}}
      preview={
        <BeforeAfter
          changes={[{ key: client.Id, label: client.Name, before, after: words.after }]}
        />
      }
      ready
      submitLabel={words.now}
      done={words.done(client.Name)}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/openid-clients/{client_id}/sign-out", {
          params: { path: { client_id: client.Id } },
          ...withReason(init, reason),
        })
      }
    />
  );
}

export function RemoveSheet({
  client,
  onClose,
  onRemoved,
}: SheetProps & { onRemoved: () => void }) {
  const words = text.removing;
  return (
    <ChangeSheet
      permission="keys.manage"
      opened
      onClose={onClose}
      title={words.title(client.Name)}
      whom={words.whom}
      subject={{}}
      preview={
        <BeforeAfter
          changes={[
            { key: client.Id, label: client.Name, before: text.form.registered, after: null },
          ]}
        />
      }
      ready
      submitLabel={words.now}
      done={words.done(client.Name)}
      undoable={false}
      submit={async (reason, init) => {
        await gk.delete("/api/v1/openid-clients/{client_id}", {
          params: { path: { client_id: client.Id } },
          ...withReason(init, reason),
        });
        onRemoved();
      }}
    />
  );
}
