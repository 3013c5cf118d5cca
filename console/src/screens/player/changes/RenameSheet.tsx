import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import type { SheetProps } from "./sheet";
import { text } from "./text";

/** Rename the character; the page moves on to the new name. */
export function RenameSheet({ player, server, ...sheet }: SheetProps) {
  const [typed, setName] = useState(player.Name);
  const navigate = useNavigate({ from: "/players/$key" });
  const name = typed.trim();
  const ready = name !== "" && name !== player.Name;
  return (
    <ChangeSheet
      permission="players.manage"
      {...sheet}
      title={text.rename.title}
      whom={text.of(player.Name)}
      inGameOn={server}
      subject={{ player: player.Id }}
      preview={
        ready ? (
          <BeforeAfter
            changes={[{ key: "name", label: text.rename.name, before: player.Name, after: name }]}
          />
        ) : null
      }
      ready={ready}
      submitLabel={text.rename.title}
      done={text.rename.done(player.Name, name)}
      submit={async (reason, init) => {
        await gk.post("/api/v1/players/{key}/name", {
          params: { path: { key: player.Id } },
          body: { name, ...(reason && { reason }) },
          ...init,
        });
        // By the id, which an undo of the name does not change.
        await navigate({ params: { key: player.Id }, search: (now) => now, replace: true });
      }}
    >
      <TextInput
        label={text.rename.name}
        value={typed}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        required
      />
    </ChangeSheet>
  );
}
