import type { ItemEconomy } from "@gamekeeper/client";
import { Paper, Text, Title } from "@mantine/core";
import type { CSSProperties } from "react";
import { grouped } from "~/format";
import { PlayerLink } from "~/parts/people";
import classes from "./Item.module.css";
import { percent } from "./percent";
import { text } from "./text";

/** The characters who have most of it, and how much of all that is. */
export function Holders({ item }: { item: ItemEconomy }) {
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2}>{text.holders}</Title>
      <Text size="xs" c="dimmed" mb={8}>
        {text.holdersNote}
      </Text>
      {item.Holders.length === 0 && <Text c="dimmed">{text.noHolders}</Text>}
      <ol className={classes.list}>
        {item.Holders.map((holder) => {
          const length = percent(holder.Quantity, item.Holders[0]?.Quantity ?? 0);
          return (
            <li
              key={holder.PlayerId}
              className={classes.holder}
              style={{ "--share": length } as CSSProperties}
            >
              <Text size="sm" truncate>
                {holder.Name ? <PlayerLink name={holder.Name} /> : text.gone}
              </Text>
              <Text size="sm" className={classes.held}>
                {grouped(holder.Quantity)}{" "}
                <Text span size="xs" c="dimmed">
                  {percent(holder.Quantity, item.Total)}
                </Text>
              </Text>
            </li>
          );
        })}
      </ol>
    </Paper>
  );
}
