import type { KnownSpell, Player } from "@gamekeeper/client";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSparkles } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { eachOf } from "~/each";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "../text";
import { useServerOf } from "../useServer";

interface TeachSheetProps {
  player: Player;
  known: KnownSpell[];
  /** The spells to teach; none: choose one; null: closed. */
  taught: KnownSpell[] | null;
  onClose: () => void;
  onDone: () => void;
}

const ICON = <IconSparkles size={20} stroke={1.5} aria-hidden="true" />;

/** Teach a spell that is chosen here, or those that were known once. */
export function TeachSheet({ player, known, taught, onClose, onDone }: TeachSheetProps) {
  const [chosen, choose] = useState<KnownSpell | null>(null);
  const isChoice = taught?.length === 0;
  const spells = isChoice ? (chosen ? [chosen] : []) : (taught ?? []);
  const close = () => {
    choose(null);
    onClose();
  };
  return (
    <ChangeSheet
      permission="players.spells"
      opened={taught !== null}
      onClose={close}
      title={isChoice ? text.spells.teach : text.spells.backTitle}
      whom={text.sheet.whom(player.Name)}
      inGameOn={useServerOf(player, taught !== null)}
      subject={{ player: player.Id }}
      ready={spells.length > 0}
      submitLabel={text.spells.teachSubmit}
      done={
        spells.length === 1
          ? text.spells.taught(spells[0]?.SpellName ?? "", player.Name)
          : text.spells.back(spells.length)
      }
      preview={
        spells.length > 0 && (
          <BeforeAfter
            changes={spells.map(({ SpellId, SpellName }) => ({
              key: SpellId,
              icon: ICON,
              label: SpellName,
              before: text.spells.unknown,
              after: text.spells.known,
            }))}
          />
        )
      }
      submit={async (reason, init) => {
        await eachOf(spells, init, ({ SpellId }, one) =>
          gk.post("/api/v1/players/{key}/spells/teach", {
            params: { path: { key: player.Id } },
            body: { spellid: SpellId, ...(reason && { reason }) },
            ...one,
          }),
        );
        onDone();
      }}
    >
      {isChoice && <SpellPicker known={known} value={chosen} onChange={choose} />}
    </ChangeSheet>
  );
}

interface SpellPickerProps {
  known: KnownSpell[];
  value: KnownSpell | null;
  onChange: (spell: KnownSpell | null) => void;
}

function SpellPicker({ known, value, onChange }: SpellPickerProps) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 150);
  const isChosen = value?.SpellName === search;
  const found = useQuery({
    ...get("/api/v1/catalog/spells", {
      params: { query: { pageSize: 50, ...(search.length >= 2 && !isChosen && { search }) } },
    }),
    placeholderData: keepPreviousData,
  });
  const has = new Set(known.map(({ SpellId }) => SpellId));
  const entries = found.data?.Values ?? [];
  return (
    <Select
      label={text.spells.spell}
      placeholder={text.spells.placeholder}
      searchable
      required
      data-autofocus
      data={entries.map(({ Id, Name }) => ({
        value: Id,
        label: has.has(Id) ? `${Name} (${text.spells.known})` : Name,
        disabled: has.has(Id),
      }))}
      value={value?.SpellId ?? null}
      onChange={(id) => {
        const entry = entries.find(({ Id }) => Id === id);
        onChange(entry ? { Slot: -1, SpellId: entry.Id, SpellName: entry.Name } : null);
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? undefined : text.spells.nothing}
    />
  );
}

interface ForgetSheetProps {
  player: Player;
  spell: KnownSpell | null;
  onClose: () => void;
}

export function ForgetSheet({ player, spell, onClose }: ForgetSheetProps) {
  const name = spell?.SpellName ?? "";
  return (
    <ChangeSheet
      permission="players.spells"
      opened={spell !== null}
      onClose={onClose}
      title={text.spells.forgetTitle}
      whom={text.sheet.whom(player.Name)}
      inGameOn={useServerOf(player, spell !== null)}
      subject={{ player: player.Id }}
      ready
      submitLabel={text.spells.forget}
      done={text.spells.forgotten(name, player.Name)}
      preview={
        spell && (
          <BeforeAfter
            changes={[
              {
                key: spell.SpellId,
                icon: ICON,
                label: name,
                before: text.spells.known,
                after: text.spells.unknown,
              },
            ]}
          />
        )
      }
      submit={(reason, init) =>
        gk.post("/api/v1/players/{key}/spells/forget", {
          params: { path: { key: player.Id } },
          body: { spellid: spell?.SpellId ?? "", ...(reason && { reason }) },
          ...init,
        })
      }
    />
  );
}
