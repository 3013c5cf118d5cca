import type { Player } from "@gamekeeper/client";

/** What every sheet of changes to a character is told. */
export interface SheetProps {
  player: Player;
  /** The server it plays on now, if it does. */
  server: string | undefined;
  opened: boolean;
  onClose: () => void;
}
