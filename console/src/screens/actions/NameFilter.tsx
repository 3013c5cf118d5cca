import { Autocomplete } from "@mantine/core";
import { useDebouncedCallback, useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { get } from "~/api";
import { useMay } from "~/session";

const MAX_OPTIONS = 8;
const MARKED = "aria-activedescendant";

interface NameFilterProps {
  label: string;
  placeholder?: string | undefined;
  /** As it is shown: the name, where the address has an id. */
  value: string | undefined;
  onValue: (value: string | undefined) => void;
}

interface CompletedProps extends NameFilterProps {
  options: string[];
  onTyped?: (typed: string) => void;
  onFocus?: () => void;
}

/**
 * A name, completed while it is typed. It goes into the address when it is one of the options,
 * or when the person is done: half a name would only be refused.
 */
function Completed({ label, placeholder, value = "", options, ...on }: CompletedProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const sendSoon = useDebouncedCallback(send, 200);
  // The address has changed otherwise, by a link or by going back.
  if (value !== seen) {
    setSeen(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const wanted = typed.trim().toLowerCase();
  const shown = options.filter((name) => name.toLowerCase().includes(wanted));

  const isWhole = options.some((name) => name.toLowerCase() === wanted);
  // The options may come after the name is typed.
  useEffect(() => {
    if (isWhole) sendSoon(typed);
  }, [isWhole, typed, sendSoon]);

  function send(name: string) {
    if (name.trim() !== value) on.onValue(name.trim() || undefined);
  }

  function change(name: string) {
    setTyped(name);
    on.onTyped?.(name.trim());
    if (name.trim() === "") sendSoon(name);
  }

  return (
    <Autocomplete
      label={label}
      placeholder={placeholder}
      data={shown.slice(0, MAX_OPTIONS)}
      filter={({ options: all }) => all}
      selectFirstOptionOnChange
      value={typed}
      onChange={change}
      onOptionSubmit={send}
      {...(on.onFocus && { onFocus: on.onFocus })}
      onBlur={() => send(typed)}
      onKeyDown={(event) => {
        // An option that is marked is taken already; one that came late is not marked.
        if (event.key !== "Enter" || event.currentTarget.hasAttribute(MARKED)) return;
        const name = shown[0] ?? typed;
        setTyped(name);
        send(name);
      }}
    />
  );
}

/** Who did something: staff, keys and servers, and whoever the log shows. */
export function ActorFilter({ names, ...props }: NameFilterProps & { names: string[] }) {
  // Asked for by those who use the field: most come by a link, or for the newest.
  const [isUsed, setUsed] = useState(false);
  const mayStaff = useMay("staff.read");
  const mayKeys = useMay("keys.manage");
  const staff = useQuery({
    ...get("/api/v1/staff", { params: { query: { pageSize: 100 } } }),
    enabled: isUsed && mayStaff,
    staleTime: 60_000,
  });
  const keys = useQuery({
    ...get("/api/v1/keys", { params: { query: { pageSize: 100 } } }),
    enabled: isUsed && mayKeys,
    staleTime: 60_000,
  });
  const known = [...(staff.data?.Values ?? []), ...(keys.data?.Values ?? [])];
  const options = [...new Set([...known.map(({ Name }) => Name), ...names])];
  return (
    <Completed
      {...props}
      options={options.sort((a, b) => a.localeCompare(b))}
      onFocus={() => setUsed(true)}
    />
  );
}

/** A character or an account, found by a part of its name. */
export function FoundFilter({ of, ...props }: NameFilterProps & { of: "Players" | "Users" }) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed, 150);
  const found = useQuery({
    ...get("/api/v1/search", { params: { query: { q: wanted } } }),
    enabled: wanted.length >= 2,
    placeholderData: keepPreviousData,
  });
  const hits = wanted.length >= 2 ? (found.data?.[of] ?? []) : [];
  return <Completed {...props} options={hits.map((hit) => hit.Name)} onTyped={setTyped} />;
}
