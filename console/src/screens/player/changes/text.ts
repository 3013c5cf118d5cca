/** The texts of the sheets that change a character. */
export const text = {
  to: (name: string) => `To ${name}`,
  from: (name: string) => `From ${name}`,
  of: (name: string) => name,
  item: "Item",
  quantity: "Quantity",
  menu: "Change",
  menuLabel: "Change this character",
  give: {
    buffs: "Stat buffs",
    stats: ["Attack", "Ability power", "Defense", "Magic resist", "Speed"],
    title: "Give items",
    submit: "Give",
    bank: "Put overflow in the bank",
    bankHint: "Otherwise nothing is given if the inventory is full.",
    note: (inventory: number, bank: number) =>
      bank > 0
        ? `${inventory.toLocaleString("en")} in the inventory, ${bank.toLocaleString("en")} in the bank`
        : "",
    done: (count: string, item: string, name: string) => `Gave ${name} ${count} × ${item}`,
  },
  take: {
    title: "Take items",
    submit: "Take",
    tooMany: (held: string) => `The character carries only ${held}.`,
    done: (count: string, item: string, name: string) => `Took ${count} × ${item} from ${name}`,
  },
  level: {
    title: "Set level",
    level: "Level",
    experience: "Experience",
    hint: "Levels above the maximum of the class are set to the maximum.",
    done: (name: string, level: number) => `${name} is now level ${level}`,
  },
  rename: {
    title: "Rename",
    name: "Name",
    done: (before: string, after: string) => `Renamed ${before} to ${after}`,
  },
  class: {
    title: "Change class",
    class: "Class",
    stats: ["Attack", "Ability power", "Defense", "Magic resist", "Speed"],
    done: (name: string, kind: string) => `Changed the class of ${name} to ${kind}`,
  },
  message: {
    title: "Send message",
    text: "Message",
    preview: (isOnline: boolean) =>
      isOnline
        ? "The player sees the message at once."
        : "The player sees the message when the character next joins.",
    done: (name: string) => `Message sent to ${name}`,
  },
  kick: {
    title: "Kick",
    text: "Message to player",
    preview: () => "The player is disconnected and can rejoin.",
    done: (name: string) => `Kicked ${name}`,
  },
  kill: {
    title: "Kill",
    preview: () => "The character dies in the game, as if slain there. This cannot be undone.",
    done: (name: string) => `Killed ${name}`,
  },
  warp: {
    title: "Warp",
    near: "Near a player",
    nearHint: "Fills in the place of another character",
    nearNowhere: (name: string) => `The game has not reported where ${name} is.`,
    map: "Map",
    mapHint: "Name of a map, or its id",
    mapNone: "No maps found. You can enter the id of a map.",
    x: "X",
    y: "Y",
    place: "Place",
    at: (map: string, x: number, y: number) => `${map} (${x}, ${y})`,
    noMap: "unknown",
    online: "The game moves the character at once. This cannot be undone.",
    offline: "The character starts there when the player next joins.",
    done: (name: string, map: string) => `Warped ${name} to ${map}`,
  },
  delete: {
    title: "Delete character",
    submit: "Delete",
    online: "This character is online. Kick the player first.",
    exists: "exists",
    deleted: "deleted",
    character: "Character",
    level: (kind: string, level: number) => `${kind}, level ${level}`,
    items: "Items",
    itemsNote: "in inventory and bank",
    guild:
      "Spells, variables and the guild membership are removed too. Undo brings everything back.",
    done: (name: string) => `Deleted ${name}`,
  },
  mayNot: (scope: string) => `Your role does not have the permission “${scope}”.`,
};
