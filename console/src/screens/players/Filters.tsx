import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Menu,
  SegmentedControl,
  TextInput,
} from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconAdjustments, IconSearch, IconX } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { useDensity } from "~/preferences";
import { oneOf } from "~/search";
import { useTyping } from "~/typing";
import { CHOICES, type ColumnName, SHOWN } from "./columns";
import classes from "./Players.module.css";
import { SORTS } from "./search";
import { text } from "./text";

/** Which columns are shown, kept in this browser. */
export function useColumns() {
  return useLocalStorage<ColumnName[]>({
    key: "gamekeeper-players-columns",
    defaultValue: SHOWN,
    getInitialValueInEffect: false,
  });
}

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
      <ViewMenu />
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

function ViewMenu() {
  const [columns, setColumns] = useColumns();
  const [density, setDensity] = useDensity();
  return (
    <Menu position="bottom-end" closeOnItemClick={false} withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconAdjustments size={16} />} visibleFrom="sm">
          {text.view}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.columns}</Menu.Label>
        {CHOICES.map((name) => (
          <Menu.Item
            key={name}
            role="menuitemcheckbox"
            aria-checked={columns.includes(name)}
            leftSection={
              <Checkbox
                size="xs"
                tabIndex={-1}
                aria-hidden="true"
                readOnly
                checked={columns.includes(name)}
              />
            }
            onClick={() =>
              setColumns(
                columns.includes(name) ? columns.filter((one) => one !== name) : [...columns, name],
              )
            }
          >
            {text.names[name]}
          </Menu.Item>
        ))}
        <Menu.Label>{text.density}</Menu.Label>
        {(["comfortable", "compact"] as const).map((one) => (
          <Menu.Item
            key={one}
            role="menuitemradio"
            aria-checked={density === one}
            leftSection={density === one ? "●" : "○"}
            onClick={() => setDensity(one)}
          >
            {text[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
