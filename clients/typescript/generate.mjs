// Writes src/schema.ts, or the file that is named, from the OpenAPI document on standard input.
//
// The errors of every operation have one shape, which errors.ts reads, and examples are in
// the documentation: without them the file is a fifth as long.
import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
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
writeFileSync(
  process.argv[2] ?? new URL("src/schema.ts", import.meta.url),
  `// Generated from the OpenAPI document by generate.mjs; do not edit.

${astToString(types)}
/** The operations that take an \`Idempotency-Key\`. */
export const takesKey: ReadonlySet<string> = new Set(${JSON.stringify(keyed, null, 4)});
`,
);

function withoutExamples(value) {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "example" || name === "examples") delete value[name];
    else withoutExamples(inner);
  }
}
