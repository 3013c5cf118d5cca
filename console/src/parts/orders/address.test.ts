import { expect, test } from "vitest";
import { addressOf, partsOf } from "./address";

test("an address names the shop and the order", () => {
  expect(partsOf(addressOf("web-shop_2", "tbx:7f.31-a_9"))).toEqual({
    shop: "web-shop_2",
    id: "tbx:7f.31-a_9",
  });
  expect(partsOf("WS-2041")).toEqual({ shop: "WS-2041", id: "" });
});
