import { Button, Group, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { get } from "~/api";
import { text as sanctionText } from "~/parts/sanctions/text";
import { SavedFilters } from "~/parts/saved/SavedFilters";
import { useMay } from "~/session";
import { KIND_FILTERS, STATES, type search } from "./search";
import { text } from "./text";

type Filters = ReturnType<typeof search>;

/** Which sanctions: in force or not, kind, by whom, template; or one by its code. */
export function SanctionFilters() {
  const filters = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const staff = useQuery({ ...get("/api/v1/staff"), enabled: useMay("staff.read") });
  // Keys of bots and websites impose sanctions, too; asked for by those who open the list.
  const [isUsed, setUsed] = useState(false);
  const keys = useQuery({
    ...get("/api/v1/keys", { params: { query: { pageSize: 100 } } }),
    enabled: useMay("keys.manage") && isUsed,
    staleTime: 60_000,
  });
  const known = [...(staff.data?.Values ?? []), ...(keys.data?.Values ?? [])];
  const names = new Set(known.map(({ Name }) => Name));
  if (filters.actor) names.add(filters.actor);

  function set(parts: { [K in keyof Filters]: Filters[K] | undefined }) {
    const merged = { ...filters, ...parts };
    const there = Object.entries(merged).filter(([, value]) => value !== undefined);
    void navigate({ to: "/moderation", search: Object.fromEntries(there) as Filters });
  }

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("code");
    if (typeof typed === "string" && typed.trim()) set({ code: typed.trim() });
  }

  const isFiltered = filters.kind || filters.actor || filters.template || filters.state;
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label={text.filters.state}
        value={filters.state ?? "in_force"}
        onChange={(value) => set({ state: STATES.find((one) => one === value) })}
        data={[
          { value: "in_force", label: text.filters.inForce },
          { value: "over", label: text.filters.over },
          { value: "all", label: text.filters.all },
        ]}
      />
      <Select
        aria-label={text.filters.kind}
        w={150}
        value={filters.kind ?? ""}
        allowDeselect={false}
        onChange={(value) => set({ kind: KIND_FILTERS.find((one) => one === value) })}
        data={[
          { value: "", label: text.filters.anyKind },
          ...KIND_FILTERS.map((kind) => ({ value: kind, label: sanctionText.kinds[kind] })),
        ]}
      />
      {names.size > 0 && (
        <Select
          aria-label={text.filters.actor}
          placeholder={text.filters.actor}
          w={170}
          searchable
          clearable
          onDropdownOpen={() => setUsed(true)}
          value={filters.actor ?? null}
          onChange={(value) => set({ actor: value ?? undefined })}
          data={[...names]}
        />
      )}
      <form onSubmit={find}>
        <TextInput
          name="code"
          aria-label={text.filters.code}
          placeholder={`${text.filters.code} ${text.filters.codeHint}`}
          leftSection={<IconSearch size={16} />}
          w={190}
          autoComplete="off"
          spellCheck={false}
        />
      </form>
      <SavedFilters list="sanctions" />
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() => void navigate({ to: "/moderation", search: { tab: "sanctions" } })}
        >
          {text.filters.clear}
        </Button>
      )}
    </Group>
  );
}
