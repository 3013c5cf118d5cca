import type { LimitsRecord, RoleRecord } from "@gamekeeper/client";
import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter, type Change } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { LimitFields } from "~/parts/rights/LimitFields";
import { LIMITS, limitsBody, NO_LIMITS } from "~/parts/rights/limits";
import { ScopePicker } from "~/parts/rights/ScopePicker";
import { summary, titleOf } from "~/parts/rights/scopes";
import { text as rights } from "~/parts/rights/text";
import { opposite } from "./roles";
import { text } from "./text";

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

interface Draft {
  description: string;
  scopes: string[];
  limits: LimitsRecord;
}

const bodyOf = ({ description, scopes, limits }: Draft, builtIn: boolean) => ({
  limits: limitsBody(limits),
  ...(!builtIn && { description, scopes }),
});

interface RoleSheetProps {
  /** The one to change; null: a new one. */
  record: RoleRecord | null;
  onClose: () => void;
}

/** Make a role, or change one; of a built-in one, the limits. */
export function RoleSheet({ record: role, onClose }: RoleSheetProps) {
  const was: Draft = {
    description: role?.Description ?? "",
    scopes: role?.Scopes ?? [],
    limits: role?.Limits ?? NO_LIMITS,
  };
  const [name, setName] = useState(role?.Name ?? "");
  const [draft, setDraft] = useState(was);
  const isBuiltIn = role?.BuiltIn === true;
  const set = (parts: Partial<Draft>) => setDraft({ ...draft, ...parts });
  const changes = role ? changesOf(was, draft) : newOne(name, draft);
  const params = { path: { role: name } };
  return (
    <ChangeSheet
      permission="staff.manage"
      opened
      onClose={onClose}
      title={role ? text.roles.changeTitle(role.Name) : text.roles.newTitle}
      whom={role ? text.roles.changeWhom(role.Members) : text.roles.newWhom}
      subject={{}}
      preview={changes.length > 0 && <BeforeAfter changes={changes} />}
      ready={changes.length > 0 && (role !== null || NAME.test(name))}
      submitLabel={role ? text.roles.save : text.roles.create}
      done={role ? text.roles.changed(name) : text.roles.created(name)}
      undoable={false}
      wayBack={opposite((init) =>
        role
          ? gk.patch("/api/v1/roles/{role}", { params, body: bodyOf(was, isBuiltIn), ...init })
          : gk.delete("/api/v1/roles/{role}", { params, ...init }),
      )}
      submit={(reason, init) => {
        const why = reason ? { reason } : {};
        const body = { ...bodyOf(draft, isBuiltIn), ...why };
        return role
          ? gk.patch("/api/v1/roles/{role}", { params, body, ...init })
          : gk.post("/api/v1/roles", { body: { ...body, name, scopes: draft.scopes }, ...init });
      }}
    >
      {!role && (
        <TextInput
          label={text.roles.name}
          description={text.roles.nameHint}
          value={name}
          required
          maxLength={32}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value.toLowerCase())}
        />
      )}
      {!isBuiltIn && (
        <>
          <TextInput
            label={text.roles.description}
            value={draft.description}
            maxLength={200}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <ScopePicker value={draft.scopes} onChange={(scopes) => set({ scopes })} />
        </>
      )}
      <LimitFields value={draft.limits} onChange={(limits) => set({ limits })} />
    </ChangeSheet>
  );
}

function newOne(name: string, draft: Draft): Change[] {
  if (name === "" || draft.scopes.length === 0) return [];
  const note = summary(draft.scopes, 4);
  return [{ key: "new", label: name, note, before: null, after: text.roles.newRole }];
}

function changesOf(was: Draft, now: Draft): Change[] {
  const gained = now.scopes.filter((scope) => !was.scopes.includes(scope));
  const lost = was.scopes.filter((scope) => !now.scopes.includes(scope));
  const { allowed, notAllowed } = text.roles;
  const limits = LIMITS.filter((limit) => was.limits[limit] !== now.limits[limit]);
  return [
    ...(was.description === now.description
      ? []
      : [
          {
            key: "description",
            label: text.roles.description,
            before: was.description,
            after: now.description,
          },
        ]),
    ...gained.map((key) => ({ key, label: titleOf(key), before: notAllowed, after: allowed })),
    ...lost.map((key) => ({ key, label: titleOf(key), before: allowed, after: notAllowed })),
    ...limits.map((limit) => ({
      key: limit,
      label: rights.limitNames[limit],
      before: was.limits[limit] ?? rights.noLimit,
      after: now.limits[limit] ?? rights.noLimit,
    })),
  ];
}

export function DeleteRoleSheet({ role, onClose }: { role: RoleRecord; onClose: () => void }) {
  const navigate = useNavigate();
  const { Name: name, Members: members } = role;
  return (
    <ChangeSheet
      permission="staff.manage"
      opened
      onClose={onClose}
      title={text.roles.deleteTitle(name)}
      whom={text.roles.deleteWhom(members)}
      subject={{}}
      preview={
        <BeforeAfter
          changes={[{ key: name, label: text.roles.deleteRow, before: members, after: 0 }]}
        />
      }
      ready
      submitLabel={text.roles.deleteNow}
      done={text.roles.deleted(name)}
      undoable={false}
      submit={async (reason, init) => {
        await gk.delete("/api/v1/roles/{role}", {
          params: { path: { role: name }, query: { withdraw: members > 0 } },
          ...init,
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        });
        void navigate({ to: "/settings", search: { tab: "roles" } });
      }}
    />
  );
}
