-- What the game's editor knows of its objects, as the ancestor's API answers it. Small, read by
-- everybody, changed only by an import, like the other tables of the catalog.
--
-- Items, spells, classes and variables have a row here only if an import brought more of them
-- than their own tables hold; those tables decide which there are and what they are called.
CREATE TABLE catalog_objects (
    type    text COLLATE "C" NOT NULL,
    id      uuid NOT NULL,
    name    text NOT NULL,                      -- may be empty: the editor allows it
    facts   jsonb NOT NULL DEFAULT '{}',        -- by the keys of the ancestor
    CONSTRAINT catalog_objects_pkey PRIMARY KEY (type, id),
    CONSTRAINT catalog_objects_type_known CHECK (
        type IN ('animation', 'class', 'crafts', 'crafttables', 'event', 'guildvariable', 'item',
                 'map', 'npc', 'playervariable', 'projectile', 'quest', 'resource',
                 'servervariable', 'shop', 'spell', 'tileset', 'time', 'uservariable')
    ),
    CONSTRAINT catalog_objects_name_length CHECK (char_length(name) <= 255),
    CONSTRAINT catalog_objects_facts_object CHECK (jsonb_typeof(facts) = 'object'),
    -- A page shows a hundred of them.
    CONSTRAINT catalog_objects_facts_size CHECK (octet_length(facts::text) <= 65536)
);
-- The order of a page.
CREATE INDEX catalog_objects_name_idx ON catalog_objects (type, lower(name) COLLATE "C", id);
