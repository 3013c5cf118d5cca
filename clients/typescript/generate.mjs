// Writes src/schema.ts (types) and src/keyed.ts (the operations that take a key) from the OpenAPI
// document on standard input, into src or the folder that is named.
//
// src/keyed.ts is committed, src/schema.ts is not: a bundler drops types, so the wheel's console is
// built without them, in an environment where the service is not installed yet.
//
// The errors of every operation have one shape, which errors.ts reads, and examples are in
// the documentation: without them the file is a fifth as long.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const BLOB = ts.factory.createTypeReferenceNode("Blob");

const document = JSON.parse(await text(process.stdin));

const keyed = [];

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    if (operation.parameters.some((each) => each.name === "Idempotency-Key")) {
      keyed.push(`${method} ${path}`);
    }
    const { 200: done } = operation.responses;
    operation.responses = done
      ? { 200: { description: done.description, content: done.content } }
      : {};
    operation.parameters = operation.parameters.filter((each) => each.in !== "header");
    withoutExamples(operation);
  }
}
withoutExamples(document.components.schemas);

const types = await openapiTS(document, {
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: (schema) => (schema.format === "binary" ? BLOB : undefined),
});
write("schema.ts", astToString(types));
write(
  "keyed.ts",
  `/** The operations that take an \`Idempotency-Key\`. */
export const takesKey: ReadonlySet<string> = new Set([
${keyed.map((operation) => `  "${operation}",`).join("\n")}
]);
`,
);

function write(name, content) {
  const folder = process.argv[2] ?? fileURLToPath(new URL("src", import.meta.url));
  const heading = "// Generated from the OpenAPI document by generate.mjs; do not edit.";
  writeFileSync(join(folder, name), `${heading}\n\n${content}`);
}

function withoutExamples(value) {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "example" || name === "examples") delete value[name];
    else withoutExamples(inner);
  }
}
