import type { CodeBatch, CodeFacts } from "@gamekeeper/client";
import { useState } from "react";
import { gk, queries } from "~/api";
import { isUncertain, type withReason } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { useNow } from "~/parts/When";
import { save } from "~/save";
import { StepSheet } from "../StepSheet";
import { codesIn, leftOf, stateOf } from "./batch";
import { text } from "./text";

/** Milliseconds. A million codes took 80 seconds on a busy machine. */
const LONGEST_DOWNLOAD = 15 * 60_000;

interface BatchSheetProps {
  batch: CodeBatch;
  onClose: () => void;
}

/** From now on, codes of the batch can be redeemed. */
export function ActivateSheet({ batch, onClose }: BatchSheetProps) {
  return (
    <StepSheet
      permission="codes.manage"
      onClose={onClose}
      title={text.activate.title}
      whom={text.activate.whom}
      preview={<States batch={batch} to="active" />}
      done={text.activate.done(batch.Name)}
      submit={(init) =>
        gk.post("/api/v1/codes/batches/{batch_id}/activate", {
          params: { path: { batch_id: batch.Id } },
          ...init,
        })
      }
    />
  );
}

/** No code of the batch can be redeemed any more. */
export function RevokeSheet({ batch, onClose }: BatchSheetProps) {
  return (
    <StepSheet
      permission="codes.manage"
      onClose={onClose}
      title={text.revoke.title}
      whom={text.revoke.whom}
      preview={<States batch={batch} to="revoked" />}
      done={text.revoke.done(batch.Name)}
      submit={(init) =>
        gk.post("/api/v1/codes/batches/{batch_id}/revoke", {
          params: { path: { batch_id: batch.Id } },
          ...init,
        })
      }
    />
  );
}

/** Make the codes and save them as a file: the only time that they are shown. */
export function DownloadSheet({ batch, onClose }: BatchSheetProps) {
  // The batch turns into a draft while its codes are made; the sheet is about what was before.
  const [{ State, Codes, Name, Id }] = useState(batch);
  const isAgain = State === "ready";

  async function download(init: Sent) {
    try {
      const file = await gk.post("/api/v1/codes/batches/{batch_id}/download", {
        params: { path: { batch_id: Id } },
        ...withoutKey(init),
        timeout: LONGEST_DOWNLOAD,
        deadline: LONGEST_DOWNLOAD,
      });
      if (codesIn(file) !== Codes) throw new Error(text.download.failed);
      save(text.download.file(Name.replaceAll(/[^\p{L}\p{N}-]+/gu, "-")), file, "text/csv");
    } catch (error) {
      // A download that breaks has replaced the earlier codes all the same.
      void queries.invalidateQueries();
      throw isUncertain(error) ? new Error(text.download.failed) : error;
    }
  }

  return (
    <StepSheet
      permission="codes.manage"
      onClose={onClose}
      title={text.download.title[isAgain ? "ready" : "draft"]}
      whom={isAgain ? text.download.whomAgain : text.download.whom}
      preview={
        <BeforeAfter
          changes={[
            { key: "codes", label: text.download.made, before: 0, after: Codes },
            ...(isAgain ? [EARLIER_FILE] : []),
          ]}
        />
      }
      running={text.download.running}
      submitLabel={text.download.submit}
      done={text.download.done(Codes)}
      submit={download}
    />
  );
}

const EARLIER_FILE = {
  key: "file",
  label: text.download.earlier,
  before: text.download.works,
  after: text.download.stops,
};

interface RevokeCodeSheetProps {
  /** The code that was looked up. */
  code: string;
  facts: CodeFacts;
  onRevoked: (facts: CodeFacts) => void;
  onClose: () => void;
}

/** One code can no longer be redeemed. */
export function RevokeCodeSheet({ code, facts, onRevoked, onClose }: RevokeCodeSheetProps) {
  const { Batch, Used } = facts;
  const now = useNow();
  const before = leftOf({ ...Batch, Codes: 1, Redeemed: Used }, now);
  return (
    <StepSheet
      permission="codes.manage"
      onClose={onClose}
      title={text.find.revoke}
      whom={text.find.revokeWhom(Batch.Name)}
      preview={<Change from={stateOf(Batch, now)} to="revoked" left={[before, 0]} />}
      done={text.find.revokedNow}
      submit={async (init) =>
        onRevoked(await gk.post("/api/v1/codes/revoke", { body: { code }, ...withoutKey(init) }))
      }
    />
  );
}

type Sent = ReturnType<typeof withReason>;

/** Answers that show codes or facts about one are not stored under a key. */
function withoutKey({ headers: { "Idempotency-Key": _, ...headers } }: Sent) {
  return { headers };
}

/** The state, and how many redemptions are possible then. */
function States({ batch, to }: { batch: CodeBatch; to: CodeBatch["State"] }) {
  const now = useNow();
  const after = { ...batch, State: to };
  return (
    <Change
      from={stateOf(batch, now)}
      to={stateOf(after, now)}
      left={[leftOf(batch, now), leftOf(after, now)]}
    />
  );
}

interface ChangeProps {
  from: keyof typeof text.states;
  to: keyof typeof text.states;
  left: [number, number];
}

function Change({ from, to, left: [before, after] }: ChangeProps) {
  return (
    <BeforeAfter
      changes={[
        {
          key: "state",
          label: text.columns.state,
          before: text.states[from],
          after: text.states[to],
        },
        { key: "left", label: text.revoke.left, before, after },
      ]}
    />
  );
}
