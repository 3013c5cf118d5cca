import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import type { SheetProps } from "./sheet";
import { text } from "./text";

/** Change the class, with its base stats and its vitals at the character's level. */
export function ClassSheet({ player, server, ...sheet }: SheetProps) {
  const [chosen, setClass] = useState<string | null>(player.ClassId);
  const query = get("/api/v1/catalog/classes", { params: { query: { pageSize: 100 } } });
  const classes = useQuery({ ...query, enabled: sheet.opened }).data?.Values ?? [];
  const next = classes.find((one) => one.Id === chosen);
  const ready = next !== undefined && next.Id !== player.ClassId;
  const changes = ready
    ? [
        { key: "class", label: text.class.class, before: player.ClassName, after: next.Name },
        ...text.class.stats.map((label, at) => ({
          key: label,
          label,
          before: player.BaseStats[at] ?? 0,
          after: next.BaseStats[at] ?? 0,
        })),
      ].filter((change) => change.before !== change.after)
    : [];
  return (
    <ChangeSheet
      permission="players.manage"
      {...sheet}
      title={text.class.title}
      whom={text.of(player.Name)}
      inGameOn={server}
      subject={{ player: player.Id }}
      preview={ready ? <BeforeAfter changes={changes} /> : null}
      ready={ready}
      submitLabel={text.class.title}
      done={text.class.done(player.Name, next?.Name ?? "")}
      submit={(reason, init) =>
        gk.post("/api/v1/players/{key}/class", {
          params: { path: { key: player.Id } },
          body: { classid: chosen ?? "", ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <Select
        label={text.class.class}
        data={classes.map(({ Id, Name }) => ({ value: Id, label: Name }))}
        value={chosen}
        onChange={setClass}
        allowDeselect={false}
      />
    </ChangeSheet>
  );
}
