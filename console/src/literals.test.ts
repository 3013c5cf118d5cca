import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const SOURCE = new URL(".", import.meta.url).pathname;
/** The attributes that people see or hear. */
const VISIBLE = new Set([
  "alt",
  "aria-label",
  "description",
  "error",
  "hint",
  "label",
  "legend",
  "nothingFoundMessage",
  "placeholder",
  "title",
  "what",
]);
/** Commands and keys, which no language translates. */
const VERBATIM = new Set(["Code", "Kbd", "code", "kbd", "pre"]);
const WORD = /\p{L}{2}/u;
/** Parsing all components takes a second or two, and more on a busy machine. */
const PATIENCE_MS = 60_000;

/** The texts that stand in the code of a component instead of in a catalogue. */
function literalsIn(name: string, code: string): string[] {
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];

  function report(node: ts.Node, text: string) {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${name}:${line + 1}: ${text.trim()}`);
  }

  /** An expression that is shown: its strings, and those of both branches of a condition. */
  function shown(node: ts.Node | undefined) {
    if (!node) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (WORD.test(node.text)) report(node, node.text);
    } else if (ts.isTemplateExpression(node)) {
      const words = [node.head, ...node.templateSpans.map((span) => span.literal)];
      if (words.some((part) => WORD.test(part.text))) report(node, node.getText());
    } else if (ts.isConditionalExpression(node)) {
      shown(node.whenTrue);
      shown(node.whenFalse);
    } else if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isChoice =
        kind === ts.SyntaxKind.AmpersandAmpersandToken ||
        kind === ts.SyntaxKind.BarBarToken ||
        kind === ts.SyntaxKind.QuestionQuestionToken ||
        kind === ts.SyntaxKind.PlusToken;
      if (isChoice) {
        shown(node.left);
        shown(node.right);
      }
    } else if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) {
      shown(node.expression);
    }
  }

  function visit(node: ts.Node) {
    if (ts.isJsxElement(node) && VERBATIM.has(node.openingElement.tagName.getText())) return;
    if (ts.isJsxText(node) && WORD.test(node.text)) report(node, node.text);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) shown(node);
    if (ts.isJsxAttribute(node) && VISIBLE.has(node.name.getText())) shown(node.initializer);
    if (ts.isVariableDeclaration(node) && node.name.getText() === "text") {
      if (node.initializer && ts.isObjectLiteralExpression(node.initializer)) {
        report(node, "a catalogue that is not in a file text.ts");
      }
    }
    ts.forEachChild(node, visit);
  }

  visit(file);
  return found;
}

test(
  "components take their texts from the catalogues, the files text.ts",
  () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".tsx"),
    );
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((name) =>
      literalsIn(name, readFileSync(`${SOURCE}${name}`, "utf8")),
    );
    expect(found).toEqual([]);
  },
  PATIENCE_MS,
);

test.each([
  ["<b>Hello</b>", "Hello"],
  ['<Button label="Save" />', "Save"],
  ['<Text>{isNew ? "New" : text.old}</Text>', "New"],
  ["<Tooltip label={`Copy $" + "{what}`} />", "`Copy $" + "{what}`"],
  ['<p>{count > 0 && "some"}</p>', "some"],
])("%s has a literal", (code, literal) => {
  expect(literalsIn("a.tsx", `const a = ${code};`)).toEqual([`a.tsx:1: ${literal}`]);
});

test.each([
  "<b>{text.hello}</b>",
  "<b>{a} · {b}</b>",
  '<Button variant="default" label={text.save} />',
  "<Code>gamekeeper staff link {Name}</Code>",
  '<b>{kind === "ban" ? text.ban : text.mute}</b>',
])("%s has none", (code) => {
  expect(literalsIn("a.tsx", `const a = ${code};`)).toEqual([]);
});
