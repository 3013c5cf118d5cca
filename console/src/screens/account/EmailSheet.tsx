import type { User } from "@gamekeeper/client";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

/** Change an account's email, as staff; the log can undo it. */
export function EmailSheet({ user, onClose }: { user: User; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const wanted = email.trim();
  const isNew = wanted.includes("@") && wanted !== user.Email;
  return (
    <ChangeSheet
      permission="users.manage"
      opened
      onClose={onClose}
      title={text.email.title}
      whom={user.Name}
      subject={{ user: user.Name }}
      preview={
        isNew ? (
          <BeforeAfter
            changes={[
              {
                key: "email",
                label: text.facts.email,
                note: text.email.note,
                before: user.Email,
                after: wanted,
              },
            ]}
          />
        ) : null
      }
      ready={isNew}
      submitLabel={text.email.submit}
      done={text.email.done(user.Name)}
      submit={(reason, init) =>
        gk.post("/api/v1/users/{key}/manage/email/change", {
          params: { path: { key: user.Name } },
          body: { new: wanted, ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <TextInput
        label={text.email.label}
        type="email"
        value={email}
        required
        data-autofocus
        autoComplete="off"
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}
