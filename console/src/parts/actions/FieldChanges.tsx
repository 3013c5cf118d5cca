import { BeforeAfter, type Change } from "~/parts/BeforeAfter";
import { CopyId } from "~/parts/CopyId";
import { When } from "~/parts/When";
import { CatalogName, ServerName } from "./CatalogName";
import { fieldsOf } from "./fields";
import { Pieces } from "./Pieces";
import { text } from "./text";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const MOST = 40;

/** What was there before and after, field by field, in words. */
export function FieldChanges({ before, after }: { before: unknown; after: unknown }) {
  const changes = fieldsOf(before, after)
    .slice(0, MOST)
    .map(
      ({ path, was, is }): Change => ({
        key: path,
        label: labelOf(path),
        before: shown(path, was),
        after: shown(path, is),
      }),
    );
  if (changes.length === 0) return null;
  return <BeforeAfter changes={changes} label={text.details.changed} />;
}

function labelOf(path: string): string {
  const words = path.split(".").filter((word) => word !== "sheet" && word !== "character");
  return words
    .map((word) => text.details.fields[word] ?? text.powers[word] ?? word.replaceAll("_", " "))
    .join(" · ");
}

function shown(path: string, value: unknown) {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (value === null || value === undefined) return null;
  if (typeof value !== "string") return Array.isArray(value) ? value.join(", ") : null;
  if (UUID.test(value)) return named(path.split(".").at(-1) ?? "", value);
  return INSTANT.test(value) ? <When at={value} span /> : value;
}

function named(field: string, id: string) {
  if (field === "item_id") return <Pieces item={id} />;
  if (field === "spell_id") return <CatalogName part="spells" id={id} />;
  if (field === "variable_id") return <CatalogName part="variables" id={id} />;
  if (field === "class_id") return <CatalogName part="classes" id={id} />;
  if (field === "server_id") return <ServerName id={id} />;
  return <CopyId id={id} />;
}
