import type { Player } from "@gamekeeper/client";
import { Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { ItemName } from "~/parts/ItemCount";
import { LetterItems, type Piece, wholePieces } from "./LetterItems";
import classes from "./mailbox.module.css";
import { text } from "./text";

const words = text.send;
const DAY_MS = 86_400_000;
const USUAL_DAYS = "30";

/** Write a letter to a character, with new items or without. */
export function SendLetterSheet({ player, onClose }: { player: Player; onClose: () => void }) {
  const [subject, setSubject] = useState("");
  const [body, setBody] = useState("");
  const [pieces, setPieces] = useState<Piece[]>([]);
  const [days, setDays] = useState(USUAL_DAYS);
  const whole = wholePieces(pieces);
  const ready = subject.trim() !== "" && whole !== null;

  return (
    <ChangeSheet
      permission="players.items"
      opened
      onClose={onClose}
      title={words.title}
      whom={words.whom(player.Name)}
      subject={{ player: player.Id }}
      preview={
        ready ? (
          <Stack gap="xs">
            <Text size="sm" fw={600}>
              {subject.trim()}
            </Text>
            {body.trim() && (
              <Text size="sm" className={classes.words}>
                {body.trim()}
              </Text>
            )}
            {whole.length > 0 && <NewItems pieces={whole} />}
          </Stack>
        ) : null
      }
      charge={
        whole && whole.length > 0
          ? { pieces: whole.map(({ itemid, quantity }) => ({ item: itemid, count: quantity })) }
          : undefined
      }
      ready={ready}
      submitLabel={words.submit}
      done={words.done(player.Name)}
      submit={(reason, init) =>
        gk.post("/api/v1/players/{key}/mailbox", {
          params: { path: { key: player.Id } },
          body: {
            subject: subject.trim(),
            text: body.trim(),
            items: whole ?? [],
            expiresat: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
            ...(reason && { reason }),
          },
          ...init,
        })
      }
    >
      <TextInput
        label={words.subject}
        value={subject}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <Textarea
        label={words.body}
        value={body}
        maxLength={2_000}
        autosize
        minRows={3}
        maxRows={10}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <LetterItems pieces={pieces} onChange={setPieces} />
      <Select
        label={words.expires}
        description={pieces.length > 0 ? words.expiryHint : undefined}
        data={Object.entries(words.expiry).map(([value, label]) => ({ value, label }))}
        value={days}
        allowDeselect={false}
        onChange={(value) => setDays(value ?? USUAL_DAYS)}
      />
    </ChangeSheet>
  );
}

function NewItems({ pieces }: { pieces: { itemid: string; quantity: number }[] }) {
  return (
    <BeforeAfter
      changes={pieces.map(({ itemid, quantity }, number) => ({
        key: `${number} ${itemid}`,
        itemId: itemid,
        label: <ItemName id={itemid} />,
        note: words.inLetter,
        before: 0,
        after: quantity,
      }))}
    />
  );
}
