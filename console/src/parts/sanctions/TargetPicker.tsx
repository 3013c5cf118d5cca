import { Combobox, Loader, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { get } from "~/api";
import type { Target } from "./target";
import { text } from "./text";

/** Find whom: characters and accounts whose names match what is typed. */
export function TargetPicker({ onPick }: { onPick: (target: Target) => void }) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 150);
  const combobox = useCombobox();
  const isEnough = wanted.length >= 2;
  const { data, isFetching } = useQuery({
    ...get("/api/v1/search", { params: { query: { q: wanted } } }),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  const players = isEnough ? (data?.Players ?? []) : [];
  const users = isEnough ? (data?.Users ?? []) : [];

  // biome-ignore lint/correctness/useExhaustiveDependencies: when other hits are there
  useEffect(() => {
    combobox.selectFirstOption();
  }, [data]);

  function pick(value: string) {
    const player = players.find((one) => one.Id === value);
    const user = users.find((one) => one.Id === value);
    if (player) {
      onPick({ userId: player.UserId, player: { id: player.Id, name: player.Name } });
    } else if (user) onPick({ userId: user.Id, userName: user.Name });
  }

  return (
    <Combobox store={combobox} onOptionSubmit={pick} withinPortal={false}>
      <Combobox.Target>
        <TextInput
          label={text.composer.whom}
          placeholder={text.composer.whomHint}
          value={typed}
          data-autofocus
          required
          autoComplete="off"
          rightSection={isFetching && isEnough ? <Loader size={16} /> : null}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isEnough || data === undefined}>
        <Combobox.Options aria-label={text.composer.whom}>
          <Combobox.Group label={text.composer.characters}>
            {players.map((one) => (
              <Combobox.Option key={one.Id} value={one.Id}>
                {one.Name}
              </Combobox.Option>
            ))}
          </Combobox.Group>
          <Combobox.Group label={text.composer.accounts}>
            {users.map((one) => (
              <Combobox.Option key={one.Id} value={one.Id}>
                {one.Name}
              </Combobox.Option>
            ))}
          </Combobox.Group>
          {players.length + users.length === 0 && (
            <Combobox.Empty>{text.composer.whomNone}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
