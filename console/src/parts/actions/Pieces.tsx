import { Link } from "@tanstack/react-router";
import { grouped } from "~/format";
import { useItem } from "~/items";
import { ItemTile } from "~/parts/ItemTile";
import classes from "./actions.module.css";
import type { Flow } from "./flows";
import { Listed } from "./Phrase";
import { text } from "./text";

const MOST = 6;

/** "5 × Healing Potion", with its icon. */
export function Pieces({ item, name, quantity }: Omit<Flow, "quantity"> & { quantity?: number }) {
  const known = useItem(item);
  const label = name || known?.Name || (known === null ? text.unknownItem : "…");
  return (
    <span className={classes.pieces}>
      <ItemTile id={item} name={label} size={20} />
      <span>
        {quantity !== undefined && `${grouped(Math.abs(quantity))} × `}
        <Link to="/economy/$item" params={{ item }} className={classes.name}>
          {label}
        </Link>
      </span>
    </span>
  );
}

/** Several sorts of items, as a list in words. */
export function PiecesList({ flows }: { flows: Flow[] }) {
  const shown = flows.slice(0, MOST).map((flow) => <Pieces key={flow.item} {...flow} />);
  const rest = flows.length - shown.length;
  const values = rest > 0 ? [...shown, `${grouped(rest)} more`] : shown;
  return <Listed values={values} and={text.and} />;
}
