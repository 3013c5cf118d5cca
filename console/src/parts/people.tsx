import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import classes from "./people.module.css";

/** A row of a table opens on a click; a link in it goes where the link says. */
const alone = (event: MouseEvent) => event.stopPropagation();

export function AccountLink({ name }: { name: string }) {
  return (
    <Link to="/accounts/$key" params={{ key: name }} className={classes.link} onClick={alone}>
      {name}
    </Link>
  );
}

export function PlayerLink({ name }: { name: string }) {
  return (
    <Link to="/players/$key" params={{ key: name }} className={classes.link} onClick={alone}>
      {name}
    </Link>
  );
}

export function GuildLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to="/guilds/$guild" params={{ guild: id }} className={classes.link} onClick={alone}>
      {name}
    </Link>
  );
}

export function ServerLink({ name }: { name: string }) {
  return (
    <Link to="/servers/$server" params={{ server: name }} className={classes.link} onClick={alone}>
      {name}
    </Link>
  );
}

/** Who did something, as the log names them: `user:<id>` is an account, others have no page. */
export function ActorLink({ actor, name }: { actor: string; name: string }) {
  return actor.startsWith("user:") ? <AccountLink name={name} /> : <span>{name}</span>;
}
