import { grouped } from "~/format";

export const text = {
  title: "Findings",
  what: "What",
  quantity: "Quantity",
  usual: "Usual",
  when: "Time",
  state: "State",
  measures: {
    created: "created",
    destroyed: "destroyed",
    given: "given by staff",
    traded: "traded",
    accounts: "new accounts",
    received: "received by a new account",
  },
  allItems: "Value of all items",
  rule: (name: string) => `Rule ${name}`,
  usually: (usual: number) => `${grouped(usual)} in this hour of the week`,
  by: "by",
  states: { open: "Open", acknowledged: "Acknowledged" },
  actions: "Actions",
  acknowledge: "Acknowledge",
  acknowledgeTitle: "Acknowledge finding",
  note: "Note",
  noteHint: "The result of your investigation. Other staff members read it.",
  acknowledged: "Acknowledged the finding",
  stays:
    "It leaves the overview and stays acknowledged. If the increase continues, the next hour is a new finding.",
};
