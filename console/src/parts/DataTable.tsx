import { Paper, Table } from "@mantine/core";
import { clsx } from "clsx";
import type { KeyboardEvent, ReactNode } from "react";
import { followsG } from "~/frame/useShortcuts";
import { useDensity } from "~/preferences";
import classes from "./DataTable.module.css";

export interface Column<T> {
  key: string;
  title: ReactNode;
  cell: (row: T) => ReactNode;
  /** To the right, under each other. */
  numeric?: boolean;
  /** Left out on phones. */
  secondary?: boolean;
}

interface DataTableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
  /** Opens a row: by a click, or by Enter after the arrow keys. */
  onOpen?: (row: T) => void;
  /** What other keys do with the row that has the focus. */
  keys?: Record<string, (row: T) => void> | undefined;
}

/** A table whose rows are walked with the arrow keys and opened with Enter. */
export function DataTable<T>({ label, columns, rows, rowKey, onOpen, keys }: DataTableProps<T>) {
  const [density] = useDensity();
  const style = (column: Column<T>) =>
    clsx(column.numeric && classes.numeric, column.secondary && classes.secondary);
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={0} scrollAreaProps={{ offsetScrollbars: false }}>
        <Table
          aria-label={label}
          verticalSpacing={density === "compact" ? 4 : "xs"}
          horizontalSpacing="md"
          highlightOnHover={onOpen !== undefined}
          stickyHeader={false}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.key} className={style(column)}>
                  {column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody onKeyDown={walk}>
            {rows.map((row) => (
              <Table.Tr
                key={rowKey(row)}
                {...(onOpen && {
                  className: classes.row,
                  tabIndex: 0,
                  onClick: () => onOpen(row),
                  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => {
                    const isRow = event.target === event.currentTarget;
                    if (!isRow) return;
                    if (event.key === "Enter") onOpen(row);
                    const act = keys?.[event.key];
                    if (act && !hasModifier(event) && !followsG(event)) act(row);
                  },
                })}
              >
                {columns.map((column) => (
                  <Table.Td key={column.key} className={style(column)}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** Up and down from the row that has the focus. */
function walk(event: KeyboardEvent<HTMLTableSectionElement>) {
  if (!(event.target instanceof HTMLTableRowElement)) return;
  const { previousElementSibling: above, nextElementSibling: below } = event.target;
  const next = event.key === "ArrowDown" ? below : event.key === "ArrowUp" ? above : null;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
