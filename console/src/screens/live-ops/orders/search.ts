import { ORDER_STATES } from "~/parts/orders/states";
import { flagOf, oneOf, type Raw, textOf } from "~/search";

/** The parts of the address of Live ops that the tab of orders reads. */
export function ordersSearch(raw: Raw) {
  return {
    order: textOf(raw.order),
    shop: textOf(raw.shop),
    /** The account that receives it or paid; or the character of such an account. */
    account: textOf(raw.account),
    player: textOf(raw.player),
    /** Which orders; all if it is not there. */
    orders: oneOf(raw.orders, ORDER_STATES),
    /** The comparison with the list of a shop. */
    compare: flagOf(raw.compare),
  };
}
