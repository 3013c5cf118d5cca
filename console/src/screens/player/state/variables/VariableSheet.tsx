import type { Player } from "@gamekeeper/client";
import { gk } from "~/api";
import { eachOf } from "~/each";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "../text";
import { useServerOf } from "../useServer";
import { shownValue } from "./VariableLine";
import type { Value, Variable } from "./values";

/** A variable and what it shall be. */
export interface Setting {
  variable: Variable;
  after: Value;
}

interface VariableSheetProps {
  player: Player;
  /** Null: closed. */
  settings: Setting[] | null;
  onClose: () => void;
  onDone: () => void;
}

export function VariableSheet({ player, settings, onClose, onDone }: VariableSheetProps) {
  const wanted = settings ?? [];
  return (
    <ChangeSheet
      permission="players.variables"
      opened={settings !== null}
      onClose={onClose}
      title={text.variables.sheet}
      whom={text.sheet.whom(player.Name)}
      inGameOn={useServerOf(player, settings !== null)}
      subject={{ player: player.Id }}
      ready={wanted.length > 0}
      submitLabel={text.variables.submit}
      done={text.variables.saved(wanted.length)}
      preview={
        wanted.length > 0 && (
          <BeforeAfter
            changes={wanted.map(({ variable, after }) => ({
              key: variable.id,
              label: variable.name,
              before: typeof after === "number" ? variable.value : shownValue(variable.value),
              after: typeof after === "number" ? after : shownValue(after),
            }))}
          />
        )
      }
      submit={async (reason, init) => {
        await eachOf(wanted, init, ({ variable, after }, one) =>
          gk.post("/api/v1/players/{key}/variables/{variable_id}", {
            params: { path: { key: player.Id, variable_id: variable.id } },
            body: { value: after, ...(reason && { reason }) },
            ...one,
          }),
        );
        onDone();
      }}
    />
  );
}
