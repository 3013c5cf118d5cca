import type { Player } from "@gamekeeper/client";
import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, queries } from "~/api";
import { toastFailed } from "~/toasts";
import { text } from "./text";

interface NearPlayerProps {
  /** The character that is moved. */
  except: string;
  /** Why the one that was picked does not help. */
  error: string | undefined;
  onPick: (player: Player) => void;
}

/** Another character, found by a part of its name; its place is read when it is picked. */
export function NearPlayer({ except, error, onPick }: NearPlayerProps) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 150);
  const found = useQuery({
    ...get("/api/v1/search", { params: { query: { q: wanted } } }),
    enabled: wanted.length >= 2,
    placeholderData: keepPreviousData,
  });
  const hits = found.data?.Players?.filter(({ Id }) => Id !== except) ?? [];

  async function pick(name: string) {
    const key = hits.find(({ Name }) => Name === name)?.Id;
    if (!key) return;
    try {
      onPick(await queries.fetchQuery(get("/api/v1/players/{key}", { params: { path: { key } } })));
    } catch (error) {
      toastFailed(error);
    }
  }

  return (
    <Autocomplete
      label={text.warp.near}
      description={text.warp.nearHint}
      data={wanted.length >= 2 ? hits.map(({ Name }) => Name) : []}
      // The service has searched already.
      filter={({ options }) => options}
      error={error}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={(name) => void pick(name)}
    />
  );
}
