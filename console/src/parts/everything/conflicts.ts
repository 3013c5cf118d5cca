import type { BulkUndoResult, UndoFailure, UndoRecipient } from "@gamekeeper/client";

type Obstacle = UndoFailure["InTheWay"][number];

/** Why something does not come back, counted over all actions with the same obstacle. */
export interface Conflict {
  key: string;
  obstacle: Obstacle | null;
  /** What the service says, where no obstacle does. */
  message: string;
  wanted: number;
  possible: number;
  /** Who received such items since. */
  handedTo: string[];
}

/** The reasons for which a recipient keeps something, each said once. */
export function conflictsOf(recipient: UndoRecipient, left: BulkUndoResult["Left"]): Conflict[] {
  const ids = new Set(recipient.Conflicts);
  const found = new Map<string, Conflict>();
  for (const failure of left) {
    if (!ids.has(failure.Id)) continue;
    const obstacles = failure.InTheWay.length > 0 ? failure.InTheWay : [null];
    for (const obstacle of obstacles) {
      const key = keyOf(obstacle, failure.Message);
      const before = found.get(key);
      found.set(key, {
        key,
        obstacle,
        message: failure.Message,
        wanted: (before?.wanted ?? 0) + (obstacle?.Wanted ?? 0),
        possible: (before?.possible ?? 0) + (obstacle?.Possible ?? 0),
        handedTo: [...new Set([...(before?.handedTo ?? []), ...receivers(obstacle)])],
      });
    }
  }
  return [...found.values()];
}

function receivers(obstacle: Obstacle | null): string[] {
  const owners = obstacle?.HandedOn.flatMap((handed) => handed.To) ?? [];
  return owners.flatMap(({ Name }) => (Name ? [Name] : []));
}

function keyOf(obstacle: Obstacle | null, message: string): string {
  if (!obstacle) return message;
  return [obstacle.PlayerId, obstacle.What, obstacle.Id, obstacle.Name, obstacle.Reason].join();
}

/** What is left for another reason than a recipient: mostly that the caller may not undo it. */
export function otherFailures({ Left, Recipients }: BulkUndoResult): BulkUndoResult["Left"] {
  const explained = new Set(Recipients.flatMap((one) => one.Conflicts));
  return Left.filter((failure) => !explained.has(failure.Id));
}
