import type { Player } from "@gamekeeper/client";
import { NoteList } from "~/parts/sanctions/NoteList";
import { usePlayerRecord } from "~/parts/sanctions/useRecord";
import { Answered, Forbidden } from "~/parts/states";
import { useMay } from "~/session";

/** What staff wrote about the character and its account, for staff only. */
export function NotesTab({ player }: { player: Player }) {
  const record = usePlayerRecord(player.Name);
  const target = { userId: player.UserId, player: { id: player.Id, name: player.Name } };
  if (!useMay("sanctions.read")) return <Forbidden scope="sanctions.read" />;
  return (
    <Answered query={record}>
      {({ Values }) => <NoteList notes={Values} target={target} />}
    </Answered>
  );
}
