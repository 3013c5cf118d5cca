import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import classes from "./Economy.module.css";
import { text } from "./text";

interface SortTitleProps {
  label: string;
  order: "down" | "up" | null;
  onSort: () => void;
}

/** The title of a column by which the table can be sorted. */
export function SortTitle({ label, order, onSort }: SortTitleProps) {
  const Icon = order === "down" ? IconArrowDown : order === "up" ? IconArrowUp : IconSelector;
  const state = order ? `, ${text.sorted[order]}` : "";
  return (
    <UnstyledButton
      className={classes.sort}
      fz="inherit"
      aria-label={`${text.sortBy(label)}${state}`}
      onClick={onSort}
    >
      {label} <Icon size={14} aria-hidden="true" opacity={order ? 1 : 0.5} />
    </UnstyledButton>
  );
}
