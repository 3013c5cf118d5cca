import { text } from "./text";

/** A service that players sign in with, as people call it; of an OpenID issuer its host. */
export function serviceOf(issuer: string): string {
  return text.identities.services[issuer] ?? new URL(issuer).host;
}
