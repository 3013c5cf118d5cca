import type { ItemOwner } from "@gamekeeper/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to a character or a guild; an erased character has no page any more. */
export function OwnerLink({ owner, children }: { owner: ItemOwner; children: ReactNode }) {
  if (owner.Name && owner.GuildId) {
    return (
      <Link to="/guilds/$guild" params={{ guild: owner.GuildId }} search={{ tab: "bank" }}>
        {children}
      </Link>
    );
  }
  if (!owner.Name || !owner.PlayerId) return children;
  return (
    <Link to="/players/$key" params={{ key: owner.Name }}>
      {children}
    </Link>
  );
}
