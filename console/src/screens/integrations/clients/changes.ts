import type { OpenIdClient } from "@gamekeeper/client";
import type { Change } from "~/parts/BeforeAfter";
import { type ClientDraft, draftOf, linesOf } from "./draft";
import { text } from "./text";
import { scopesInWords } from "./words";

/** What a form would change, line by line. */
export function changesOf(client: OpenIdClient | null, draft: ClientDraft): Change[] {
  if (!client) {
    const label = draft.name.trim();
    return [
      {
        key: "new",
        label,
        note: scopesInWords(draft.scopes),
        before: null,
        after: text.form.newOne,
      },
    ];
  }
  const before = inWords(draftOf(client));
  const after = inWords(draft);
  return ROWS.filter(({ key }) => before[key] !== after[key]).map(({ key, label }) => ({
    key,
    label,
    before: before[key],
    after: after[key],
  }));
}

const ROWS = [
  { key: "name", label: text.name },
  { key: "redirects", label: text.redirects },
  { key: "scopes", label: text.may },
  { key: "logouts", label: text.logouts },
  { key: "backchannel", label: text.backchannel },
  { key: "consent", label: text.consent },
  { key: "pkce", label: text.pkce },
  { key: "banned", label: text.banned },
] as const;

function inWords(draft: ClientDraft) {
  return {
    name: draft.name.trim(),
    redirects: linesOf(draft.redirects).join(" "),
    scopes: scopesInWords([...draft.scopes].sort()) || text.scopes.openid,
    logouts: linesOf(draft.logouts).join(" ") || text.nowhere,
    backchannel: draft.backchannel.trim() || text.nowhere,
    consent: draft.asksConsent ? text.consents.asked : text.consents.trusted,
    pkce: draft.requiresPkce ? text.pkces.required : text.pkces.optional,
    banned: draft.admitsBanned ? text.banneds.admitted : text.banneds.refused,
  };
}
