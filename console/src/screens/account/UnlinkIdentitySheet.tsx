import type { LinkedIdentity, User } from "@gamekeeper/client";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

const words = text.identities;

interface UnlinkIdentitySheetProps {
  user: User;
  identity: LinkedIdentity;
  service: string;
  onClose: () => void;
}

/** Unlink an identity, as staff; the sheet says what the player loses. */
export function UnlinkIdentitySheet(props: UnlinkIdentitySheetProps) {
  const { user, identity, service, onClose } = props;
  return (
    <ChangeSheet
      permission="identities.manage"
      opened
      onClose={onClose}
      title={words.unlinkTitle}
      whom={user.Name}
      subject={{ user: user.Name }}
      preview={
        <BeforeAfter
          changes={[
            {
              key: "identity",
              label: `${service}: ${identity.DisplayName ?? identity.Subject}`,
              note: words.unlinkNote,
              before: words.isLinked,
              after: words.isNotLinked,
            },
          ]}
        />
      }
      ready
      undoable={false}
      submitLabel={words.unlinkSubmit}
      done={words.unlinkDone(service, user.Name)}
      submit={(reason, init) =>
        gk.delete("/api/v1/users/{key}/identities/{identity_id}", {
          params: { path: { key: user.Id, identity_id: identity.Id } },
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    />
  );
}
