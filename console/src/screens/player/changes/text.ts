/** The words of the sheets that change a character. */
export const text = {
  to: (name: string) => `To ${name}`,
  from: (name: string) => `From ${name}`,
  of: (name: string) => name,
  item: "Item",
  quantity: "How many",
  menu: "Change",
  menuLabel: "Change this character",
  give: {
    buffs: "Stat buffs",
    stats: ["Attack", "Ability power", "Defense", "Magic resist", "Speed"],
    title: "Give items",
    submit: "Give",
    bank: "What does not fit goes to the bank",
    bankHint: "Else nothing is given if there is no room.",
    note: (inventory: number, bank: number) =>
      bank > 0
        ? `${inventory.toLocaleString("en")} in the inventory, ${bank.toLocaleString("en")} in the bank`
        : "",
    done: (count: string, item: string, name: string) => `Gave ${name} ${count} × ${item}`,
  },
  take: {
    title: "Take items",
    submit: "Take",
    tooMany: (held: string) => `They carry only ${held}.`,
    done: (count: string, item: string, name: string) => `Took ${count} × ${item} from ${name}`,
  },
  level: {
    title: "Set level",
    level: "Level",
    experience: "Experience",
    hint: "Above the highest of the class, the highest is taken.",
    done: (name: string, level: number) => `${name} is level ${level} now`,
  },
  rename: {
    title: "Rename",
    name: "Name",
    done: (before: string, after: string) => `${before} is ${after} now`,
  },
  class: {
    title: "Change class",
    class: "Class",
    stats: ["Attack", "Ability power", "Defense", "Magic resist", "Speed"],
    done: (name: string, kind: string) => `${name} is a ${kind} now`,
  },
  message: {
    title: "Write in the game",
    text: "Message",
    preview: (isOnline: boolean) =>
      isOnline ? "They read it at once." : "They read it when they join the game.",
    done: (name: string) => `Sent to ${name}`,
  },
  kick: {
    title: "Kick from the game",
    text: "What they read",
    preview: () => "They leave the game, and may come back.",
    done: (name: string) => `Kicked ${name}`,
  },
  notOnline: "The character is not in the game.",
  mayNot: (scope: string) => `Your role does not have the right “${scope}”.`,
};
