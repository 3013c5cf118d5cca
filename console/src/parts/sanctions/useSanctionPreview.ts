import type { ImposedSanction } from "@gamekeeper/client";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import { bodyOf, type Draft } from "./draft";

/**
 * A dry run: which step of the ladder comes next and until when it holds, or why it would be
 * refused. The texts and messages are left out: they change with every key, and nothing here depends on them,
 * but that a sanction without a template needs a reason.
 */
export function useSanctionPreview(draft: Draft): UseQueryResult<ImposedSanction, Error> {
  const body = bodyOf({ ...draft, reason: "preview", message: null, evidence: "", excerpt: [] });
  return useQuery({
    queryKey: ["sanction preview", body],
    queryFn: ({ signal }) =>
      gk.post("/api/v1/sanctions", { body: { ...body, dryrun: true }, signal }),
    enabled: body !== null,
    retry: false,
    placeholderData: draft.template ? undefined : keepPreviousData,
  });
}
