import type { Case } from "@gamekeeper/client";
import { gk } from "~/api";
import type { Impose } from "~/parts/sanctions/Composer";

/** Imposes a sanction by closing the case with it, in one transaction. */
export function closeWith(about: Case): Impose {
  return async ({ player, user: _, kind, durationseconds, ...words }, init) => {
    const closed = await gk.post("/api/v1/cases/{id}/close", {
      params: { path: { id: about.Id } },
      body: {
        ...words,
        ...(kind && { outcome: kind }),
        ...(durationseconds !== undefined && { durationseconds }),
        on: player ? "character" : "account",
      },
      ...init,
    });
    const key = closed.SanctionId ?? "";
    const found = await gk.get("/api/v1/sanctions/{key}", { params: { path: { key } } });
    return { ...found, DryRun: false };
  };
}
