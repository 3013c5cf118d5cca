import { GamekeeperError } from "@gamekeeper/client";
import { queries } from "~/api";
import { router } from "~/router";

/** A session that was ended elsewhere: to the sign-in, and from there back to this address. */
export function followSessionEnd(): void {
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "error") return;
    const { error } = event.action;
    const { pathname, href } = router.state.location;
    if (!(error instanceof GamekeeperError) || error.status !== 401 || pathname === "/sign-in")
      return;
    void router.navigate({ to: "/sign-in", search: { to: href } });
  });
}
