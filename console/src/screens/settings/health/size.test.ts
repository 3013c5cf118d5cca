import { expect, test } from "vitest";
import { size } from "./size";

test("sizes have a unit that fits", () => {
  expect([0, 999, 1000, 12_345, 734_003_200, 1_249_000_000].map(size)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "12 kB",
    "734 MB",
    "1.2 GB",
  ]);
});

test("a size just below the next unit is not a thousand of its own", () => {
  expect(size(999_999)).toBe("1.0 MB");
  expect(size(5e15)).toBe("5000 TB");
});
