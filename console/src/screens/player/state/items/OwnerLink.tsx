import type { ItemOwner } from "@gamekeeper/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to a character. A guild has no page, and an erased character none any more. */
export function OwnerLink({ owner, children }: { owner: ItemOwner; children: ReactNode }) {
  if (!owner.Name || !owner.PlayerId) return children;
  return (
    <Link to="/players/$key" params={{ key: owner.Name }}>
      {children}
    </Link>
  );
}
