import { Text, Tooltip } from "@mantine/core";
import { IconKey, IconTerminal2 } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import classes from "./actions.module.css";
import type { Entry } from "./entry";
import { text } from "./text";

/** Whom a screen is about: there everything is, so sentences do not name it. */
export interface About {
  player?: { id: string; name: string };
  user?: { id: string; name: string };
}

/** Who did it; a click shows what else they did. */
export function Actor({ entry }: { entry: Pick<Entry, "Actor" | "ActorName"> }) {
  const isKey = entry.Actor.startsWith("key:");
  const isTerminal = entry.Actor === "system" || entry.Actor.startsWith("cli:");
  const Icon = isKey ? IconKey : isTerminal ? IconTerminal2 : null;
  const name = entry.Actor === "system" ? text.commandLine : entry.ActorName;
  const label = isKey ? text.key : text.terminal;
  return (
    <span className={classes.actor}>
      {Icon && (
        <Tooltip label={label}>
          <Icon size={14} className={classes.actorIcon} aria-label={label} role="img" />
        </Tooltip>
      )}
      <Link to="/actions" search={{ actor: entry.Actor }} className={classes.name}>
        {name}
      </Link>
    </span>
  );
}

export function PlayerName({ name }: { name: string | null | undefined }) {
  if (!name)
    return (
      <Text span inherit c="dimmed">
        {text.nobody}
      </Text>
    );
  return (
    <Link to="/players/$key" params={{ key: name }} className={classes.name}>
      {name}
    </Link>
  );
}

export function GuildName({ name, id }: { name: string | undefined; id: string | undefined }) {
  if (!id) return <>{name ?? text.something}</>;
  return (
    <Link to="/guilds/$guild" params={{ guild: id }} className={classes.name}>
      {name ?? text.something}
    </Link>
  );
}

export function AccountName({ name, id }: { name?: string | null | undefined; id: string | null }) {
  const key = name ?? id;
  if (!key)
    return (
      <Text span inherit c="dimmed">
        {text.noAccount}
      </Text>
    );
  return (
    <Link to="/accounts/$key" params={{ key }} className={classes.name}>
      {/* Without the right to read accounts there is no name at all. */}
      {name ?? (name === undefined ? text.anAccount : text.noAccount)}
    </Link>
  );
}

/** The character or else the account that an action was done to. */
export function Whom({ entry, about }: { entry: Entry; about: About | undefined }) {
  if (entry.PlayerId) {
    const isHere = about?.player?.id === entry.PlayerId;
    return <PlayerName name={isHere ? about?.player?.name : entry.PlayerName} />;
  }
  return <AccountName name={entry.UserName} id={entry.UserId} />;
}
