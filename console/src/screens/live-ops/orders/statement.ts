/** A paid order of the shop, as the service takes it. */
export interface PaidOrder {
  orderid: string;
  amount?: string;
  currency?: string;
  refunded?: boolean;
}

export const MOST_ORDERS = 1_000;

const ORDER_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const AMOUNT = /^[0-9]{1,12}([.,][0-9]{1,4})?$/;
const CURRENCY = /^[A-Z]{3}$/;
const REFUNDED = /^(refunded|refund|true|yes)$/i;
/** The first line of an export names its columns. */
const HEADING = /^(order|id|order[ _-]?id|transaction([ _-]?id)?|payment([ _-]?id)?)$/i;

/**
 * The orders of a list that was pasted or uploaded, each once, and how many lines are none.
 *
 * The first cell is the id. The others are known by their form, because every shop has another
 * order of columns.
 */
export function statementOf(list: string): { orders: PaidOrder[]; skipped: number } {
  const orders = new Map<string, PaidOrder>();
  let skipped = 0;
  const lines = list.split(/\r?\n/).filter((line) => line.trim() !== "");
  for (const [number, line] of lines.entries()) {
    const [id = "", ...rest] = cellsOf(line);
    if (number === 0 && HEADING.test(id)) continue;
    if (ORDER_ID.test(id)) orders.set(id, { orderid: id, ...factsOf(rest) });
    else skipped += 1;
  }
  return { orders: [...orders.values()], skipped };
}

/** Tabs and semicolons first: with those, a comma is part of a number. */
function cellsOf(line: string): string[] {
  const separator = line.includes("\t") ? "\t" : line.includes(";") ? ";" : ",";
  return line.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .trim(),
  );
}

function factsOf(cells: string[]): Omit<PaidOrder, "orderid"> {
  // With decimals first: a column of quantities has none.
  const amount =
    cells.find((cell) => AMOUNT.test(cell) && /[.,]/.test(cell)) ??
    cells.find((cell) => AMOUNT.test(cell));
  const currency = cells.find((cell) => CURRENCY.test(cell));
  const isRefunded = cells.some((cell) => REFUNDED.test(cell));
  return {
    ...(amount && { amount: amount.replace(",", ".") }),
    ...(currency && { currency }),
    ...(isRefunded && { refunded: true }),
  };
}
