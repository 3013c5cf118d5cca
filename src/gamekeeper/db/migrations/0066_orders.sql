-- Orders of shops, and the products they name: docs/decisions/0070-orders.md.

-- A product of a shop, and the items that one of it delivers.
CREATE TABLE shop_products (
    shop            text COLLATE "C" NOT NULL,
    product         text COLLATE "C" NOT NULL,
    name            text NOT NULL,
    items           jsonb NOT NULL,             -- [{"item_id": …, "quantity": …}]
    changed_at      timestamptz NOT NULL DEFAULT now(),
    changed_by_name text NOT NULL,
    CONSTRAINT shop_products_pkey PRIMARY KEY (shop, product),
    CONSTRAINT shop_products_name_length CHECK (char_length(name) <= 100),
    CONSTRAINT shop_products_items_list CHECK (jsonb_typeof(items) = 'array')
);

-- An order is never deleted: its address (shop and id) is what makes its delivery happen once, for
-- ever. A refund or a dispute may come first; then there is a row without content.
CREATE TABLE orders (
    id              uuid PRIMARY KEY,           -- in the order of time
    shop            text COLLATE "C" NOT NULL,
    order_id        text COLLATE "C" NOT NULL,
    state           text NOT NULL,              -- follows from the rest; stored for searches
    -- The receiver and the buyer as the shop named them. An erasure empties these.
    account_ref     text,
    character_ref   text,
    buyer_ref       text,
    -- A keyed hash of the content: a repeat is recognised also after an erasure. NULL: no content yet.
    content_tag     bytea,
    user_id         uuid,                       -- the account that receives it
    player_id       uuid,                       -- the character, if the shop or staff named one
    buyer_id        uuid,                       -- the account that paid
    claim_hash      bytea,                      -- a keyed hash of the claim code
    amount          numeric,
    currency        text,
    dispute         text,
    refunded_lines  int[],                      -- refunds that came before the order
    is_refunded     boolean NOT NULL DEFAULT false,     -- the whole order, once and for all
    paid_at         timestamptz,
    created_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT orders_address_key UNIQUE (shop, order_id),
    CONSTRAINT orders_claim_key UNIQUE (claim_hash),
    CONSTRAINT orders_state_known CHECK (
        state IN ('expected', 'unclaimed', 'waiting', 'delivered', 'disputed', 'refunded')
    ),
    CONSTRAINT orders_dispute_known CHECK (dispute IN ('open', 'won', 'lost'))
);
CREATE INDEX orders_state_idx ON orders (state, id);
CREATE INDEX orders_user_idx ON orders (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX orders_buyer_idx ON orders (buyer_id, id) WHERE buyer_id IS NOT NULL;
CREATE INDEX orders_shop_paid_idx ON orders (shop, paid_at);

CREATE TABLE order_lines (
    order_id        uuid NOT NULL,
    number          int NOT NULL,               -- from 1
    product         text COLLATE "C",
    items           jsonb NOT NULL,             -- as ordered; empty if a product is named
    quantity        int NOT NULL,
    state           text NOT NULL,
    reason          text,                       -- why it waits, or what a refund did not find
    -- Of the delivery: written once, with the letter.
    delivered       jsonb,                      -- the items that the letter had
    player_id       uuid,
    letter_id       uuid,
    delivered_at    timestamptz,
    ended_at        timestamptz,                -- of the refund
    tried_at        timestamptz,                -- when the worker last tried to deliver it
    CONSTRAINT order_lines_pkey PRIMARY KEY (order_id, number),
    CONSTRAINT order_lines_order_fkey FOREIGN KEY (order_id) REFERENCES orders,
    -- One letter delivers one line: what the service would do twice, PostgreSQL refuses.
    CONSTRAINT order_lines_letter_key UNIQUE (letter_id),
    CONSTRAINT order_lines_state_known CHECK (
        state IN ('waiting', 'delivered', 'cancelled', 'returned', 'lost')
    ),
    CONSTRAINT order_lines_quantity_positive CHECK (quantity > 0),
    CONSTRAINT order_lines_delivery_whole CHECK (
        num_nulls(delivered, player_id, letter_id, delivered_at) IN (0, 4)
    ),
    CONSTRAINT order_lines_delivered_by_letter CHECK (
        (state IN ('waiting', 'cancelled')) = (letter_id IS NULL)
    )
);
-- The worker tries those that wait, the one that waits longest since its last try first.
CREATE INDEX order_lines_waiting_idx ON order_lines (tried_at NULLS FIRST, order_id)
    WHERE state = 'waiting';
CREATE INDEX order_lines_player_idx ON order_lines (player_id) WHERE player_id IS NOT NULL;

-- What a refund takes is against an account of its own: a restore returns removals, never refunds.
-- NOT VALID: the rule until now allowed less, and reading all postings may take minutes.
ALTER TABLE postings
    DROP CONSTRAINT postings_against_known,
    ADD CONSTRAINT postings_against_known CHECK (
        against IN ('grant', 'removal', 'refund', 'import', 'demo', 'undo', 'restore', 'move', 'guild')
    ) NOT VALID;
