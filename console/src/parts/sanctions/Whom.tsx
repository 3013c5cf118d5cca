import type { Sanction } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { AccountLink, PlayerLink } from "~/parts/people";
import { text } from "./text";

/** Whom a sanction is on: the character and its account, or the whole account. */
export function Whom({ sanction }: { sanction: Sanction }) {
  const account = <AccountLink name={sanction.UserName} />;
  if (!sanction.PlayerId) return account;
  return (
    <span>
      {sanction.PlayerName ? <PlayerLink name={sanction.PlayerName} /> : text.deletedCharacter}{" "}
      <Text span inherit c="dimmed">
        ({account})
      </Text>
    </span>
  );
}

/** The same as plain words. */
export function whomOf(sanction: Sanction): string {
  if (!sanction.PlayerId) return sanction.UserName;
  return sanction.PlayerName ?? `${text.deletedCharacter} (${sanction.UserName})`;
}
