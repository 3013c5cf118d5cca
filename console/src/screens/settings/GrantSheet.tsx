import type { StaffMember } from "@gamekeeper/client";
import { Autocomplete, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useMay } from "~/session";
import { grant, opposite, roleNames, useRoles, useStaff, withdraw } from "./roles";
import { text } from "./text";

interface GrantSheetProps {
  /** To whom; null: the sheet asks. */
  member: StaffMember | null;
  onClose: () => void;
}

/** Give somebody a role, and see how many rights that brings. */
export function GrantSheet({ member, onClose }: GrantSheetProps) {
  const [name, setName] = useState(member?.Name ?? "");
  const [role, setRole] = useState<string | null>(null);
  const roles = useRoles().data?.Values ?? [];
  const staff = useStaff().data?.Values ?? [];
  const same = (one: StaffMember) => one.Name.toLowerCase() === name.trim().toLowerCase();
  const holder = member ?? staff.find(same);
  const held = roleNames(holder);
  const chosen = roles.find((one) => one.Name === role);
  const gained = chosen?.Scopes.filter((scope) => !holder?.Scopes.includes(scope)) ?? [];
  const ready = name.trim() !== "" && chosen !== undefined;
  return (
    <ChangeSheet
      permission="staff.manage"
      opened
      onClose={onClose}
      title={text.staff.grantTitle}
      whom={text.staff.grantWhom}
      subject={{ user: name }}
      preview={
        ready && (
          <BeforeAfter
            changes={[
              {
                key: "roles",
                label: name,
                note: gained.length > 0 ? text.staff.gains(gained.length) : text.staff.nothingNew,
                before: held.join(", "),
                after: [...held, chosen.Name].join(", "),
              },
            ]}
          />
        )
      }
      ready={ready}
      submitLabel={text.staff.grantNow}
      done={text.staff.granted(name, role ?? "")}
      undoable={false}
      wayBack={opposite((init) => withdraw(name.trim(), role ?? "", text.undo, init))}
      submit={(reason, init) => grant(name.trim(), role ?? "", reason, init)}
    >
      {!member && <Who value={name} onChange={setName} />}
      <Select
        label={text.staff.role}
        data={roles
          .filter((one) => !held.includes(one.Name))
          .map((one) => ({ value: one.Name, label: one.Name }))}
        value={role}
        required
        onChange={setRole}
      />
      {chosen?.Description}
    </ChangeSheet>
  );
}

function Who({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const [typed] = useDebouncedValue(value.trim(), 200);
  const may = useMay("users.query");
  const found = useQuery({
    ...get("/api/v1/users/search", { params: { query: { search: typed, limit: 8 } } }),
    enabled: may && typed.length > 1,
    placeholderData: keepPreviousData,
  });
  return (
    <Autocomplete
      label={text.staff.who}
      description={may ? text.staff.whoHint : undefined}
      data={[...new Set(found.data?.Values.map(({ Name }) => Name))]}
      value={value}
      required
      data-autofocus
      onChange={onChange}
    />
  );
}
