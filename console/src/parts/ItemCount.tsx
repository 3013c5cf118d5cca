import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { grouped } from "~/format";
import { useItem } from "~/items";
import { ItemTile } from "~/parts/ItemTile";
import classes from "./people.module.css";

/** Some pieces of an item: its tile, the quantity and its name. */
export function ItemCount({ id, count }: { id: string; count: number }) {
  return (
    <Group gap="xs" wrap="nowrap" component="span">
      <ItemTile id={id} size={28} />
      <Text span size="sm">
        {grouped(count)} ×{" "}
        <Link
          to="/economy/$item"
          params={{ item: id }}
          className={classes.link}
          onClick={(event) => event.stopPropagation()}
        >
          <ItemName id={id} />
        </Link>
      </Text>
    </Group>
  );
}

/** The name of an item, once it has loaded. */
export function ItemName({ id }: { id: string }) {
  return useItem(id)?.Name ?? "…";
}
