/** The states of orders, those first that need staff. */
export const ORDER_STATES = [
  "unclaimed",
  "waiting",
  "disputed",
  "delivered",
  "refunded",
  "expected",
] as const;
export type OrderStateName = (typeof ORDER_STATES)[number];
