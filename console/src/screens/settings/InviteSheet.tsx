import type { CreatedInvitation } from "@gamekeeper/client";
import { Alert, Button, CopyButton, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useRoles } from "./roles";
import { text } from "./text";

const DAYS = [1, 3, 7, 14];

/** Invite a person by a link: it is shown once, and mailed if there is an address. */
export function InviteSheet({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<string | null>(null);
  const [days, setDays] = useState<string | null>("3");
  const [typed, setEmail] = useState("");
  const roles = useRoles().data?.Values ?? [];
  const chosen = roles.find((one) => one.Name === role);
  const email = typed.trim();
  const ready = chosen !== undefined && (email === "" || email.includes("@"));
  return (
    <ChangeSheet<CreatedInvitation>
      permission="staff.manage"
      opened
      onClose={onClose}
      title={text.invite.sheetTitle}
      whom={text.invite.whom}
      subject={{}}
      undoable={false}
      preview={
        ready && (
          <BeforeAfter
            changes={[
              {
                key: "role",
                label: email || text.invite.person,
                note: text.invite.note(chosen.Scopes.length),
                before: null,
                after: chosen.Name,
              },
            ]}
          />
        )
      }
      ready={ready}
      submitLabel={text.invite.submit}
      done={text.invite.done}
      outcome={(made) => <Link made={made} email={email} />}
      submit={(reason, init) =>
        gk.post("/api/v1/staff/invitations", {
          body: {
            role: role ?? "",
            days: Number(days),
            ...(email && { email }),
            ...(reason && { reason }),
          },
          ...init,
        })
      }
    >
      <Select
        label={text.invite.role}
        data={roles.map(({ Name }) => Name)}
        value={role}
        required
        data-autofocus
        onChange={setRole}
      />
      {chosen?.Description}
      <Select
        label={text.invite.days}
        data={DAYS.map((count) => ({ value: String(count), label: text.invite.dayCounts(count) }))}
        value={days}
        allowDeselect={false}
        onChange={setDays}
      />
      <TextInput
        label={text.invite.email}
        description={text.invite.emailHint}
        type="email"
        value={typed}
        maxLength={254}
        autoComplete="off"
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}

function Link({ made, email }: { made: CreatedInvitation; email: string }) {
  return (
    <Stack>
      {email && (
        <Alert color={made.Mailed ? "moss" : "yellow"}>
          {made.Mailed ? text.invite.mailed(email) : text.invite.notMailed}
        </Alert>
      )}
      <TextInput
        label={text.invite.link}
        description={text.invite.once}
        value={made.Link ?? ""}
        readOnly
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={made.Link ?? ""}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? text.invite.copied : text.invite.copy}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
