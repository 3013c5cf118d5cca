import type { Letter, Player } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { ItemName } from "~/parts/ItemCount";
import { useHeld } from "../changes/held";
import { type LetterChange, piecesOf } from "./letter";
import { text } from "./text";

interface LetterSheetProps {
  player: Player;
  letter: Letter;
  change: LetterChange;
  onClose: () => void;
}

/** Withdraw, claim or delete a letter that was sent. */
export function LetterSheet({ player, letter, change, onClose }: LetterSheetProps) {
  const words = text.changes[change];
  const subject = letter.Subject;
  return (
    <ChangeSheet
      permission="players.items"
      opened
      onClose={onClose}
      title={words.title}
      whom={subject === null ? text.ofHidden(player.Name) : text.of(subject, player.Name)}
      subject={{ player: player.Id }}
      preview={<Preview player={player} letter={letter} change={change} />}
      ready
      submitLabel={words.label}
      done={words.done(player.Name)}
      submit={(reason, init) => send(letter, change, reason, init)}
    />
  );
}

function send(letter: Letter, change: LetterChange, reason: string, init: ChangeInit) {
  const about = {
    params: { path: { key: letter.PlayerId, letter_id: letter.Id } },
    headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
  };
  const path = "/api/v1/players/{key}/mailbox/{letter_id}";
  return change === "delete" ? gk.delete(path, about) : gk.post(`${path}/${change}`, about);
}

function Preview({ player, letter, change }: Omit<LetterSheetProps, "onClose">) {
  const pieces = piecesOf(letter);
  const held = useHeld(player.Id, change === "claim");
  if (change === "delete" || pieces.length === 0)
    return <Text size="sm">{text.changes[change].noItems}</Text>;
  return (
    <BeforeAfter
      changes={pieces.map(([id, count]) => {
        const has = change === "claim" ? (held.data?.get(id)?.inventory ?? 0) : count;
        return {
          key: id,
          itemId: id,
          label: <ItemName id={id} />,
          note: change === "claim" ? text.changes.claim.note : fateOf(letter),
          before: has,
          after: change === "claim" ? has + count : 0,
        };
      })}
    />
  );
}

/** What becomes of the items of a letter that is withdrawn. */
function fateOf({ OnExpiry, Sender }: Letter): string {
  const words = text.changes.withdraw;
  return OnExpiry === "return" && Sender.Name ? words.returned(Sender.Name) : words.destroyed;
}
