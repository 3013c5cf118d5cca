import { gk } from "~/api";

/** The code of a sign-in link, which an operator made at the terminal: `#link=…`. */
export function linkCode(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("link");
}

/** The code of an invitation to the staff: `#invitation=…`. */
export function invitationCode(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("invitation");
}

let sent: Promise<unknown> | null = null;

/** Exchange the code for a session, once, and take it out of the address. */
export function followLink(): Promise<unknown> {
  const code = linkCode();
  if (code && !sent) {
    history.replaceState(history.state, "", location.pathname + location.search);
    sent = gk.post("/api/v1/session/link", { body: { code } });
  }
  return sent ?? Promise.reject(new Error("no link"));
}
