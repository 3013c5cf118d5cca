import { ActionIcon, Group, SegmentedControl, TextInput } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type KeyboardEvent, lazy, Suspense, useState } from "react";
import { SavedFilters } from "~/parts/saved/SavedFilters";
import { oneOf } from "~/search";
import { useTyping } from "~/typing";
import classes from "./Players.module.css";
import { SORTS } from "./search";
import { text } from "./text";

// Loaded after the list: the first screen must be light.
const ViewMenu = lazy(() => import("./ViewMenu"));

/** Search as you type, order, who, and how the table looks. */
export function Filters() {
  const { search, sort = "name", online } = useSearch({ from: "/players" });
  const navigate = useNavigate({ from: "/players" });
  const [typed, setTyped] = useState(search ?? "");
  const look = useTyping((wanted: string) => {
    void navigate({
      search: ({ sort: now }) => ({ ...(now && { sort: now }), ...(wanted && { search: wanted }) }),
      replace: true,
    });
  }, 150);

  function type(wanted: string) {
    setTyped(wanted);
    look(wanted.trim());
  }

  return (
    <Group gap="sm">
      <TextInput
        className={classes.search}
        aria-label={text.search}
        placeholder={text.placeholder}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={intoTable}
        autoFocus
        rightSection={
          typed && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text.clear}
              onClick={() => type("")}
            >
              <IconX size={16} />
            </ActionIcon>
          )
        }
      />
      <SegmentedControl
        aria-label={text.who}
        disabled={typed !== ""}
        data={[
          { value: "all", label: text.all },
          { value: "online", label: text.onlineOnly },
        ]}
        value={online ? "online" : "all"}
        onChange={(value) => void navigate({ search: value === "online" ? { online: true } : {} })}
      />
      <SegmentedControl
        aria-label={text.sort}
        disabled={typed !== "" || online === true}
        data={SORTS.map((value) => ({ value, label: text.sorts[value] }))}
        value={sort}
        onChange={(value) => {
          const by = oneOf(value, SORTS);
          void navigate({ search: by && by !== "name" ? { sort: by } : {} });
        }}
      />
      <SavedFilters list="players" />
      <Suspense>
        <ViewMenu />
      </Suspense>
    </Group>
  );
}

/** Down from the search field into the first row. */
function intoTable(event: KeyboardEvent<HTMLInputElement>) {
  const row = document.querySelector<HTMLElement>("tbody tr[tabindex]");
  if (event.key === "ArrowDown" && row) {
    event.preventDefault();
    row.focus();
  } else if (event.key === "Enter") row?.click();
}
