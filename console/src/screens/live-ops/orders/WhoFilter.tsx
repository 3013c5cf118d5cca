import { Group, Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { text } from "./text";

interface Who {
  account?: string | undefined;
  player?: string | undefined;
}

/** A character or an account, found by name, or by email if one may see emails. */
export function WhoFilter({ account, player, onChange }: Who & { onChange: (who: Who) => void }) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 150);
  const isEnough = wanted.length >= 2;
  const { data } = useQuery({
    ...get("/api/v1/search", { params: { query: { q: wanted } } }),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  const found = isEnough ? data : undefined;
  const players = namesOf(player, found?.Players);
  const accounts = namesOf(account, found?.Users);
  const emails = new Map(found?.Users.map(({ Name, Email }) => [Name, Email]));
  const value = player ? `player ${player}` : account ? `account ${account}` : null;
  return (
    <Select
      aria-label={text.who}
      placeholder={text.who}
      w={{ base: "100%", xs: 220 }}
      searchable
      clearable
      nothingFoundMessage={found ? text.whoNone : text.whoHint}
      data={[
        { group: text.players, items: players.map((name) => option("player", name)) },
        { group: text.accounts, items: accounts.map((name) => option("account", name)) },
      ].filter(({ items }) => items.length > 0)}
      // The service has searched already.
      filter={({ options }) => options}
      value={value}
      onSearchChange={setTyped}
      onChange={(chosen) => {
        const [kind, ...name] = chosen?.split(" ") ?? [];
        if (kind === "player") onChange({ player: name.join(" ") });
        else onChange(kind === "account" ? { account: name.join(" ") } : {});
      }}
      renderOption={({ option: { value: chosen, label } }) => (
        <Group gap="sm" wrap="nowrap" justify="space-between" w="100%">
          <Text size="sm">{label}</Text>
          <Text size="xs" c="dimmed" truncate>
            {chosen.startsWith("account ") && emails.get(label)}
          </Text>
        </Group>
      )}
    />
  );
}

const option = (kind: string, name: string) => ({ value: `${kind} ${name}`, label: name });

/** Those that were found, and the one that is chosen. */
function namesOf(chosen: string | undefined, found: { Name: string }[] = []): string[] {
  return [...new Set([...(chosen ? [chosen] : []), ...found.map(({ Name }) => Name)])];
}
