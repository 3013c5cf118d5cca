import type { CampaignWork } from "@gamekeeper/client";
import { Group, Text } from "@mantine/core";
import { useItem } from "~/items";
import { CatalogName } from "~/parts/actions/CatalogName";
import { ItemTile } from "~/parts/ItemTile";
import { text } from "./text";

/** The work of a campaign in a line: "Letter “Sorry” with 3 × Healing Potion". */
export function WorkSentence({ work }: { work: CampaignWork }) {
  const { Kind, Subject, Text: said, Items, Id, Value } = work;
  return (
    <Group gap={6} component="span">
      {Kind === "letter" && text.work.letter(Subject ?? "", Items.length > 0)}
      {(Kind === "message" || Kind === "announcement") && text.work.message(said ?? "")}
      {Kind === "give" && text.work.give}
      {Kind === "take" && text.work.take}
      {Items.map(({ ItemId, Quantity }) => (
        <Pieces key={ItemId} item={ItemId} quantity={Quantity} />
      ))}
      {Kind === "variable" && Id && (
        <>
          {text.work.set} <CatalogName part="variables" id={Id} /> {text.work.to}{" "}
          <Text span fw={550} inherit>
            {String(Value)}
          </Text>
        </>
      )}
      {Kind === "spell" && Id && (
        <>
          {text.work.teach} <CatalogName part="spells" id={Id} />
        </>
      )}
    </Group>
  );
}

/** Some pieces of an item, with its picture. */
export function Pieces({ item, quantity }: { item: string; quantity: number }) {
  const entry = useItem(item);
  return (
    <Group gap={4} component="span" wrap="nowrap">
      <ItemTile id={item} size={20} />
      <Text span inherit>
        {text.work.pieces(quantity, entry?.Name ?? "…")}
      </Text>
    </Group>
  );
}
