import type { CSSProperties } from "react";
import { config } from "~/config";
import { compact } from "~/format";
import { useItem } from "~/items";
import classes from "./ItemTile.module.css";

interface ItemTileProps {
  id: string;
  /** If it is known already; else the catalog tells. */
  name?: string | null | undefined;
  quantity?: number | undefined;
  size?: number;
}

/** An item as the game draws it: its icon, or two letters on a colour of its own. */
export function ItemTile({ id, name, quantity, size = 40 }: ItemTileProps) {
  const item = useItem(id);
  const label = name ?? item?.Name ?? "";
  return (
    <span
      className={classes.tile}
      style={{ "--tile": `${size}px`, "--hue": hueOf(id) } as CSSProperties}
    >
      {item?.Icon ? (
        <img src={addressOf(item.Icon)} alt="" draggable={false} />
      ) : (
        <span className={classes.letters} aria-hidden="true">
          {lettersOf(label)}
        </span>
      )}
      {quantity !== undefined && quantity !== 1 && (
        <span className={classes.count}>{compact(quantity)}</span>
      )}
    </span>
  );
}

/** An icon that the catalog keeps is a path of the API, which may be behind a prefix. */
function addressOf(icon: string): string {
  return icon.startsWith("/") ? config.root + icon : icon;
}

export function lettersOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => word[0]).join("") : (words[0] ?? "?");
  return letters.slice(0, 2).toUpperCase();
}

/** A colour for an id, always the same. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 3600;
  return sum % 360;
}
