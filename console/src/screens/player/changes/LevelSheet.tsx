import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import type { SheetProps } from "./sheet";
import { text } from "./text";

/** Set the level; the experience begins anew with it. */
export function LevelSheet({ player, server, ...sheet }: SheetProps) {
  const [typed, setLevel] = useState<number | string>(player.Level);
  const level = Number(typed);
  const isValid = Number.isInteger(level) && level >= 1;
  const changes = [
    { key: "level", label: text.level.level, before: player.Level, after: level },
    { key: "exp", label: text.level.experience, before: player.Exp, after: 0 },
  ].filter((change) => change.before !== change.after);
  return (
    <ChangeSheet
      permission="players.manage"
      {...sheet}
      title={text.level.title}
      whom={text.of(player.Name)}
      inGameOn={server}
      subject={{ player: player.Id }}
      preview={isValid && changes.length > 0 ? <BeforeAfter changes={changes} /> : null}
      ready={isValid && changes.length > 0}
      submitLabel={text.level.title}
      done={text.level.done(player.Name, level)}
      submit={(reason, init) =>
        gk.post("/api/v1/players/{key}/level", {
          params: { path: { key: player.Id } },
          body: { level, ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <NumberInput
        label={text.level.level}
        description={text.level.hint}
        value={typed}
        onChange={setLevel}
        min={1}
        allowDecimal={false}
        data-autofocus
        required
      />
    </ChangeSheet>
  );
}
