import { Alert, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useMay } from "~/session";
import { useHeld } from "./held";
import type { SheetProps } from "./sheet";
import { text } from "./text";

/** Delete an offline character with all it has; the archive keeps it for the undo. */
export function DeleteSheet({ player, server, ...sheet }: SheetProps) {
  const held = useHeld(player.Id, sheet.opened);
  const navigate = useNavigate();
  const mayAccounts = useMay("users.query");
  const mayLog = useMay("actions.read");
  const counts = [...(held.data?.values() ?? [])];
  const items = counts.reduce((sum, { inventory, bank }) => sum + inventory + bank, 0);
  return (
    <ChangeSheet
      permission="players.manage"
      {...sheet}
      title={text.delete.title}
      whom={text.of(player.Name)}
      inGameOn={server}
      subject={{ deletedPlayer: player.Id }}
      undoable={mayLog}
      preview={
        player.Online ? null : (
          <BeforeAfter
            changes={[
              {
                key: "character",
                label: player.Name,
                note: text.delete.level(player.ClassName, player.Level),
                before: text.delete.exists,
                after: text.delete.deleted,
              },
              {
                key: "items",
                label: text.delete.items,
                note: text.delete.itemsNote,
                before: items,
                after: 0,
              },
            ]}
          />
        )
      }
      previewLoading={held.isPending}
      ready={!player.Online}
      submitLabel={text.delete.submit}
      done={text.delete.done(player.Name)}
      submit={async (reason, init) => {
        await gk.delete("/api/v1/players/{key}", {
          params: { path: { key: player.Id } },
          body: { ...(reason && { reason }) },
          ...init,
        });
        // Before the reads of this page are asked again, and answered with 404.
        await navigate(
          mayAccounts
            ? { to: "/accounts/$key", params: { key: player.AccountName || player.UserId } }
            : { to: "/players" },
        );
      }}
    >
      {player.Online ? (
        <Alert color="yellow">{text.delete.online}</Alert>
      ) : (
        <Text size="sm">{text.delete.guild}</Text>
      )}
    </ChangeSheet>
  );
}
