import type { SupplyChange } from "@gamekeeper/client";
import { Box, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ItemTile } from "~/parts/ItemTile";
import { Quantity } from "~/parts/Quantity";
import classes from "./Economy.module.css";
import { isJump } from "./sorted";
import { text } from "./text";

const SHOWN = 5;

interface ChangesProps {
  changes: SupplyChange[];
  /** How many exist, of those that are known. */
  totals: ReadonlyMap<string, number>;
}

/** Where to look first: the items whose supply changed most, and which of them jumped. */
export function Changes({ changes, totals }: ChangesProps) {
  if (changes.length === 0) return null;
  return (
    <section aria-label={text.changes}>
      <Title order={2}>
        {text.changes}{" "}
        <Text span size="sm" c="dimmed" fw={400}>
          {text.changesSince}
        </Text>
      </Title>
      <ul className={classes.changes}>
        {changes.slice(0, SHOWN).map((one) => (
          <li key={one.ItemId}>
            <Change change={one} total={totals.get(one.ItemId)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Change({ change, total }: { change: SupplyChange; total: number | undefined }) {
  const hasJumped = total !== undefined && isJump(change.Change, total);
  return (
    <Link
      to="/economy/$item"
      params={{ item: change.ItemId }}
      className={classes.change}
      data-jump={hasJumped}
    >
      <ItemTile id={change.ItemId} name={change.ItemName} size={36} />
      <Box miw={0}>
        <Text size="sm" truncate>
          {change.ItemName}
        </Text>
        <Text size="sm" fw={600}>
          <Quantity change={change.Change} />
        </Text>
        {total !== undefined && total > 0 && (
          <Text size="xs" c={hasJumped ? "var(--gk-changed)" : "dimmed"}>
            {hasJumped && `${text.jumped}: `}
            {text.ofAll((100 * Math.abs(change.Change)) / total)}
          </Text>
        )}
      </Box>
    </Link>
  );
}
