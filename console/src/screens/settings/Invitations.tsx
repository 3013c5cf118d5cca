import type { Invitation } from "@gamekeeper/client";
import { Badge, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { withReason } from "~/change";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { AccountLink } from "~/parts/people";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "./text";

/** The invitations of the last weeks; nothing while there are none. */
export function Invitations() {
  const [ending, setEnding] = useState<Invitation | null>(null);
  const found = useQuery(get("/api/v1/staff/invitations", { params: { query: { pageSize: 100 } } }))
    .data?.Values;
  if (!found || found.length === 0) return null;
  const columns: Column<Invitation>[] = [
    {
      key: "role",
      title: text.invite.role,
      cell: (one) => (
        <div>
          <Badge variant="default">{one.Role}</Badge>
          {one.Email && <Text size="sm">{one.Email}</Text>}
        </div>
      ),
    },
    {
      key: "state",
      title: text.invite.state,
      cell: (one) => (
        <Text size="sm" component="div">
          {text.invite.states[one.State]}
          {one.AcceptedByName && (
            <>
              {": "}
              <AccountLink name={one.AcceptedByName} />
            </>
          )}
        </Text>
      ),
    },
    {
      key: "by",
      title: text.invite.invitedBy,
      secondary: true,
      cell: (one) => <Text size="sm">{one.CreatedByName}</Text>,
    },
    {
      key: "expires",
      title: text.invite.expires,
      secondary: true,
      cell: (one) => <When at={one.ExpiresAt} size="sm" />,
    },
    {
      key: "revoke",
      title: <VisuallyHidden>{text.invite.revoke}</VisuallyHidden>,
      cell: (one) => one.State === "open" && <Revoke of={one} onClick={() => setEnding(one)} />,
    },
  ];
  return (
    <Stack gap="xs" mt="md">
      <Title order={2}>{text.invite.list}</Title>
      <DataTable label={text.invite.list} columns={columns} rows={found} rowKey={(one) => one.Id} />
      {ending && <RevokeSheet invitation={ending} onClose={() => setEnding(null)} />}
    </Stack>
  );
}

function Revoke({ of: { Role }, onClick }: { of: Invitation; onClick: () => void }) {
  const may = useMay("staff.manage");
  return (
    <MayButton
      variant="default"
      size="compact-sm"
      refusal={may ? null : text.mayNot}
      aria-label={text.invite.revokeLabel(Role)}
      onClick={onClick}
    >
      {text.invite.revoke}
    </MayButton>
  );
}

function RevokeSheet({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  return (
    <ChangeSheet
      permission="staff.manage"
      opened
      onClose={onClose}
      title={text.invite.revokeTitle}
      whom={text.invite.revokeWhom(invitation.Role)}
      subject={{}}
      undoable={false}
      preview={<Text size="sm">{text.invite.revokePreview}</Text>}
      ready
      submitLabel={text.invite.revoke}
      done={text.invite.revoked}
      submit={(reason, init) =>
        gk.delete("/api/v1/staff/invitations/{id}", {
          params: { path: { id: invitation.Id } },
          ...withReason(init, reason),
        })
      }
    />
  );
}
