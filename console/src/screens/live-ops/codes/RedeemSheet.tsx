import type { CodeFacts } from "@gamekeeper/client";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { PlayerPicker } from "~/parts/PlayerPicker";
import { text } from "./text";

const words = text.find.redeem;

interface RedeemSheetProps {
  /** The code that was looked up. */
  code: string;
  facts: CodeFacts;
  onRedeemed: () => void;
  onClose: () => void;
}

/** Redeem a code for a player who cannot: the letter goes to the mailbox of the character. */
export function RedeemSheet({ code, facts, onRedeemed, onClose }: RedeemSheetProps) {
  const [player, setPlayer] = useState<string | null>(null);
  const left = facts.Batch.Uses - facts.Used;
  return (
    <ChangeSheet
      permission="codes.redeem"
      opened
      onClose={onClose}
      title={words.title}
      whom={words.whom(facts.Batch.Subject)}
      subject={{}}
      undoable={false}
      preview={
        player && (
          <BeforeAfter
            changes={[{ key: "left", label: text.revoke.left, before: left, after: left - 1 }]}
          />
        )
      }
      ready={player !== null}
      submitLabel={words.title}
      done={words.done(player ?? "")}
      submit={async (reason, init) => {
        const body = { code, character: player ?? "", ...(reason && { reason }) };
        await gk.post("/api/v1/codes/redeem", { body, ...init });
        onRedeemed();
      }}
    >
      <PlayerPicker
        label={words.player}
        description={words.playerHint}
        nothingFound={words.nobody}
        value={player}
        onChange={setPlayer}
      />
    </ChangeSheet>
  );
}
