import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import type { SheetProps } from "./sheet";
import { text } from "./text";

interface CommandSheetProps extends SheetProps {
  kind: "message" | "kick" | "kill";
}

/** Write to somebody in the game, put them out of it, or kill the character. */
export function CommandSheet({ player, server, kind, ...sheet }: CommandSheetProps) {
  const [typed, setText] = useState("");
  const said = typed.trim();
  const words = text[kind];
  const ready = kind === "message" ? said !== "" : player.Online;
  return (
    <ChangeSheet
      permission="commands"
      {...sheet}
      title={words.title}
      whom={text.to(player.Name)}
      inGameOn={server}
      subject={{ player: player.Id }}
      preview={ready ? <Text size="sm">{words.preview(player.Online)}</Text> : null}
      ready={ready}
      submitLabel={words.title}
      done={words.done(player.Name)}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/players/{key}/commands", {
          params: { path: { key: player.Id } },
          body: {
            kind,
            ...(said && { text: said }),
            ...(kind === "message" && { when: "next_join" as const }),
            ...(reason && { reason }),
          },
          ...init,
        })
      }
    >
      {"text" in words && (
        <Textarea
          label={words.text}
          value={typed}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
          required={kind === "message"}
        />
      )}
    </ChangeSheet>
  );
}
