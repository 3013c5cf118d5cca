import { Tabs, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Page } from "~/parts/Page";
import { TabBar } from "~/parts/TabBar";
import { useTyping } from "~/typing";
import { ClassList, ItemList, SpellList, VariableList } from "./lists";
import { TABS, type Tab } from "./search";
import { text } from "./text";

const LISTS = { items: ItemList, spells: SpellList, classes: ClassList, variables: VariableList };

/** What exists in the game: items, spells, classes and variables. */
export function Catalog() {
  const { tab = "items", search } = useSearch({ from: "/catalog" });
  const navigate = useNavigate({ from: "/catalog" });
  const [typed, setTyped] = useState(search ?? "");
  const find = useTyping((wanted: string) => {
    void navigate({ search: { tab, ...(wanted && { search: wanted }) }, replace: true });
  }, 200);

  return (
    <Page
      title={text.title}
      filters={
        <TextInput
          aria-label={text.search}
          placeholder={text.search}
          leftSection={<IconSearch size={16} />}
          maw={360}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            find(event.currentTarget.value.trim());
          }}
        />
      }
    >
      <Text c="dimmed">{text.hint}</Text>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: { tab: next as Tab, ...(search && { search }) } })
        }
      >
        <TabBar label={text.tabsLabel} tabs={TABS} names={text.tabs} />
        {TABS.map((one) => {
          const List = LISTS[one];
          return (
            <Tabs.Panel key={one} value={one}>
              <List />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}
