import { expect, test } from "vitest";
import { countTooLong, namesIn, PART_SIZE, partsOf } from "./names";

test("names are lines, without space around them and without repetitions", () => {
  expect(namesIn("Ana Lyra\r\n\n  Corin \nAna Lyra\n")).toEqual(["Ana Lyra", "Corin"]);
  expect(namesIn("")).toEqual([]);
});

test("a file of something else is noticed", () => {
  expect(countTooLong(["Ana", "x".repeat(64), "x".repeat(65)])).toBe(1);
});

test("a long list is sent in parts, none of them empty", () => {
  const names = Array.from({ length: PART_SIZE + 1 }, (_, at) => `Name ${at}`);
  expect(partsOf(names).map((part) => part.length)).toEqual([PART_SIZE, 1]);
  expect(partsOf([])).toEqual([]);
});
