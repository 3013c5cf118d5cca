/** Whom a sanction is to be imposed on. With a character, its account can be chosen instead. */
export interface Target {
  userId: string;
  /** The account's name, where it is known. */
  userName?: string | undefined;
  player?: { id: string; name: string } | undefined;
}

/** How the API is told: the character, or the account. */
export function namedTarget(target: Target, whole: boolean): { player: string } | { user: string } {
  return target.player && !whole ? { player: target.player.id } : { user: target.userId };
}

export function targetName(target: Target, whole: boolean): string {
  if (target.player && !whole) return target.player.name;
  return target.userName ?? target.player?.name ?? target.userId;
}
