import { expect, it } from "vitest";
import { bodyOf, type Draft, emptyDraft } from "./draft";

const LYRA = { userId: "u", player: { id: "p", name: "Lyra" } };

function draft(parts: Partial<Draft>): Draft {
  return { ...emptyDraft(LYRA), reason: " spam ", ...parts };
}

it("waits for whom, and for a duration that is understood", () => {
  expect(bodyOf(emptyDraft(null))).toBeNull();
  expect(bodyOf(draft({ duration: "soon" }))).toBeNull();
});

it("is for the character, or for its whole account", () => {
  expect(bodyOf(draft({}))).toMatchObject({ player: "p" });
  expect(bodyOf(draft({ whole: true }))).toMatchObject({ user: "u" });
  expect(bodyOf(draft({ whole: true }))).not.toHaveProperty("player");
});

it("leaves kind, duration and words to the template", () => {
  const body = bodyOf(draft({ template: "spam" }));
  expect(body).toEqual({ player: "p", template: "spam", reason: "spam", evidence: [] });
  expect(bodyOf(draft({ template: "spam", message: "Stop." }))).toMatchObject({ message: "Stop." });
});

it("has no duration without an end, and none for a warning", () => {
  expect(bodyOf(draft({ duration: "2 days" }))).toMatchObject({ durationseconds: 172_800 });
  expect(bodyOf(draft({ duration: "for good" }))).not.toHaveProperty("durationseconds");
  expect(bodyOf(draft({ kind: "warning" }))).not.toHaveProperty("durationseconds");
});

it("never has words for the player in a note", () => {
  expect(bodyOf(draft({ kind: "note", message: "psst" }))).not.toHaveProperty("message");
});

it("takes links line by line", () => {
  const body = bodyOf(draft({ evidence: "https://a.example/1\n\n https://b.example/2 " }));
  expect(body?.evidence).toEqual(["https://a.example/1", "https://b.example/2"]);
});
