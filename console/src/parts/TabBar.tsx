import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./TabBar.module.css";

interface TabBarProps<Tab extends string> {
  label: string;
  tabs: readonly Tab[];
  names: Record<Tab, string>;
  /** Behind a name, such as how many wait. */
  beside?: (tab: Tab) => ReactNode;
}

/** The tabs of a screen. On a phone they are swiped, and fade out where there are more. */
export function TabBar<Tab extends string>({ label, tabs, names, beside }: TabBarProps<Tab>) {
  const bar = useRef<HTMLDivElement>(null);
  // A link may open a tab that is beyond the edge of a phone.
  useEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!bar.current || !open) return;
    bar.current.scrollLeft = open.offsetLeft - (bar.current.clientWidth - open.offsetWidth) / 2;
  }, []);
  return (
    <Tabs.List ref={bar} mb="md" aria-label={label} className={classes.bar}>
      {tabs.map((tab) => (
        <Tabs.Tab key={tab} value={tab} rightSection={beside?.(tab)}>
          {names[tab]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
