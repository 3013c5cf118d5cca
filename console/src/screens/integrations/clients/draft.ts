import type { OpenIdClient } from "@gamekeeper/client";

export const KINDS = ["website", "launcher", "discourse"] as const;
export type Kind = (typeof KINDS)[number];

/** What a client may ask for, beside the id of the account. */
export const SCOPES = ["profile", "email", "characters", "roles", "offline_access"] as const;

/** A client as it is typed. */
export interface ClientDraft {
  kind: Kind;
  name: string;
  /** Addresses, one on each line. */
  redirects: string;
  logouts: string;
  backchannel: string;
  scopes: string[];
  asksConsent: boolean;
  requiresPkce: boolean;
  admitsBanned: boolean;
}

export const NEW_CLIENT: ClientDraft = {
  kind: "website",
  name: "",
  redirects: "",
  logouts: "",
  backchannel: "",
  scopes: ["profile", "email"],
  asksConsent: true,
  requiresPkce: true,
  admitsBanned: false,
};

export function kindOf(client: Pick<OpenIdClient, "IsPublic" | "IsDiscourse">): Kind {
  if (client.IsPublic) return "launcher";
  return client.IsDiscourse ? "discourse" : "website";
}

export function draftOf(client: OpenIdClient): ClientDraft {
  return {
    kind: kindOf(client),
    name: client.Name,
    redirects: client.RedirectUris.join("\n"),
    logouts: client.LogoutUris.join("\n"),
    backchannel: client.BackchannelUri ?? "",
    scopes: client.Scopes.filter((scope) => scope !== "openid"),
    asksConsent: client.AsksConsent,
    requiresPkce: client.RequiresPkce,
    admitsBanned: client.AdmitsBanned,
  };
}

export function linesOf(typed: string): string[] {
  return typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What the API takes for a change; a new client has its kind besides. */
export function bodyOf(draft: ClientDraft) {
  const isPublic = draft.kind === "launcher";
  return {
    name: draft.name.trim(),
    redirecturis: linesOf(draft.redirects),
    logouturis: linesOf(draft.logouts),
    backchanneluri: draft.backchannel.trim(),
    scopes: draft.scopes,
    requirespkce: isPublic || draft.requiresPkce,
    asksconsent: isPublic || draft.asksConsent,
    admitsbanned: draft.admitsBanned,
  };
}

export function isComplete(draft: ClientDraft): boolean {
  return draft.name.trim() !== "" && linesOf(draft.redirects).length > 0;
}
