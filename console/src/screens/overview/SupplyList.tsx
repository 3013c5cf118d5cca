import type { SupplyChanges } from "@gamekeeper/client";
import { Anchor, Paper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ItemTile } from "~/parts/ItemTile";
import { Quantity } from "~/parts/Quantity";
import classes from "./Overview.module.css";
import { text } from "./text";

const SHOWN = 6;

/** The items whose supply changed most. */
export function SupplyList({ supply }: { supply: SupplyChanges }) {
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2}>{text.supply}</Title>
      <Text size="xs" c="dimmed" mb={8}>
        {!supply.Complete
          ? text.countingSupply
          : supply.Values.length === 0
            ? text.noSupply
            : text.supplySince}
      </Text>
      <ul className={classes.list}>
        {supply.Values.slice(0, SHOWN).map((one) => (
          <li key={one.ItemId}>
            <Link to="/economy/$item" params={{ item: one.ItemId }} className={classes.row}>
              <ItemTile id={one.ItemId} name={one.ItemName} size={28} />
              <Text size="sm" className={classes.grow} truncate>
                {one.ItemName}
              </Text>
              <Text size="sm" fw={600}>
                <Quantity change={one.Change} />
              </Text>
            </Link>
          </li>
        ))}
      </ul>
      <Anchor size="sm" renderRoot={(props) => <Link to="/economy" {...props} />}>
        {text.allItems}
      </Anchor>
    </Paper>
  );
}
