// Generated from the OpenAPI document by generate.mjs; do not edit.

export interface paths {
    "/api/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions of the API
         * @description Anybody may call this, without a credential.
         */
        get: operations["get_api_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/info/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions of the API, alone
         * @description Anybody may call this, without a credential.
         */
        get: operations["list_api_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that was done, newest first
         * @description With `reason`, a page looks through at most 50,000 actions and may have few on it, or none,
         *     and a `Next`: `SearchedTo` says how far back it came.
         *
         *     Needs `actions.read`.
         */
        get: operations["list_actions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/actions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as a CSV file with names, at most 100,000 rows, newest first
         * @description If there is more, the last row says so, and with which `to` to go on. A cell that a
         *     spreadsheet would take for a formula begins with an apostrophe. Each caller has one export
         *     at a time, and each serving process two.
         *
         *     Needs `actions.read`.
         */
        get: operations["export_actions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/actions/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo what one actor did, or what left a character or an account, newest first
         * @description Give exactly one of `actor`, `player` and `user`. With `actor`, all actions of that actor
         *     from `from` to `to`, both included. With `player` or `user`, the actions from `from` on and
         *     before `to` by which items or spells left the character, or any character of the account,
         *     whoever the actor was; items that went from one character of the account to another did not
         *     leave it. With `what` set to `all`, every change of the characters in that time, also gifts.
         *     Undos, and the creation and deletion of characters, are not selected.
         *
         *     At most 1,000 actions in one call: go on with the answer's `Next` as `cursor` until
         *     it is null. Actions are undone one by one, each whole or not at all, and with `player` or
         *     `user` each transaction whole or not at all; those that could not be are listed, and so are
         *     those that the caller has no right to undo: with `role_required` or `outranked`. Passwords,
         *     keys, accounts and catalogs are never undone.
         *
         *     `Recipients` lists who received what left, and how much of it comes back. In a dry run it is
         *     what would happen.
         *
         *     Needs `actions.undo`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["undo_actor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One action, by its id
         * @description Needs `actions.read`.
         */
        get: operations["get_action"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/actions/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo an action, all of it or nothing
         * @description Besides `actions.undo` it needs the scope that the change itself needs: `players.items`,
         *     `players.spells`, `players.variables`, or `users.query` and `users.manage`.
         *
         *     An undo is an action as well and can be undone. If something is in the way, the
         *     refusal says what; with `partial` what can be undone is. With `dryrun` nothing is
         *     written, and the answer is what it would be otherwise.
         *
         *     To undo a change of an email or of powers, a browser session must have verified its second
         *     factor within ten minutes, except with `dryrun`.
         *
         *     Needs `actions.undo`.
         */
        post: operations["undo_action"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/appeals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The queue of appeals: open ones first, the oldest first; then the others, newest first
         * @description Needs `sanctions.read`.
         */
        get: operations["list_appeals"];
        put?: never;
        /**
         * Appeal a sanction by its code. Needs no account: a banned player cannot sign in
         * @description Anybody may call this, without a credential.
         */
        post: operations["submit_appeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/appeals/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the player may know of a sanction, by its code, and what was answered
         * @description A POST, because a code in a URL would be in logs and histories.
         *
         *     Anybody may call this, without a credential.
         */
        post: operations["find_appeal_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/appeals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One appeal, by its id
         * @description Needs `sanctions.read`.
         */
        get: operations["get_appeal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/appeals/{id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the sanction or keep it, with an answer that the player reads. Once
         * @description Without `sanctions.read` the answer has neither the player's text nor the sanction's reason
         *     and evidence.
         *
         *     Needs `sanctions.manage`.
         */
        post: operations["decide_appeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests for approval, newest first
         * @description With the scope `approvals` all of them, otherwise those that the caller made.
         *
         *     Needs a credential.
         */
        get: operations["list_approvals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One request for approval; without the scope `approvals`, one of the caller's own
         * @description Needs a credential.
         */
        get: operations["get_approval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a change, which carries it out at once
         * @description Besides `approvals` it needs the scopes of the change itself, and it counts against the
         *     limits of the approver, if there are any. Nobody approves a request of their own. If the
         *     change is not possible any more, the refusal says why, and the request stays pending.
         *
         *     Needs `approvals`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["approve_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a change: it is not carried out. Nobody rejects a request of their own
         * @description Needs `approvals`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["reject_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The character classes of the catalog, by name
         * @description Needs `players.read`.
         */
        get: operations["list_catalog_classes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/classes/{class_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One character class of the catalog
         * @description Needs `players.read`.
         */
        get: operations["get_catalog_class"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The items of the catalog, by name
         * @description Needs `players.read`.
         */
        get: operations["list_catalog_items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One item of the catalog
         * @description Needs `players.read`.
         */
        get: operations["get_catalog_item"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/items/{item_id}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The icon of an item, a PNG, if the catalog keeps it; see `Icon` of the item
         * @description Needs `players.read`.
         */
        get: operations["get_catalog_icon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/spells": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The spells of the catalog, by name
         * @description Needs `players.read`.
         */
        get: operations["list_catalog_spells"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/spells/{spell_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One spell of the catalog
         * @description Needs `players.read`.
         */
        get: operations["get_catalog_spell"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The player variables of the catalog, by name
         * @description Needs `players.read`.
         */
        get: operations["list_catalog_variables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalog/variables/{variable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One player variable of the catalog
         * @description Needs `players.read`.
         */
        get: operations["get_catalog_variable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something to all who play, on all game servers
         * @description Needs `commands`.
         */
        post: operations["send_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/direct/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something to one character that is online
         * @description Needs `commands`.
         */
        post: operations["send_direct_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/global": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something to all who play; the same as without `global`
         * @description Needs `commands`.
         */
        post: operations["send_global_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/proximity/{map_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something to all who are on a map
         * @description Needs `commands`.
         */
        post: operations["send_proximity_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commands/{command_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One command, and what became of it
         * @description With `wait`, the response is held back until the command is done, failed or expired, at
         *     most so many seconds and at most 30.
         *
         *     Needs `commands`.
         */
        get: operations["get_command"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/economy/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All items, those first of which there are most
         * @description Needs `economy.read`.
         */
        get: operations["list_economy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/economy/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many of an item exist, where, who has most, and how they came and went by day
         * @description Needs `economy.read`.
         */
        get: operations["get_economy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/economy/items/{item_id}/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The largest movements of an item in the last days, of each day at most some twenty
         * @description Needs `economy.read`.
         */
        get: operations["list_item_movements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is done, oldest first, as it happens
         * @description Every event has an id, `Seq`, without gaps except where a backup was restored; what is done
         *     to one character comes in its order. Whoever has come to N goes on with `after=N`: nothing is
         *     missing and nothing comes twice. With `Accept: text/event-stream` it is a stream of
         *     server-sent events that goes on until either side ends it; then `Last-Event-ID` is where it
         *     goes on. Otherwise it is a page, and with `wait` one that is held back until there is
         *     something on it.
         *
         *     Needs `events.read`.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gameobjects/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the light of the game changes through its day
         * @description Needs `players.read`.
         */
        get: operations["get_day_cycle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gameobjects/{object_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The objects of a type, by name
         * @description Needs `players.read`.
         */
        get: operations["list_game_objects"];
        put?: never;
        /**
         * The objects of a type, by name, each beside its id
         * @description Needs `players.read`.
         */
        post: operations["list_game_objects_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gameobjects/{object_type}/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The names alone of the objects of a type, all on one page; at most 10,000
         * @description Needs `players.read`.
         */
        get: operations["list_game_object_names"];
        put?: never;
        /**
         * The names of the objects of a type, by their ids; at most 10,000
         * @description Needs `players.read`.
         */
        post: operations["list_game_object_names_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gameobjects/{object_type}/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One object, whole
         * @description Needs `players.read`.
         */
        get: operations["get_game_object"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All guilds, each with the number of its members
         * @description Needs `players.read`.
         */
        get: operations["list_guilds"];
        put?: never;
        /**
         * All guilds, by name, in the older envelope
         * @deprecated
         * @description Needs `players.read`.
         *
         *     Use `GET /api/v1/guilds` instead.
         */
        post: operations["list_guilds_by_post"];
        /**
         * Disband the guild whose id is in the query, as newer clients of the ancestor do
         * @description Needs `guilds.manage`.
         */
        delete: operations["delete_guild_by_query"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Found a guild; its owner is a character that is in no guild
         * @description Needs `guilds.manage`.
         */
        post: operations["create_guild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One guild
         * @description Needs `players.read`.
         */
        get: operations["get_guild"];
        put?: never;
        post?: never;
        /**
         * Disband a guild, and show what it was; with `force` also one with something in its bank
         * @description Needs `guilds.manage`.
         */
        delete: operations["delete_guild"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every slot of a guild's bank
         * @description Needs `players.read`.
         */
        get: operations["list_guild_bank"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/bank/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move items from a member's inventory into the guild's bank, all of them or none
         * @description Needs `guilds.manage`.
         */
        post: operations["deposit_to_guild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/bank/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move items from the guild's bank into a member's inventory, all of them or none
         * @description Needs `guilds.manage`.
         */
        post: operations["withdraw_from_guild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/kick/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a member from a guild, other than its owner
         * @description Needs `guilds.manage`.
         */
        post: operations["kick_guild_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of a guild
         * @description Needs `players.read`.
         */
        get: operations["list_guild_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/members/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a character a member of a guild, with the lowest rank or another one
         * @description Needs `guilds.manage`.
         */
        post: operations["add_guild_member"];
        /**
         * Let a member leave a guild by its own will; the owner cannot
         * @description Needs `guilds.manage`.
         */
        delete: operations["remove_guild_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a guild another name: 3 to 20 letters, digits and spaces
         * @description Needs `guilds.manage`.
         */
        post: operations["rename_guild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/rank/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a member another rank: 1 is the highest, below the owner's
         * @description Needs `guilds.manage`.
         */
        post: operations["set_guild_rank"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/transfer/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another member the owner of a guild; the former owner gets rank 1
         * @description Needs `guilds.manage`.
         */
        post: operations["transfer_guild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The variables that have been set for a guild
         * @description Needs `players.read`.
         */
        get: operations["list_guild_variables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/variables/{variable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One variable of a guild; unset, the default of its type
         * @description Needs `players.read`.
         */
        get: operations["get_guild_variable"];
        put?: never;
        /**
         * Set one variable of a guild
         * @description Needs `players.variables`.
         */
        post: operations["set_guild_variable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guilds/{guild_id}/variables/{variable_id}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The value alone of one variable of a guild
         * @description Needs `players.read`.
         */
        get: operations["get_guild_variable_value"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The name of the game, and the port of this service's public address
         * @description Needs `players.read`.
         */
        get: operations["get_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/info/authorized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the credential is good: anybody else is refused
         * @description Needs `players.read`.
         */
        get: operations["get_authorized"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/info/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The name of the game and the limits of its characters, as they are configured here
         * @description Needs `players.read`.
         */
        get: operations["get_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/info/config/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The names of the stats, in the order of their values
         * @description Needs `players.read`.
         */
        get: operations["list_stat_names"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/info/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Always empty: those of this service are at `/metrics`, and a game server has its own
         * @description Needs `players.read`.
         */
        get: operations["get_game_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/info/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How long this process has run, and how many characters are in the game now
         * @description Needs `players.read`.
         */
        get: operations["get_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The API keys, newest first, with their last use and without their secrets
         * @description Needs `keys.manage`.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Make an API key; the key itself is in this answer only
         * @description It may do no more than the caller: not more scopes, not for longer than the caller's own
         *     key. Whoever has limits makes no key for what they limit.
         *
         *     Needs `keys.manage`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["create_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The scopes that there are, in words, and which of them the caller may give to a key
         * @description Needs `keys.manage`.
         */
        get: operations["list_key_scopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One API key, by its id
         * @description Needs `keys.manage`.
         */
        get: operations["get_key"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key. All processes reject it within two seconds
         * @description Needs `keys.manage`. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was said in the game, newest first; private messages are in the log of `pm`
         * @description Needs `logs.read`.
         */
        get: operations["list_chat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/guild/{guild_id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened in a guild, newest first; of one that never was, nothing
         * @description Needs `logs.read`.
         */
        get: operations["list_guild_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/player/{player}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to a character, newest first
         * @description Needs `logs.read`.
         */
        get: operations["list_player_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/pm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What two characters said to each other, newest first
         * @description Needs `logs.read`.
         */
        get: operations["list_private_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/trade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which characters exchanged items: all, those of a character, or of an account's
         * @description Needs `logs.read`.
         */
        get: operations["list_trades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/user/{user}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to an account and its characters, newest first
         * @description Needs `logs.read`.
         */
        get: operations["list_user_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/user/{user}/ip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The addresses that an account signed in from, and who else did
         * @description Needs `logs.read` and `users.personal`.
         */
        get: operations["list_user_addresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who the caller is, and what it may do: any credential will do, without any scope
         * @description Needs a credential.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's second factors, oldest first, and how many recovery codes are left
         * @description Needs a credential.
         */
        get: operations["list_factors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/factors/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the passkey that the browser has made. The first factor finishes the sign-in
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["add_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/factors/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the browser needs to make a passkey; good for five minutes
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["begin_passkey_enrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/factors/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A secret for an authenticator app, also as a QR code; it counts once it is confirmed
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["begin_totp_enrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/factors/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the authenticator app that shows this code. The first factor finishes the sign-in
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["confirm_totp_enrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/factors/{factor_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a second factor; not the last one while one is required
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["remove_factor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ten new recovery codes, shown this once; the former ones end
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["make_recovery_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The browsers that the caller is signed in with, the last seen first
         * @description Needs a credential.
         */
        get: operations["list_own_sessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions of the caller but the one that calls
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["end_other_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one session of the caller
         * @description Needs a credential. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["end_own_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of the game: who is online, who is new, what is done, what should be mended
         * @description Of those parts that the caller's scopes allow. Every figure says from when it is.
         *
         *     Needs `players.read`.
         */
        get: operations["get_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All characters, by name or in another order
         * @description Needs `players.read`.
         */
        get: operations["list_players"];
        put?: never;
        /**
         * All characters, by name, in the older envelope
         * @deprecated
         * @description Needs `players.read`.
         *
         *     Use `GET /api/v1/players` instead.
         */
        post: operations["list_players_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/bag/{bag_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A bag and every slot in it, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["get_bag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/bag/{bag_id}/trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * By which hands a bag went, and who has it now; exact, because a bag has an id
         * @description Needs `actions.read` and `players.read`.
         */
        get: operations["follow_bag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/online": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The characters that are in the game now, by name or in another order
         * @description Needs `players.read`.
         */
        get: operations["list_online_players"];
        put?: never;
        /**
         * The characters that are in the game now
         * @description Needs `players.read`.
         */
        post: operations["list_online_players_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/online/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many characters are in the game now
         * @description Needs `players.read`.
         */
        get: operations["count_online_players"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/online/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many were in the game, by the minute, the hour or the day; at most the latest 1,500
         * @description Needs `players.read`.
         */
        get: operations["list_online_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/rank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All characters, by level and experience
         * @description Needs `players.read`.
         */
        get: operations["rank_players"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The characters whose names match any part or word, the best first
         * @description Needs `players.read`.
         */
        get: operations["search_players"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One character, by name or id
         * @description Needs `players.read`.
         */
        get: operations["get_player"];
        put?: never;
        post?: never;
        /**
         * Delete a character that is not online with all it has, and show what it was
         * @description Needs `players.manage`.
         */
        delete: operations["delete_player"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/admin/{action}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ban, unban, mute, unmute the account of a character, kick, kill or warp it, as panels do
         * @description Besides `players.read` it needs `sanctions.manage` or, with a token, the power Ban or Mute; to
         *     kick, kill or warp who is online, `commands` or the power Kick, and the game must answer.
         *
         *     Needs `players.read`.
         */
        post: operations["act_on_player"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/class": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a character another class, with its base stats and vitals
         * @description Needs `players.manage`.
         */
        post: operations["change_class"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The commands to a character, newest first; kept for 90 days
         * @description Needs `commands`.
         */
        get: operations["list_player_commands"];
        put?: never;
        /**
         * Send a command to a character: kick, kill, warp, message or custom
         * @description The game server that the character is on fetches it, carries it out once and answers.
         *     Nobody online: the state is `expired` at once, unless `when` is `next_join`. Read the
         *     command, with `wait`, to learn what became of it.
         *
         *     Needs `commands`.
         */
        post: operations["send_player_command"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A character's timeline: what was done to it, newest first, with every item that moved
         * @description Needs `actions.read` and `players.read`.
         */
        get: operations["list_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every slot of a character's inventory and bank, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["list_items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items/bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every slot of a character's bank, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["list_bank"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How what a character held differs between two instants, per item and place
         * @description Needs `players.read`.
         */
        get: operations["list_item_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items/give": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a character items, all of them or none; with `statbuffs`, all of them have these
         * @description Beyond the caller's limits nothing is given: the answer is a 202 with the id of a request
         *     for approval.
         *
         *     Needs `players.items`.
         */
        post: operations["give_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every slot of a character's inventory, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["list_inventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a character back what it held at an instant and lost since, all of it or nothing
         * @description Never a copy: what the character still has in any place, or has handed on, is not
         *     lost. It goes to the slots where it lay if they are free, else where a gift would. A
         *     bag comes back empty, as it was when it was taken. A dry run shows what would come
         *     back and changes nothing.
         *
         *     Needs `players.items`.
         */
        post: operations["restore_items"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take items out of a character's inventory, all of them or none
         * @description Needs `players.items`.
         */
        post: operations["take_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/items/{item_id}/trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * To whom a character handed on an item since an instant, and by which hands it went on
         * @description Items are counted and have no identity: these are flows of such items, not the way of one.
         *
         *     Needs `actions.read` and `players.read`.
         */
        get: operations["follow_item"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/level": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a character a level, without experience in it
         * @description Needs `players.manage`.
         */
        post: operations["set_level"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/moments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When a character's state changed, with the kinds and ids of the actions, oldest first
         * @description Needs `players.read`.
         */
        get: operations["list_moments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a character another name
         * @description Needs `players.manage`.
         */
        post: operations["rename_player"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/sanctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sanctions that concern a character, its own and those of its account, newest first
         * @description Needs `sanctions.read`.
         */
        get: operations["list_player_sanctions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When a character played and on which server, newest first
         * @description Needs `players.read`.
         */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/sessions/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How long a character played on each day, in UTC, a year at most
         * @description Needs `players.read`.
         */
        get: operations["list_session_days"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/sheet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A character's sheet, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["get_sheet"];
        put?: never;
        /**
         * Change what is given of a character's sheet, all of it or nothing
         * @description Needs `players.manage`.
         */
        post: operations["save_sheet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/spells": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The spells a character knows, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["list_spells"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/spells/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a character forget a spell
         * @description Needs `players.spells`.
         */
        post: operations["forget_spell"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/spells/teach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Teach a character a spell
         * @description Needs `players.spells`.
         */
        post: operations["teach_spell"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The variables that have been set for a character, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["list_variables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/variables/{variable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One variable of a character, now or as of an instant; unset, the default of its type
         * @description Needs `players.read`.
         */
        get: operations["get_variable"];
        put?: never;
        /**
         * Set one variable of a character
         * @description Needs `players.variables`.
         */
        post: operations["set_variable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/players/{key}/variables/{variable_id}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The value alone of one variable, now or as of an instant
         * @description Needs `players.read`.
         */
        get: operations["get_variable_value"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The roles there are: the built-in ones first, then the others by name
         * @description Needs `staff.read`.
         */
        get: operations["list_roles"];
        put?: never;
        /**
         * Make a role of your own, with no scope and no limit beyond what you have yourself
         * @description Needs `staff.manage`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["create_role"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/roles/{role}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One role, by its name
         * @description Needs `staff.read`.
         */
        get: operations["get_role"];
        put?: never;
        post?: never;
        /**
         * Delete a role that nobody has; with `withdraw=true`, withdraw it from everybody first
         * @description Needs `staff.manage`. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["delete_role"];
        options?: never;
        head?: never;
        /**
         * Change a role; what is left out stays as it is, and limits are replaced as a whole
         * @description Of a built-in role only the limits can be changed, by an owner. It applies to everybody who
         *     has the role, within 5 seconds.
         *
         *     Needs `staff.manage`. A browser session must have verified its second factor within ten minutes.
         */
        patch: operations["change_role"];
        trace?: never;
    };
    "/api/v1/sanctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All sanctions, newest first: in force, ended, lifted and yet to begin
         * @description Needs `sanctions.read`.
         */
        get: operations["list_sanctions"];
        put?: never;
        /**
         * Impose a sanction on an account (`user`) or on one character (`player`)
         * @description From now or `from` on, `until` an instant, for `durationseconds`, or without end. With a
         *     `template` its ladder says which kind and for how long: the step after those that were
         *     imposed from it on the account and not lifted. `reason` and `evidence` are for staff,
         *     `message` is what the player reads. With `dryrun` nothing is written.
         *
         *     Needs `sanctions.manage`.
         */
        post: operations["impose_sanction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sanctions/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The templates, by name, each with its ladder
         * @description Needs `sanctions.read`.
         */
        get: operations["list_sanction_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sanctions/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One template, by its name
         * @description Needs `sanctions.read`.
         */
        get: operations["get_sanction_template"];
        /**
         * Make a template, or replace the one of that name
         * @description The first step is imposed the first time, and so on; beyond the last it stays the last.
         *
         *     Needs `sanctions.templates`.
         */
        put: operations["put_sanction_template"];
        post?: never;
        /**
         * Remove a template; the sanctions that were imposed from it stay as they are
         * @description Needs `sanctions.templates`.
         */
        delete: operations["remove_sanction_template"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sanctions/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One sanction, by its id or by the code that the player quotes
         * @description Needs `sanctions.read`.
         */
        get: operations["get_sanction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sanctions/{key}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a sanction, by its id or code: it ends now, and counts on no ladder any more
         * @description It stays on record, with who lifted it, when and why. A lifted one cannot be lifted again.
         *     Without `sanctions.read` the answer has neither the reason nor the evidence.
         *
         *     Needs `sanctions.manage`.
         */
        post: operations["lift_sanction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Players, accounts, items, sanction codes, actions and transactions that match a text
         * @description Each the best five, of those groups that the caller's scopes allow.
         *
         *     Needs `players.read`.
         */
        get: operations["search_everything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The game servers, by name, and how many play on each
         * @description Needs `players.read`.
         */
        get: operations["list_servers"];
        put?: never;
        /**
         * Register a game server and get its lease and fencing number
         * @description Whoever registers under the id or name of a server takes its place: the sessions
         *     of the process before end, and its late calls are refused as `fenced`. The server
         *     belongs to the caller that registered it; another is refused as `server_owned`.
         *
         *     Needs `servers`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["register_server"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whose bank windows were opened and closed: their `InBank`
         * @description Needs `servers`.
         */
        post: operations["visit_bank"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what was said on a server, for the chat log, which is kept for a month
         * @description The ids are the game server's own: what is reported again is stored once.
         *
         *     Needs `servers`.
         */
        post: operations["report_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The commands to a game server or delivered to it, newest first; kept for 90 days
         * @description Needs `commands`.
         */
        get: operations["list_server_commands"];
        put?: never;
        /**
         * Send a command to a game server itself, such as a message to all who play on it
         * @description If the server is down, the state is `expired` at once.
         *
         *     Needs `commands`.
         */
        post: operations["send_server_command"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/commands/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer many commands at once; each answer stands for itself
         * @description Needs `servers`.
         */
        post: operations["answer_commands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/commands/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The commands for this game server and for the characters on it, oldest first
         * @description With `wait`, the response is held back until there is one, at most so many seconds and at
         *     most 30. A command is delivered to one server only, and again until it is answered: carry
         *     out each id once. After a restart, `resume` names the fences of the processes whose record
         *     of ids this one continues; without it their unanswered commands do not come again.
         *
         *     Needs `servers`.
         */
        post: operations["fetch_commands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/commands/{command_id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a command was carried out, or why not; the first answer counts
         * @description Needs `servers`.
         */
        post: operations["answer_command"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the lease, with all who play on the server
         * @description Needs `servers`.
         */
        post: operations["renew_lease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let characters join the server
         * @description Who is on another server moves: that one can act for it no more. Each answer has
         *     the number of the character's last posting, which a transaction may name as expected.
         *
         *     Needs `servers`.
         */
        post: operations["join_server"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let characters leave the server; who is not on it is left alone
         * @description Needs `servers`.
         */
        post: operations["leave_server"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the lease and the sessions of all on the server, now rather than when it runs out
         * @description Needs `servers`.
         */
        post: operations["stop_server"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a staff member in with a browser: username and password, then the second factor
         * @description Anybody may call this, without a credential.
         */
        post: operations["sign_in_with_password"];
        /**
         * End the session that calls, and remove its cookie
         * @description Needs a credential.
         */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a staff member in with the code of a link from the command line, which is used up
         * @description Anybody may call this, without a credential.
         */
        post: operations["sign_in_with_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the session by a passkey: to finish a sign-in, or step up
         * @description Needs a credential.
         */
        post: operations["verify_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the browser needs to ask for a passkey of the account; good for five minutes
         * @description Needs a credential.
         */
        post: operations["begin_passkey_verification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the session by a recovery code, which is used up
         * @description Needs a credential.
         */
        post: operations["verify_recovery_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the session by the code of an authenticator app: to finish a sign-in, or step up
         * @description Needs a credential.
         */
        post: operations["verify_totp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The accounts that have roles, by name; with `role`, those that have that one
         * @description Needs `staff.read`.
         */
        get: operations["list_staff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/{user}/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove all second factors of a staff member who lost them, and end their sessions
         * @description Needs `staff.manage`. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["reset_factors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/{user}/roles/{role}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give an account a role
         * @description Nobody gives a role that may do more than they, or to an account that may do more. Owners
         *     are made by owners, in the browser, and on the command line; never with a key.
         *
         *     Needs `staff.manage`. A browser session must have verified its second factor within ten minutes.
         */
        put: operations["grant_role"];
        post?: never;
        /**
         * Withdraw a role from an account, whose sessions know within 5 seconds
         * @description Needs `staff.manage`. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["withdraw_role"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/{user}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The browsers that a staff member is signed in with, the last seen first
         * @description Needs `staff.manage`.
         */
        get: operations["list_staff_sessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions of a staff member
         * @description Needs `staff.manage`.
         */
        delete: operations["end_staff_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/{user}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one session of a staff member
         * @description Needs `staff.manage`.
         */
        delete: operations["end_staff_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Carry out transactions, each whole or not at all, whatever becomes of the others
         * @description Each has a key of its own: sent again, it is answered as it was, and nothing is done
         *     twice. With `server` and `fence` they are done for a game server: only while its
         *     lease is alive, and only to characters that are on it. One that exceeds the caller's limits
         *     has the status 202, and waits for approval.
         *
         *     Needs `transactions`.
         */
        post: operations["execute_transactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One transaction, by its id: every side of it, with the items that moved and their owners
         * @description Needs `actions.read`.
         */
        get: operations["get_transaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a whole transaction, on all sides or not at all
         * @description Besides `actions.undo` it needs the scopes of all its changes: `players.items` for a trade.
         *     Items go back to those who had them. If somebody no longer has them, or has no room, nothing
         *     is undone, and the refusal says who, how many, and to whom they were handed on.
         *
         *     The undo is a transaction as well and can be undone. What was undone of it before, action by
         *     action, stays as it is. With `dryrun` nothing is written, and the answer is what it would be
         *     otherwise.
         *
         *     Needs `actions.undo`.
         */
        post: operations["undo_transaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All accounts, by name or in another order
         * @description Needs `users.query`.
         */
        get: operations["list_users"];
        put?: never;
        /**
         * All accounts, by name, in the older envelope
         * @deprecated
         * @description Needs `users.query`.
         *
         *     Use `GET /api/v1/users` instead.
         */
        post: operations["list_users_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/password/reset/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password, with the mailed token, or with a username and the mailed code
         * @description Anybody may call this, without a credential.
         */
        post: operations["complete_password_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account, without any power
         * @description Needs `users.query`.
         */
        post: operations["register_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The accounts whose names match any part or word, the best first; then by email
         * @description Needs `users.query`.
         */
        get: operations["search_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account, by username or id
         * @description Needs `users.query`.
         */
        get: operations["get_user"];
        put?: never;
        post?: never;
        /**
         * Erase an account that is not online, with its characters, and show what it was
         * @description Nothing of it comes back. Its sanctions stay, and while one is not over its email address
         *     cannot be registered.
         *
         *     Needs `users.manage` and `users.query`. A browser session must have verified its second factor within ten minutes.
         */
        delete: operations["delete_user"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/admin/{action}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ban, unban, mute, unmute, kick, kill or warp an account, as existing panels do
         * @description Besides `users.query` it needs `sanctions.manage` or, with a token, the power Ban or Mute; to
         *     kick, kill or warp who is online, `commands` or the power Kick, and the game must answer.
         *     `duration` is in days; without it, or beyond a hundred years, there is no end.
         *
         *     Needs `users.query`.
         */
        post: operations["act_on_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/email/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change an account's email, with its password
         * @description Needs `users.query`.
         */
        post: operations["change_email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/manage/email/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the email of an account that has no power the caller lacks, without its password
         * @description Needs `users.manage` and `users.query`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["manage_email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/manage/password/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set an account's password without the current one. Ends its tokens
         * @description The account must have no power that the caller lacks.
         *
         *     Needs `users.manage` and `users.query`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["manage_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an account that has no power the caller lacks another name
         * @description Needs `users.manage` and `users.query`.
         */
        post: operations["rename_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/password/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change an account's password, with the current one. Ends its tokens
         * @description Needs `users.query`.
         */
        post: operations["change_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mail the account's owner a link and a code for a new password
         * @description Needs `users.query`.
         */
        get: operations["request_password_reset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/password/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether this is the account's password
         * @description Needs `users.query`.
         */
        post: operations["validate_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An account's characters, in the order of their creation
         * @description Needs `users.query`.
         */
        get: operations["list_users_players"];
        put?: never;
        /**
         * Create a character of level 1, with what its class begins with
         * @description Needs `players.manage`.
         */
        post: operations["create_player"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/players/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of an account's characters, by name, id or index
         * @description Needs `users.query`.
         */
        get: operations["get_users_player"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/sanctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sanctions on an account and on its characters, newest first
         * @description Needs `sanctions.read`.
         */
        get: operations["list_user_sanctions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An account's sign-ins, with a browser and for tokens, newest first
         * @description Needs `actions.read` and `users.query`.
         */
        get: operations["list_sign_ins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The variables that have been set for an account
         * @description Needs `users.query`.
         */
        get: operations["list_user_variables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/variables/{variable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One variable of an account; unset, the default of its type
         * @description Needs `users.query`.
         */
        get: operations["get_user_variable"];
        put?: never;
        /**
         * Set one variable of an account
         * @description Needs `players.variables` and `users.query`.
         */
        post: operations["set_user_variable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{key}/variables/{variable_id}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The value alone of one variable of an account
         * @description Needs `users.query`.
         */
        get: operations["get_user_variable_value"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The variables of the game, by name
         * @description Needs `players.read`.
         */
        get: operations["list_game_variables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variables/global": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The variables of the game, by name; the same as without `global`
         * @description Needs `players.read`.
         */
        get: operations["list_global_variables"];
        put?: never;
        /**
         * The variables of the game, by name, in the older envelope
         * @deprecated
         * @description Needs `players.read`.
         *
         *     Use `GET /api/v1/variables` instead.
         */
        post: operations["list_global_variables_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variables/global/{variable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One variable of the game; the same as without `global`
         * @description Needs `players.read`.
         */
        get: operations["get_global_variable"];
        put?: never;
        /**
         * Set one variable of the game; the same as without `global`
         * @description Needs `players.variables`.
         */
        post: operations["set_global_variable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variables/global/{variable_id}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The value alone of one variable of the game; the same as without `global`
         * @description Needs `players.read`.
         */
        get: operations["get_global_variable_value"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variables/{variable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One variable of the game; unset, with the default of its type
         * @description Needs `players.read`.
         */
        get: operations["get_game_variable"];
        put?: never;
        /**
         * Set one variable of the game, for all who play
         * @description Needs `players.variables`.
         */
        post: operations["set_game_variable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variables/{variable_id}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The value alone of one variable of the game
         * @description Needs `players.read`.
         */
        get: operations["get_game_variable_value"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The webhooks that the caller made, all of them for a manager, oldest first
         * @description Needs `webhooks`.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Have events sent to an address; the secret that signs them is in this answer only
         * @description Needs `events.read` and `webhooks`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook, by its id
         * @description Needs `webhooks`.
         */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Remove it, and what was kept of its deliveries
         * @description Needs `webhooks`.
         */
        delete: operations["remove_webhook"];
        options?: never;
        head?: never;
        /**
         * Change its address or kinds, or switch it off or on; what is left out stays as it is
         * @description A manager who gives it another address, or switches on one whose owner is gone, becomes
         *     its owner. With `url`, or to switch it on, a browser session must have verified its second
         *     factor within ten minutes.
         *
         *     Needs `webhooks`.
         */
        patch: operations["change_webhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was sent to it and what came back, newest first
         * @description Needs `webhooks`.
         */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery, with what is sent: masked for a caller who may not see addresses
         * @description Needs `events.read` and `webhooks`.
         */
        get: operations["get_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have events sent once more: those of one delivery, or all it wants of a span of time
         * @description Needs `webhooks`.
         */
        post: operations["replay_deliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give it a new secret; for a day everything is signed with the old one too
         * @description Only the owner is shown a secret, so a manager who asks for one becomes the owner.
         *
         *     Needs `webhooks`. A browser session must have verified its second factor within ten minutes.
         */
        post: operations["renew_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a test sent to it, at once; the delivery tells what came of it
         * @description Needs `webhooks`.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a username and password hash, or a refresh token, for an access token
         * @description Anybody may call this, without a credential.
         */
        post: operations["issue_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the sign-in that an access or refresh token belongs to
         * @description Anybody may call this, without a credential.
         */
        post: operations["revoke_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/tokens/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End everything an account is signed in with: one's own, or any with users.manage
         * @description Needs a credential.
         */
        delete: operations["end_tokens"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/tokens/{username}/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one sign-in of an account
         * @description Needs a credential.
         */
        delete: operations["end_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/token/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End everything an account is signed in with, by the ancestor's older path
         * @description Needs a credential.
         */
        delete: operations["end_sign_ins"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oauth/token/{username}/{sign_in}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one sign-in of an account, by its id or, as in the ancestor, by its refresh token
         * @description Needs a credential.
         */
        delete: operations["end_sign_in"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process runs; nothing else is looked at
         * @description Anybody may call this, without a credential.
         */
        get: operations["check_liveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The database answers, takes changes and has the schema this version needs
         * @description Anybody may call this, without a credential.
         */
        get: operations["check_readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What has been counted, for Prometheus
         * @description Anybody may call this, without a credential.
         */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * ActionCount
         * @description How many actions of a kind there were in an hour.
         */
        ActionCount: {
            /**
             * Format: date-time
             * @description When the hour began.
             */
            Hour: string;
            Kind: string;
            /** Format: int64 */
            Count: number;
        };
        /**
         * ActionHours
         * @description Actions by hour and kind, and until when they have been counted.
         */
        ActionHours: {
            /** Format: date-time */
            Since: string;
            /**
             * Format: date-time
             * @description The time of the last action that was counted, some seconds ago; null: none yet. It is that of `Newcomers` too.
             */
            CountedUntil: string | null;
            Values: components["schemas"]["ActionCount"][];
        };
        /**
         * ActionItem
         * @description So many of one item came to the character, or went if negative.
         */
        ActionItem: {
            /** Format: uuid */
            ItemId: string;
            /**
             * Format: int64
             * @description Negative if they went.
             */
            Quantity: number;
            /** @description With `names`: the item's name. */
            ItemName?: string;
        };
        /**
         * Activity
         * @description Something that happened to an account or to one of its characters.
         */
        Activity: {
            /** Format: uuid */
            Id: string;
            /** Format: date-time */
            TimeStamp: string;
            /** Format: uuid */
            UserId: string;
            /** Format: uuid */
            PlayerId: string | null;
            /** @description As the Intersect Engine calls it: `Create`, `Login`, `SelectPlayer`, `Logout`, `NameChange`, `PasswordChanged`, `Mute`, `DisconnectBan`, `DisconnectKick`, `Kill`, `CreatePlayer`, `DeletePlayer`. */
            Action: string;
            /** @description Always `Client`. */
            Peer: string;
            /** @description Of sign-ins, for those who may see personal information; else empty. */
            Ip: string;
            /** @description The former and the new name, or empty. */
            Meta: string;
        };
        /** ActivityPage */
        ActivityPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["Activity"][];
        };
        /** AddedFactor */
        AddedFactor: {
            /** Format: uuid */
            Id: string;
            /** @enum {string} */
            Kind: "passkey" | "totp";
            Name: string;
        };
        /**
         * AdminActionBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        AdminActionBody: {
            /**
             * Format: int32
             * @description Days; without it, or beyond a hundred years, without end.
             */
            duration?: number;
            /**
             * @description What staff and the player read, at most 500 characters.
             * @default
             */
            reason?: string;
            /**
             * Format: int32
             * @description Of a warp.
             */
            x?: number;
            /**
             * Format: int32
             * @description Of a warp.
             */
            y?: number;
            /**
             * Format: uuid
             * @description Of a warp.
             */
            mapid?: string;
        };
        /**
         * Alert
         * @description Something that should be mended, and what it is about.
         */
        Alert: {
            /** @description `worker_stopped`, `chain_lagging`, `chain_unverified`, `chain_breached`, `webhook_failing`, `webhook_off` or `lease_lost`. */
            Code: string;
            Message: string;
            /**
             * Format: date-time
             * @description Since when; null if that is not known.
             */
            Since: string | null;
            /**
             * @description What it is about: `worker`, `chain`, `webhook` or `server`.
             * @enum {string}
             */
            Target: "chain" | "server" | "webhook" | "worker";
            /**
             * Format: uuid
             * @description Which webhook or server.
             */
            TargetId: string | null;
            /** @description The URL of the webhook, or the name of the server. */
            TargetName: string | null;
        };
        /**
         * AnswerBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        AnswerBody: {
            /**
             * Format: uuid
             * @description The command's id.
             */
            id: string;
            /** @description Whether it was carried out. */
            done: boolean;
            /** @description For who sent it: at most 500 characters. */
            text?: string;
        };
        /**
         * AnswerCommand
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        AnswerCommand: {
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence: number;
            /** @description Whether it was carried out. */
            done: boolean;
            /** @description For who sent it: at most 500 characters. */
            text?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * AnswerCommands
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        AnswerCommands: {
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence: number;
            /** @description At most 100. JSON bodies only. */
            answers: components["schemas"]["AnswerBody"][];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * AnswerOutcome
         * @description What became of one answer.
         */
        AnswerOutcome: {
            /** Format: uuid */
            Id: string;
            /** @description The command's state; null if the answer was refused. */
            State: ("delivered" | "done" | "expired" | "failed" | "waiting") | null;
            /** @description Why the answer was refused; null if it was not. */
            Failure: components["schemas"]["Failure"] | null;
        };
        /**
         * AnswerOutcomes
         * @description What became of each answer, in their order.
         */
        AnswerOutcomes: {
            Values: components["schemas"]["AnswerOutcome"][];
        };
        /**
         * AnsweredCommand
         * @description A command that was answered.
         */
        AnsweredCommand: {
            /** Format: uuid */
            Id: string;
            /** @enum {string} */
            State: "delivered" | "done" | "expired" | "failed" | "waiting";
        };
        /** ApiInfo */
        ApiInfo: {
            versions: string[];
        };
        /**
         * ApiPower
         * @description What an account may do, as the two changes of an email show it.
         */
        ApiPower: {
            Editor: boolean;
            Ban: boolean;
            Kick: boolean;
            Mute: boolean;
            Api: boolean;
            ApiPersonalInformation: boolean;
            ApiUserManagement: boolean;
        };
        /**
         * Appeal
         * @description An appeal as staff sees it, with its sanction.
         */
        Appeal: {
            /** Format: uuid */
            Id: string;
            /** @enum {string} */
            State: "closed" | "kept" | "lifted" | "open";
            Text: string;
            /** Format: date-time */
            OpenedAt: string;
            /** Format: date-time */
            DecidedAt: string | null;
            DecidedBy: string | null;
            DecidedByName: string | null;
            Answer: string | null;
            /** @description Of the decision, for staff only. */
            Reason: string | null;
            Sanction: components["schemas"]["Sanction"];
            /** @description Whether the caller imposed the sanction, and may leave it to others. */
            ImposedByYou: boolean;
        };
        /**
         * AppealOutcome
         * @description What a player sees of an appeal: not its text, for the code may be known to others.
         */
        AppealOutcome: {
            /**
             * @description `open`: it waits; `lifted` or `kept`: the decision; `closed`: the sanction was over before anybody decided.
             * @enum {string}
             */
            State: "closed" | "kept" | "lifted" | "open";
            /** Format: date-time */
            OpenedAt: string;
            /** Format: date-time */
            DecidedAt: string | null;
            /** @description What staff answered; null until then. */
            Answer: string | null;
        };
        /** AppealPage */
        AppealPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["Appeal"][];
        };
        /**
         * AppealStatus
         * @description What a player sees of a sanction by its code.
         */
        AppealStatus: {
            Code: string;
            /** @description `ban`, `mute`, `trade_lock` or `warning`. */
            Kind: string;
            /** @enum {string} */
            Target: "account" | "character";
            /** @enum {string} */
            State: "ended" | "in_force" | "lifted" | "scheduled";
            /** Format: date-time */
            StartsAt: string;
            /**
             * Format: date-time
             * @description RFC 3339; null if it has no end.
             */
            Until: string | null;
            /** @description What the player is told about the sanction. */
            Message: string;
            /** @description Whether an appeal would be taken now. */
            MayAppeal: boolean;
            /**
             * Format: int64
             * @description How many more there can be; three in all.
             */
            AppealsLeft: number;
            /** @description The appeals so far, oldest first; not what they said. */
            Appeals: components["schemas"]["AppealOutcome"][];
        };
        /**
         * Approval
         * @description A change that exceeds the limits of who requested it.
         */
        Approval: {
            /** Format: uuid */
            Id: string;
            /** @description `items.give`, `items.restore`, `transaction`, `undo.action`, `undo.transaction` or `undo.actor`, which is every bulk undo. */
            Kind: string;
            /**
             * @description `pending`, `approved`, `rejected`, or `expired` 72 hours after the request.
             * @enum {string}
             */
            State: "approved" | "expired" | "pending" | "rejected";
            /** @description What would be done; its fields depend on the kind. */
            Change: {
                [key: string]: unknown;
            };
            Exceeded: components["schemas"]["Exceeded"];
            /** @description The reason that came with the change. */
            Reason: string | null;
            /** @description The actor: `key:` or `user:` and an id. */
            RequestedBy: string;
            RequestedByName: string;
            /** Format: date-time */
            RequestedAt: string;
            /** Format: date-time */
            ExpiresAt: string;
            /** @description The actor who approved or rejected it. */
            DecidedBy: string | null;
            DecidedByName: string | null;
            /** Format: date-time */
            DecidedAt: string | null;
            DecisionReason: string | null;
            /** @description What the change answered when it was carried out; null before that. */
            Result: unknown;
            /** @description With `names`: what the character that the change names is called now; null if none. */
            PlayerName?: string | null;
            /** @description The same of an account, for callers with `users.query`. */
            UserName?: string | null;
        };
        /** ApprovalPage */
        ApprovalPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["Approval"][];
        };
        /**
         * AssertionBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        AssertionBody: {
            /** @description The `id` of the credential, base64url. */
            id: string;
            /** @description The `response.clientDataJSON` of the credential, base64url. */
            clientdatajson: string;
            /** @description Its `response.authenticatorData`, base64url. */
            authenticatordata: string;
            /** @description Its `response.signature`, base64url. */
            signature: string;
        };
        /**
         * AuditLogEntry
         * @description One action.
         */
        AuditLogEntry: {
            /** Format: uuid */
            Id: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            At: string;
            /** @description What was done: `items.give`, `users.email`, `undo` and so on. */
            Kind: string;
            /** @description The credential that was used: `key:<id>` or `user:<id>`; `system` for the command line, or `cli:<name>` if somebody there claimed a name, which is not authenticated. */
            Actor: string;
            /** @description What the key or account was called then. */
            ActorName: string;
            /** Format: uuid */
            PlayerId: string | null;
            /** Format: uuid */
            UserId: string | null;
            /** Format: uuid */
            ItemId: string | null;
            /** @description What was there; its form depends on `Kind`. Never a secret. */
            Before: unknown;
            /** @description What was there afterwards. */
            After: unknown;
            /** @description Why, in the caller's words: `X-Reason`, or `reason` in the body. */
            Reason: string | null;
            RequestId: string;
            /** @description Where the caller called from; empty if from this machine's command line. Null for callers without `users.personal`. */
            Address: string | null;
            /**
             * Format: uuid
             * @description The action that this one undid.
             */
            Undoes: string | null;
            /**
             * Format: uuid
             * @description The action that undid this one and was not itself undone.
             */
            UndoneBy: string | null;
            /** @description Who approved it, if it exceeded the limits of `Actor`; null otherwise. */
            ApprovedBy: string | null;
            /** @description The name of `ApprovedBy`. */
            ApprovedByName: string | null;
            /** @description With `names`: the name of `ItemId`; null if that is null. */
            ItemName?: string | null;
            /** @description With `names`, but not in a character's history: the name of `PlayerId`, also of a deleted character; null if it is erased, or if the id is null. */
            PlayerName?: string | null;
            /** @description With `names`, for callers with `users.query`, but not in a character's history: the name of `UserId`; null if the account is gone, or if the id is null. */
            UserName?: string | null;
            /** @description With `items`, in the audit log: how many of each item came to the character by the action, or went. Items that only changed their place are left out. */
            Items?: components["schemas"]["ActionItem"][];
        };
        /**
         * AuditLogPage
         * @description Part of the log, newest first.
         */
        AuditLogPage: {
            Values: components["schemas"]["AuditLogEntry"][];
            /** @description The `cursor` of what comes next; null at the end. */
            Next: string | null;
            /**
             * Format: date-time
             * @description With `reason` and a `Next`: the time of the last action looked at, whether it is shown or not. Otherwise null.
             */
            SearchedTo: string | null;
        };
        /** Authorized */
        Authorized: {
            authorized: boolean;
        };
        /** Bag */
        Bag: {
            /** Format: uuid */
            Id: string;
            /** Format: int64 */
            SlotCount: number;
            Slots: components["schemas"]["Slot"][];
        };
        /**
         * BankedItems
         * @description What was moved.
         */
        BankedItems: {
            /** Format: uuid */
            ItemId: string;
            /** Format: int64 */
            Quantity: number;
            /**
             * Format: int64
             * @description How many the member carries now.
             */
            Inventory: number;
            /**
             * Format: int64
             * @description How many are in the guild's bank now.
             */
            Bank: number;
        };
        /** BrowserSessionRecord */
        BrowserSessionRecord: {
            /** Format: uuid */
            Id: string;
            /** @description Whether it is the session that asks. */
            IsCurrent: boolean;
            /** @description The last verification: `totp`, `passkey`, `recovery`, `link`. */
            Method: string;
            Address: string;
            UserAgent: string;
            /** Format: date-time */
            CreatedAt: string;
            /**
             * Format: date-time
             * @description The last request, to the minute.
             */
            SeenAt: string;
            /** Format: date-time */
            VerifiedAt: string;
            /**
             * Format: date-time
             * @description When it ends, whatever is done with it.
             */
            ExpiresAt: string;
        };
        /** BrowserSessionRecordPage */
        BrowserSessionRecordPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["BrowserSessionRecord"][];
        };
        /**
         * BulkUndoResult
         * @description What a bulk undo did or, in a dry run, would do.
         */
        BulkUndoResult: {
            /** @description Null if undone by character or account. */
            Actor: string | null;
            DryRun: boolean;
            Kinds: components["schemas"]["UndoCounts"][];
            /** @description What was not undone, or not all of it. */
            Left: components["schemas"]["UndoFailure"][];
            /**
             * Format: uuid
             * @description The `cursor` for the next call; null at the end.
             */
            Next: string | null;
            /** Format: uuid */
            PlayerId: string | null;
            /** Format: uuid */
            UserId: string | null;
            /** @description Who received what left the character or account, without the actions that the caller has no right to undo; empty if undone by actor. */
            Recipients: components["schemas"]["UndoRecipient"][];
        };
        /** CarriedItems */
        CarriedItems: {
            inventory: components["schemas"]["Slot"][];
            bank: components["schemas"]["Slot"][];
        };
        /**
         * ChainState
         * @description The last verification of the hash chain; all null if there was none.
         */
        ChainState: {
            /**
             * Format: date-time
             * @description When; null: never.
             */
            VerifiedAt: string | null;
            /**
             * Format: uuid
             * @description The last action that was verified.
             */
            VerifiedThrough: string | null;
            /**
             * Format: date-time
             * @description When that was done.
             */
            VerifiedThroughAt: string | null;
            /**
             * Format: int64
             * @description How many breaches were found; 0: the log was as it was written.
             */
            Breaches: number | null;
        };
        /**
         * ChangeClass
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ChangeClass: {
            /**
             * Format: uuid
             * @description The class's id.
             */
            classid: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * ChangeEmail
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ChangeEmail: {
            /** @description The new email address. */
            new: string;
            /** @description SHA-256 of the current password: 64 hexadecimal digits, no hyphens, in any letter case. */
            authorization: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * ChangePassword
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ChangePassword: {
            /** @description SHA-256 of the new password: 64 hexadecimal digits, no hyphens, in any letter case. */
            new: string;
            /** @description SHA-256 of the current password: 64 hexadecimal digits, no hyphens, in any letter case. */
            authorization: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * ChangeRole
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ChangeRole: {
            /** @description Another description; an empty one removes it. */
            description?: string;
            /** @description All the scopes that it has from now on. */
            scopes?: string[];
            /** @description All the limits that it has from now on; an empty object removes them. */
            limits?: components["schemas"]["LimitsBody"];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * ChangeWebhook
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ChangeWebhook: {
            /** @description Another address, which is tried at once. */
            url?: string;
            /** @description Other kinds, with commas; `*` for all. */
            kinds?: string;
            /** @description Whether anything is sent. Switched on, it goes on where it stood. */
            enabled?: boolean;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** ChangedUser */
        ChangedUser: {
            /** Format: uuid */
            Id: string;
            Name: string;
            Email: string;
            Power: components["schemas"]["ApiPower"];
            /** @description Always null: it is a secret. */
            PasswordResetCode: string | null;
            IsMuted: boolean;
            MuteReason: string | null;
            IsBanned: boolean;
            /** Format: date-time */
            RegistrationDate: string;
        };
        /**
         * ChatColor
         * @description A colour and its opacity.
         */
        ChatColor: {
            /**
             * Format: int64
             * @description Opacity.
             */
            A: number;
            /**
             * Format: int64
             * @description Red.
             */
            R: number;
            /**
             * Format: int64
             * @description Green.
             */
            G: number;
            /**
             * Format: int64
             * @description Blue.
             */
            B: number;
        };
        /**
         * ChatMessage
         * @description What was said.
         */
        ChatMessage: {
            Message: string;
            Color: components["schemas"]["ChatColor"];
            /** @description As it was sent. */
            Target: string | null;
        };
        /**
         * ClassEntry
         * @description A character class of the catalog.
         */
        ClassEntry: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description Health and mana at level 1. */
            BaseVitals: number[];
            /** @description Health and mana that each level adds. */
            VitalIncreases: number[];
            /** @description Attack, ability power, defense, magic resist, speed. */
            BaseStats: number[];
            /**
             * Format: int64
             * @description The experience from level 1 to 2.
             */
            BaseExp: number;
            /**
             * Format: int64
             * @description How many per cent more each level needs.
             */
            ExpIncrease: number;
            /** Format: int64 */
            MaxLevel: number;
        };
        /** ClassEntryPage */
        ClassEntryPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["ClassEntry"][];
        };
        /**
         * CodeBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        CodeBody: {
            /** @description The six digits of the authenticator app, or a recovery code as it was shown. */
            code: string;
        };
        /** CommittedTransaction */
        CommittedTransaction: {
            /** Format: uuid */
            Id: string;
            Players: components["schemas"]["LedgerPosition"][];
        };
        /**
         * CompleteReset
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        CompleteReset: {
            /** @description SHA-256 of the new password: 64 hexadecimal digits, no hyphens, in any letter case. */
            new: string;
            /** @description The token of the mailed link; then no username and code are needed. */
            token?: string;
            /** @description Whose password it is, together with `code`. */
            username?: string;
            /** @description The mailed code, with or without its hyphen, in any letter case. */
            code?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * CreateGuild
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        CreateGuild: {
            /** @description 3 to 20 letters, digits and spaces. */
            name: string;
            /** @description The name or the id of a character that is in no guild. */
            owner: string;
            /**
             * Format: int32
             * @description 1 to 1000; by default as many as the settings say.
             */
            bankslots?: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * CreateKey
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        CreateKey: {
            /** @description What the key is for, 1 to 64 characters; no live key has that name. */
            name: string;
            /** @description What it may do, each a scope that the caller has. */
            scopes: string[];
            /**
             * Format: int32
             * @description Days until it expires, 1 to 36500; without it, valid until revoked.
             */
            days?: number;
            /**
             * Format: int64
             * @description Pieces of any one item handed out in a day, 0 to 9007199254740992; without it, no limit.
             */
            piecesperday?: number;
            /**
             * Format: int64
             * @description Value handed out in a day, by the values of the catalog, 0 to 9007199254740992; without it, no limit.
             */
            valueperday?: number;
            /**
             * Format: int64
             * @description Pieces handed out by one change, 0 to 9007199254740992; without it, no limit.
             */
            largestgift?: number;
            /**
             * Format: int64
             * @description Actions undone in a day, 0 to 9007199254740992; without it, no limit.
             */
            undosperday?: number;
            /** @description Rate limits of its own in words, such as `read 600/minute, write 100/second, list off`; without it, those of the settings. */
            rates?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * CreatePlayer
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        CreatePlayer: {
            /**
             * Format: int32
             * @description As the game has it, 0 to 255.
             */
            gender?: number;
            /**
             * Format: uuid
             * @description Where a warp goes; of a message, that only those on this map read it.
             */
            mapid?: string;
            /** @description What the map is called; at most 255 characters. */
            mapname?: string;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            x?: number;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            y?: number;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            z?: number;
            /**
             * Format: int32
             * @description Which way it looks, 0 to 255.
             */
            dir?: number;
            /** @description The file of its sprite; at most 255 characters. */
            sprite?: string;
            /** @description The file of its face; at most 255 characters. */
            face?: string;
            /** @description `#RRGGBB` or `#AARRGGBB`; empty for the game's own choice. */
            namecolor?: string;
            /** @description 2 to 20 letters or digits of one script, at least one of them a letter, with single spaces, `-`, `'` or `_` between them. */
            name: string;
            /**
             * Format: uuid
             * @description The class's id.
             */
            classid: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * CreateRole
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        CreateRole: {
            /** @description 1 to 32 characters: a small letter, then small letters, digits and `-`. */
            name: string;
            /** @description What whoever has it may do, each a scope that the caller has. */
            scopes: string[];
            /**
             * @description What the role is for: at most 200 characters on one line.
             * @default
             */
            description?: string;
            /** @description How much may be handed out and undone in a day; without it, no limit. */
            limits?: components["schemas"]["LimitsBody"];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * CreateWebhook
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        CreateWebhook: {
            /** @description Where to send events: https, port 443 or 8443, nothing inside a private network unless the operator allows the host. */
            url: string;
            /** @description Only events of these kinds, with commas; without it all. */
            kinds?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * CreatedKey
         * @description A new API key, with its secret for the first and only time.
         */
        CreatedKey: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description Null: everything; such a key is made at the command line only. */
            Scopes: string[] | null;
            Limits: components["schemas"]["KeyLimits"];
            /** @description Rate limits of its own in words; null: those of the settings. */
            Rates: string | null;
            /**
             * @description `live`, `expired` or `revoked`.
             * @enum {string}
             */
            State: "expired" | "live" | "revoked";
            /** Format: date-time */
            CreatedAt: string;
            /**
             * Format: date-time
             * @description Null: valid until revoked.
             */
            ExpiresAt: string | null;
            /**
             * Format: date-time
             * @description The last use, to the minute; null: never used.
             */
            UsedAt: string | null;
            /** Format: date-time */
            RevokedAt: string | null;
            /** @description The key, shown this once: send it as `Authorization: Bearer gk_…`. Null if the request was carried out before under its `Idempotency-Key`; then revoke it, and make another. */
            Key: string | null;
        };
        /**
         * DecideAppeal
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        DecideAppeal: {
            /** @description Whether to lift the sanction, in the same transaction; otherwise it is kept. */
            lift: boolean;
            /** @description What the player reads, 1 to 2000 characters. */
            answer: string;
            /** @description Why, for staff only: neither the player nor the audit log shows it. */
            reason?: string;
        };
        /**
         * DecisionBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        DecisionBody: {
            /** @description Why, for the audit log; at most 500 characters. */
            reason?: string;
        };
        /**
         * DeletePlayer
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        DeletePlayer: {
            /**
             * Format: uuid
             * @description The game server that deletes it, if it plays there.
             */
            server?: string;
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence?: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** Deliveries */
        Deliveries: {
            Values: components["schemas"]["Delivery"][];
            /** Format: uuid */
            Next: string | null;
        };
        /** Delivery */
        Delivery: {
            /** Format: uuid */
            Id: string;
            /** @description The `webhook-id`: the same however often it is sent. */
            MessageId: string;
            /**
             * Format: int64
             * @description The event's id; null for a test.
             */
            Seq: number | null;
            Kind: string;
            /** @description `waiting` to be tried (again), `delivered` or `failed`. */
            State: string;
            /** Format: int64 */
            Attempts: number;
            /** Format: date-time */
            TriedAt: string | null;
            /**
             * Format: int64
             * @description Of the last answer.
             */
            Status: number | null;
            /** @description The beginning of the last answer. */
            Answer: string | null;
            /** @description Why there was no answer. */
            Fault: string | null;
        };
        /** DeliveryDetail */
        DeliveryDetail: {
            /** Format: uuid */
            Id: string;
            /** @description The `webhook-id`: the same however often it is sent. */
            MessageId: string;
            /**
             * Format: int64
             * @description The event's id; null for a test.
             */
            Seq: number | null;
            Kind: string;
            /** @description `waiting` to be tried (again), `delivered` or `failed`. */
            State: string;
            /** Format: int64 */
            Attempts: number;
            /** Format: date-time */
            TriedAt: string | null;
            /**
             * Format: int64
             * @description Of the last answer.
             */
            Status: number | null;
            /** @description The beginning of the last answer. */
            Answer: string | null;
            /** @description Why there was no answer. */
            Fault: string | null;
            /** @description What is sent: `type`, `timestamp` and `data`. */
            Payload: unknown;
        };
        /** EndedSessions */
        EndedSessions: {
            /** Format: int64 */
            Ended: number;
        };
        /** EndedSignIn */
        EndedSignIn: {
            username: string;
            /** @description As it was sent. */
            tokenId: string;
        };
        /** EndedSignIns */
        EndedSignIns: {
            username: string;
        };
        /** EndedToken */
        EndedToken: {
            Username: string;
            /** Format: uuid */
            TokenId: string;
        };
        /** EndedTokens */
        EndedTokens: {
            Username: string;
            /** Format: int64 */
            Ended: number;
        };
        /**
         * ErrorCode
         * @description What went wrong, for programs. No code changes its meaning; new ones may be added.
         *
         *     | Status | Code | Message |
         *     |---|---|---|
         *     | 202 | `approval_required` | That exceeds your limits, so it waits for approval by somebody else. |
         *     | 400 | `action_done_before` | That is the case already. |
         *     | 400 | `action_not_permitted` | You do not have the permission to do this. |
         *     | 400 | `action_not_supported` | That action is not supported by the API. |
         *     | 400 | `already_owner` | Cannot transfer ownership of a guild to ones self. |
         *     | 400 | `body_too_fragmented` | The body arrives in too many small pieces. |
         *     | 400 | `fence_missing` | 'server' and 'fence' go together. |
         *     | 400 | `forbidden_target` | That leads nowhere, or where webhooks may not; an operator may allow the host by name. |
         *     | 400 | `guessable_password` | Attackers try this password first; choose one that is neither common nor a name. |
         *     | 400 | `guild_name_taken` | Invalid name, or name already taken. |
         *     | 400 | `guild_not_found` | Guild does not exist. |
         *     | 400 | `guild_owner_stays` | The owner cannot leave the guild; transfer ownership first. |
         *     | 400 | `invalid_action` | Invalid action. |
         *     | 400 | `invalid_answer` | The answer, which the player reads, has 1 to 2000 characters. |
         *     | 400 | `invalid_appeal` | An appeal has 1 to 4000 characters. |
         *     | 400 | `invalid_bank_slots` | A guild's bank has 1 to 1000 slots. |
         *     | 400 | `invalid_body` | The body is not what this operation takes. |
         *     | 400 | `invalid_chat` | A message is empty or too long. |
         *     | 400 | `invalid_command` | The command is not complete, or says too much. |
         *     | 400 | `invalid_credentials` | Invalid credentials. |
         *     | 400 | `invalid_email` | That is not an email address. |
         *     | 400 | `invalid_evidence` | Evidence is at most 20 links, http or https, of at most 500 characters each. |
         *     | 400 | `invalid_factor_name` | The name of a second factor has 1 to 64 characters that can be seen. |
         *     | 400 | `invalid_game_variable_id` | Invalid global variable id. |
         *     | 400 | `invalid_guild_name` | Invalid guild name. |
         *     | 400 | `invalid_guild_rank` | Invalid guild rank. |
         *     | 400 | `invalid_idempotency_key` | An Idempotency-Key has 1 to 255 visible ASCII characters. |
         *     | 400 | `invalid_key_days` | A key is made for 1 to 36500 days, or without an end. |
         *     | 400 | `invalid_key_limit` | A limit is a number from 0 to 9007199254740992. |
         *     | 400 | `invalid_key_name` | A key's name has 1 to 64 characters. |
         *     | 400 | `invalid_key_rates` | Rate limits are words such as 'read 600/minute, write 100/second'. |
         *     | 400 | `invalid_limit` | A limit is a whole number from 0 to 9007199254740992; without one, leave it out. |
         *     | 400 | `invalid_map_id` | That is not the id of a map. |
         *     | 400 | `invalid_move` | The move makes no sense. |
         *     | 400 | `invalid_name` | Invalid name. |
         *     | 400 | `invalid_object_type` | Invalid object type. |
         *     | 400 | `invalid_password_hash` | A password is sent as its SHA-256: 64 hexadecimal digits. |
         *     | 400 | `invalid_period` | A sanction ends after it starts, and not in the past. |
         *     | 400 | `invalid_progress` | A level is between 1 and the highest of the class, and experience is never below 0. |
         *     | 400 | `invalid_quantity` | The quantity must be at least 1. |
         *     | 400 | `invalid_query` | The query string is not what this operation takes. |
         *     | 400 | `invalid_replay` | Name the delivery, or the first and the last instant, of what is to be sent again. |
         *     | 400 | `invalid_reset` | The link or code is wrong, used or expired; ask for a new mail. |
         *     | 400 | `invalid_role_description` | A role's description has at most 200 characters on one line. |
         *     | 400 | `invalid_role_name` | A role's name has 1 to 32 characters: a small letter, then small letters, digits and '-'. |
         *     | 400 | `invalid_sanction` | A sanction needs a kind or a template, and one account or one character. |
         *     | 400 | `invalid_server_name` | A server's name has 1 to 64 visible characters. |
         *     | 400 | `invalid_sheet` | A value of the sheet is out of bounds. |
         *     | 400 | `invalid_stat_buffs` | Stat buffs are a list of 5 integers. |
         *     | 400 | `invalid_target` | Name one account as 'user', or one character as 'player'. |
         *     | 400 | `invalid_template` | A template has a name of small letters, digits, '-' and '_', and 1 to 20 steps. |
         *     | 400 | `invalid_text` | A text is of limited length, without control characters except line ends. |
         *     | 400 | `invalid_username` | A username has 2 to 20 letters or digits of one script, '-' or '_' between, and a letter. |
         *     | 400 | `invalid_webhook_url` | That is not an address a webhook can have: https, a name, and no user in it. |
         *     | 400 | `map_id_missing` | Expected a map ID. |
         *     | 400 | `not_a_member` | That character is not a member of the guild. |
         *     | 400 | `object_not_found` | Object not found! |
         *     | 400 | `player_not_found` | Player not found. |
         *     | 400 | `reason_required` | This change needs a reason. Send it in the field 'reason' or the header X-Reason. |
         *     | 400 | `unknown_actor` | No actor has that name or id. |
         *     | 400 | `unknown_class` | Invalid class id. |
         *     | 400 | `unknown_item` | Invalid item id. |
         *     | 400 | `unknown_kind` | There are no events of that kind. |
         *     | 400 | `unknown_scope` | There is no such scope. |
         *     | 400 | `unknown_spell` | Invalid spell id. |
         *     | 400 | `user_online` | Cannot delete a user is currently online. |
         *     | 400 | `username_taken` | Name already taken. |
         *     | 400 | `variable_not_found` | No variable of guilds has that id. |
         *     | 400 | `wrong_variable_type` | The value is not of the variable's type. |
         *     | 401 | `unauthorized` | Authorization has been denied for this request. |
         *     | 403 | `cross_site_request` | With a cookie this must come from our own pages, with the header X-Gamekeeper: 1. |
         *     | 403 | `enrolment_required` | Finish the sign-in first: enrol a second factor, a passkey or an authenticator app. |
         *     | 403 | `invalid_credentials` | Invalid credentials. |
         *     | 403 | `key_evades_limits` | Every key would have limits of its own, so somebody without limits must make it. |
         *     | 403 | `key_exceeds_caller` | A key may do no more than who makes or revokes it. |
         *     | 403 | `key_outlives_maker` | A key cannot outlive the key that makes it; give fewer days. |
         *     | 403 | `limit_exceeded` | That is more than your limits allow; somebody else has to approve it. |
         *     | 403 | `link_refused` | The link is unknown, was used or has expired. Make a new one: gamekeeper staff link NAME |
         *     | 403 | `no_session` | This is for people who signed in with a browser, not for keys and tokens. |
         *     | 403 | `outranked` | The account has powers that the caller lacks. |
         *     | 403 | `own_appeal` | Nobody decides an appeal of their own; ask somebody else. |
         *     | 403 | `own_request` | Nobody decides on a request of their own, nor with a key that they made. |
         *     | 403 | `own_sanction` | Nobody bans themselves, or lifts a sanction of their own. |
         *     | 403 | `owner_required` | Only an owner may do this, in the browser or with gamekeeper staff; no key may. |
         *     | 403 | `passkey_refused` | The passkey's answer is not right. Try again, or use another second factor. |
         *     | 403 | `role_evades_limits` | Whoever has the role has limits of their own: ask somebody without limits to give it. |
         *     | 403 | `role_exceeds_caller` | The role may do more than you may: ask somebody who may do as much. |
         *     | 403 | `role_required` | The caller lacks a role. |
         *     | 403 | `second_factor_required` | Finish the sign-in first: verify the second factor. |
         *     | 403 | `server_owned` | That game server belongs to another key or account, which is valid. |
         *     | 403 | `sign_in_refused` | The username or the password is wrong, or the account has no role on the staff. |
         *     | 403 | `step_up_required` | Verify the second factor again: the last time was more than ten minutes ago. |
         *     | 403 | `wrong_code` | The code is wrong, too old or was used before. Enter the one that is shown next. |
         *     | 404 | `action_not_found` | No action has that id. |
         *     | 404 | `appeal_not_found` | No appeal has that id. |
         *     | 404 | `approval_not_found` | No request for approval has that id. |
         *     | 404 | `bag_not_found` | Bag does not exist. |
         *     | 404 | `chat_player_not_found` | No player of that name is online. |
         *     | 404 | `class_not_found` | No class has that id. |
         *     | 404 | `command_not_found` | No command has that id; they are kept for 90 days. |
         *     | 404 | `delivery_not_found` | The webhook has no delivery with that id. |
         *     | 404 | `factor_not_found` | The account has no such second factor. |
         *     | 404 | `game_variable_not_found` | No global variable has that id. |
         *     | 404 | `guild_not_found` | No guild has that id. |
         *     | 404 | `icon_not_found` | The catalog keeps no icon of that item. |
         *     | 404 | `item_not_found` | No item has that id. |
         *     | 404 | `key_not_found` | No key has that name or id. |
         *     | 404 | `map_not_found` | No game server has that map. |
         *     | 404 | `player_not_found` | No player has that name or id. |
         *     | 404 | `role_not_found` | There is no such role. |
         *     | 404 | `role_not_held` | The account does not have that role. |
         *     | 404 | `route_not_found` | No operation has that path. |
         *     | 404 | `sanction_not_found` | No sanction has that id or code. |
         *     | 404 | `server_not_found` | No server has that id. |
         *     | 404 | `session_not_found` | That account has no such live session. |
         *     | 404 | `spell_not_found` | No spell has that id. |
         *     | 404 | `template_not_found` | No template of sanctions has that name. |
         *     | 404 | `token_not_found` | That account has no such live token. |
         *     | 404 | `transaction_not_found` | No transaction has that id. |
         *     | 404 | `unknown_sanction_code` | No sanction that can be appealed has that code; compare it letter by letter. |
         *     | 404 | `user_not_found` | No user has that name or id. |
         *     | 404 | `user_not_online` | User not online! |
         *     | 404 | `user_variable_not_found` | No account variable has that id. |
         *     | 404 | `variable_not_found` | No player variable has that id. |
         *     | 404 | `webhook_not_found` | No webhook has that id. |
         *     | 405 | `method_not_allowed` | That path exists, but not with that method. |
         *     | 408 | `body_too_slow` | The body did not arrive within 10 seconds. |
         *     | 409 | `account_has_roles` | The account has roles of staff; withdraw them first. |
         *     | 409 | `already_done` | That was done more than thirty days ago; the answer is no longer kept. |
         *     | 409 | `already_in_guild` | The character is in a guild already; it has to leave that one first. |
         *     | 409 | `already_lifted` | That sanction was lifted before. |
         *     | 409 | `already_undone` | That action is undone already. |
         *     | 409 | `appeal_closed` | The sanction is over, so there is nothing left to decide. |
         *     | 409 | `appeal_decided` | That appeal is decided already; read it again to see how. |
         *     | 409 | `appeal_pending` | There is an appeal already; wait for its answer. |
         *     | 409 | `approval_decided` | That request was decided before. |
         *     | 409 | `approval_expired` | That request expired after 72 hours; the change must be requested again. |
         *     | 409 | `at_too_old` | What was held at that instant is no longer kept. |
         *     | 409 | `bag_inside_bag` | A bag cannot be put into a bag; nothing of the transaction was done. |
         *     | 409 | `bag_not_empty` | A bag with something in it cannot be taken; nothing was taken. |
         *     | 409 | `built_in_role` | A built-in role stays as it is, except for its limits; make a role of your own instead. |
         *     | 409 | `challenge_expired` | The challenge was used, or is more than five minutes old. Ask for the options again. |
         *     | 409 | `command_answered` | That command has another answer already; the first one counts. |
         *     | 409 | `email_taken` | Email address already in use. |
         *     | 409 | `enrolment_expired` | The enrolment took too long, or another one was begun since. Begin again. |
         *     | 409 | `events_unknown` | There is no event with that id: it is of another database, or of one since restored. |
         *     | 409 | `factor_known` | That passkey is enrolled already. |
         *     | 409 | `fenced` | Another process took that place, or the lease ran out: register again. Nothing changed. |
         *     | 409 | `game_offline` | No game server is running, so nobody would read it. |
         *     | 409 | `guild_bank_full` | The guild's bank has no room for that many; nothing was deposited. |
         *     | 409 | `guild_bank_not_empty` | There is something in the guild's bank. With `force` it is lost; nothing was done. |
         *     | 409 | `inventory_full` | There is no room for that many; nothing was given. |
         *     | 409 | `key_name_taken` | A live key has that name. |
         *     | 409 | `last_factor` | It is the last second factor, and one is required. Add another one first. |
         *     | 409 | `last_owner` | This is the last owner; make another first, so that somebody can. |
         *     | 409 | `level_above_class` | The character's level is above the highest of that class. |
         *     | 409 | `name_taken` | Name already taken. |
         *     | 409 | `no_appeals_left` | That sanction was appealed three times; the last answer stands. |
         *     | 409 | `no_second_factor` | Recovery codes stand in for a second factor. Enrol one first. |
         *     | 409 | `not_bankable` | That item cannot be put into a bank; nothing was deposited. |
         *     | 409 | `not_enough_items` | The guild's bank holds fewer than that; nothing was withdrawn. |
         *     | 409 | `not_enough_items` | The inventory holds fewer than that; nothing was taken. |
         *     | 409 | `not_undoable` | Actions of that kind cannot be undone. |
         *     | 409 | `own_factors` | Your own second factors are removed one by one, at /api/v1/me/factors. |
         *     | 409 | `owns_guild` | The character owns a guild; transfer the ownership, or disband the guild first. |
         *     | 409 | `passkeys_unavailable` | Passkeys need a host name. Open this service by a name, as in GAMEKEEPER_PUBLIC_URL. |
         *     | 409 | `password_changed_meanwhile` | Somebody else changed this password; try again. |
         *     | 409 | `player_online` | Failed to delete player because they are online! |
         *     | 409 | `requester_lost_rights` | Who requested it may not do it any more. |
         *     | 409 | `role_in_use` | Accounts have that role; withdraw it from them, or delete it with withdraw=true. |
         *     | 409 | `role_name_taken` | There is a role of that name already; change it, or choose another name. |
         *     | 409 | `sanction_over` | That sanction is over; there is nothing to appeal. |
         *     | 409 | `server_name_taken` | Another server has that name. |
         *     | 409 | `slot_occupied` | Something else lies in that slot; nothing of the transaction was done. |
         *     | 409 | `spell_already_known` | The player knows that spell already. |
         *     | 409 | `spell_bound` | That spell is bound to the character and cannot be forgotten. |
         *     | 409 | `spell_not_known` | The player does not know that spell. |
         *     | 409 | `spellbook_full` | The player has no free slot for another spell. |
         *     | 409 | `stale` | The character's ledger has moved on; nothing of the transaction was done. |
         *     | 409 | `still_running` | A request with that Idempotency-Key is still being carried out; ask again. |
         *     | 409 | `too_many_characters` | The account has as many characters as it may have. |
         *     | 409 | `too_many_commands` | A hundred commands wait for that target; send again when they are fetched or expired. |
         *     | 409 | `too_many_factors` | An account has at most ten second factors. Remove one first. |
         *     | 409 | `too_many_keys` | There are 1000 live keys already; revoke one first. |
         *     | 409 | `too_many_pending_approvals` | Too many of your requests wait for approval; have some of them decided first. |
         *     | 409 | `too_many_roles` | There are 100 roles already; delete one first. |
         *     | 409 | `too_many_roles_held` | The account has 32 roles already; withdraw one, or make one role of several. |
         *     | 409 | `too_many_webhooks` | There are as many webhooks as there may be; remove one. |
         *     | 409 | `trade_locked` | A character may not trade; nothing of the transaction was done. |
         *     | 409 | `trade_locked` | The character may not trade, and so not use the bank of a guild. |
         *     | 409 | `undo_conflict` | The world has moved on; nothing was undone. |
         *     | 409 | `username_taken` | An account has that username, or one that looks like it. |
         *     | 409 | `webhook_off` | The webhook is switched off; switch it on first. |
         *     | 410 | `events_expired` | Events so old are no longer told; read the log of actions, and go on from the oldest. |
         *     | 413 | `body_too_large` | The body is larger than 64 KiB. |
         *     | 415 | `unsupported_media_type` | Send application/json or application/x-www-form-urlencoded, in UTF-8, not compressed. |
         *     | 422 | `idempotency_key_reused` | That Idempotency-Key was used for another request. |
         *     | 429 | `rate_limit_exceeded` | Too many requests of this kind; wait before the next one. |
         *     | 429 | `too_many_exports` | Another export of this caller, or two of other callers, are running. Retry when they end. |
         *     | 429 | `too_many_requests` | Too many attempts; wait before the next one. |
         *     | 429 | `too_many_tests` | The webhook was sent many tests just now; wait before the next one. |
         *     | 500 | `internal_error` | Something went wrong on our side; it has been noted under this request id. |
         *     | 501 | `action_not_implemented` | That action is known, and not implemented. |
         *     | 503 | `unavailable` | The service cannot do this right now; try again shortly. |
         *     | 504 | `not_answered` | No game server answered in time; within a second one may still carry it out. |
         * @enum {string}
         */
        ErrorCode: "account_has_roles" | "action_done_before" | "action_not_found" | "action_not_implemented" | "action_not_permitted" | "action_not_supported" | "already_done" | "already_in_guild" | "already_lifted" | "already_owner" | "already_undone" | "appeal_closed" | "appeal_decided" | "appeal_not_found" | "appeal_pending" | "approval_decided" | "approval_expired" | "approval_not_found" | "approval_required" | "at_too_old" | "bag_inside_bag" | "bag_not_empty" | "bag_not_found" | "body_too_fragmented" | "body_too_large" | "body_too_slow" | "built_in_role" | "challenge_expired" | "chat_player_not_found" | "class_not_found" | "command_answered" | "command_not_found" | "cross_site_request" | "delivery_not_found" | "email_taken" | "enrolment_expired" | "enrolment_required" | "events_expired" | "events_unknown" | "factor_known" | "factor_not_found" | "fence_missing" | "fenced" | "forbidden_target" | "game_offline" | "game_variable_not_found" | "guessable_password" | "guild_bank_full" | "guild_bank_not_empty" | "guild_name_taken" | "guild_not_found" | "guild_owner_stays" | "icon_not_found" | "idempotency_key_reused" | "internal_error" | "invalid_action" | "invalid_answer" | "invalid_appeal" | "invalid_bank_slots" | "invalid_body" | "invalid_chat" | "invalid_command" | "invalid_credentials" | "invalid_email" | "invalid_evidence" | "invalid_factor_name" | "invalid_game_variable_id" | "invalid_guild_name" | "invalid_guild_rank" | "invalid_idempotency_key" | "invalid_key_days" | "invalid_key_limit" | "invalid_key_name" | "invalid_key_rates" | "invalid_limit" | "invalid_map_id" | "invalid_move" | "invalid_name" | "invalid_object_type" | "invalid_password_hash" | "invalid_period" | "invalid_progress" | "invalid_quantity" | "invalid_query" | "invalid_replay" | "invalid_reset" | "invalid_role_description" | "invalid_role_name" | "invalid_sanction" | "invalid_server_name" | "invalid_sheet" | "invalid_stat_buffs" | "invalid_target" | "invalid_template" | "invalid_text" | "invalid_username" | "invalid_webhook_url" | "inventory_full" | "item_not_found" | "key_evades_limits" | "key_exceeds_caller" | "key_name_taken" | "key_not_found" | "key_outlives_maker" | "last_factor" | "last_owner" | "level_above_class" | "limit_exceeded" | "link_refused" | "map_id_missing" | "map_not_found" | "method_not_allowed" | "name_taken" | "no_appeals_left" | "no_second_factor" | "no_session" | "not_a_member" | "not_answered" | "not_bankable" | "not_enough_items" | "not_undoable" | "object_not_found" | "outranked" | "own_appeal" | "own_factors" | "own_request" | "own_sanction" | "owner_required" | "owns_guild" | "passkey_refused" | "passkeys_unavailable" | "password_changed_meanwhile" | "player_not_found" | "player_online" | "rate_limit_exceeded" | "reason_required" | "requester_lost_rights" | "role_evades_limits" | "role_exceeds_caller" | "role_in_use" | "role_name_taken" | "role_not_found" | "role_not_held" | "role_required" | "route_not_found" | "sanction_not_found" | "sanction_over" | "second_factor_required" | "server_name_taken" | "server_not_found" | "server_owned" | "session_not_found" | "sign_in_refused" | "slot_occupied" | "spell_already_known" | "spell_bound" | "spell_not_found" | "spell_not_known" | "spellbook_full" | "stale" | "step_up_required" | "still_running" | "template_not_found" | "token_not_found" | "too_many_characters" | "too_many_commands" | "too_many_exports" | "too_many_factors" | "too_many_keys" | "too_many_pending_approvals" | "too_many_requests" | "too_many_roles" | "too_many_roles_held" | "too_many_tests" | "too_many_webhooks" | "trade_locked" | "transaction_not_found" | "unauthorized" | "unavailable" | "undo_conflict" | "unknown_actor" | "unknown_class" | "unknown_item" | "unknown_kind" | "unknown_sanction_code" | "unknown_scope" | "unknown_spell" | "unsupported_media_type" | "user_not_found" | "user_not_online" | "user_online" | "user_variable_not_found" | "username_taken" | "variable_not_found" | "webhook_not_found" | "webhook_off" | "wrong_code" | "wrong_variable_type";
        /**
         * EventEntries
         * @description Events, oldest first.
         */
        EventEntries: {
            Values: components["schemas"]["EventEntry"][];
            /**
             * Format: int64
             * @description The `after` of what comes next.
             */
            Next: number;
        };
        /**
         * EventEntry
         * @description An action as it was when it was done: `UndoneBy` is null, an undo is an event of its own.
         */
        EventEntry: {
            /** Format: uuid */
            Id: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            At: string;
            /** @description What was done: `items.give`, `users.email`, `undo` and so on. */
            Kind: string;
            /** @description The credential that was used: `key:<id>` or `user:<id>`; `system` for the command line, or `cli:<name>` if somebody there claimed a name, which is not authenticated. */
            Actor: string;
            /** @description What the key or account was called then. */
            ActorName: string;
            /** Format: uuid */
            PlayerId: string | null;
            /** Format: uuid */
            UserId: string | null;
            /** Format: uuid */
            ItemId: string | null;
            /** @description What was there; its form depends on `Kind`. Never a secret. */
            Before: unknown;
            /** @description What was there afterwards. */
            After: unknown;
            /** @description Why, in the caller's words: `X-Reason`, or `reason` in the body. */
            Reason: string | null;
            RequestId: string;
            /** @description Where the caller called from; empty if from this machine's command line. Null for callers without `users.personal`. */
            Address: string | null;
            /**
             * Format: uuid
             * @description The action that this one undid.
             */
            Undoes: string | null;
            /**
             * Format: uuid
             * @description The action that undid this one and was not itself undone.
             */
            UndoneBy: string | null;
            /** @description Who approved it, if it exceeded the limits of `Actor`; null otherwise. */
            ApprovedBy: string | null;
            /** @description The name of `ApprovedBy`. */
            ApprovedByName: string | null;
            /** @description With `names`: the name of `ItemId`; null if that is null. */
            ItemName?: string | null;
            /** @description With `names`, but not in a character's history: the name of `PlayerId`, also of a deleted character; null if it is erased, or if the id is null. */
            PlayerName?: string | null;
            /** @description With `names`, for callers with `users.query`, but not in a character's history: the name of `UserId`; null if the account is gone, or if the id is null. */
            UserName?: string | null;
            /** @description With `items`, in the audit log: how many of each item came to the character by the action, or went. Items that only changed their place are left out. */
            Items?: components["schemas"]["ActionItem"][];
            /**
             * Format: int64
             * @description The event's id: by one more than that of the event before it.
             */
            Seq: number;
        };
        /**
         * Exceeded
         * @description The limit that a change exceeds.
         */
        Exceeded: {
            /** @description `pieces_per_day`, `value_per_day`, `largest_gift` or `undos_per_day`. */
            Limit: string;
            /**
             * Format: int64
             * @description The limit at the time of the request.
             */
            Allowed: number;
            /**
             * Format: int64
             * @description How much of it was used that day.
             */
            Used: number;
            /**
             * Format: int64
             * @description How much the change takes.
             */
            Wanted: number;
        };
        /**
         * ExpectedPosition
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ExpectedPosition: {
            player: string;
            /** Format: int64 */
            seq: number;
        };
        /** FactorRecord */
        FactorRecord: {
            /** Format: uuid */
            Id: string;
            /** @enum {string} */
            Kind: "passkey" | "totp";
            Name: string;
            /** Format: date-time */
            CreatedAt: string;
            /**
             * Format: date-time
             * @description The last verification with it; null: never used.
             */
            UsedAt: string | null;
        };
        /** Factors */
        Factors: {
            Values: components["schemas"]["FactorRecord"][];
            /** Format: int64 */
            RecoveryCodesLeft: number;
        };
        /**
         * Failure
         * @description What every refusal looks like.
         */
        Failure: {
            Message: string;
            Code: components["schemas"]["ErrorCode"];
            RequestId: string;
            Details?: {
                [key: string]: unknown;
            };
        };
        /**
         * FenceBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        FenceBody: {
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * FetchCommands
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        FetchCommands: {
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence: number;
            /**
             * Format: int32
             * @description Hold the response back until there is a command, at most so many seconds; 30 at most.
             * @default 0
             */
            wait?: number;
            /**
             * Format: int32
             * @description How many, 1 to 100; out of range, the nearest is taken.
             * @default 100
             */
            limit?: number;
            /** @description The fences of earlier processes of this server whose record of carried-out ids this one continues, at most 16: what they fetched and never answered comes again. JSON bodies only. */
            resume?: number[];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * FetchedCommand
         * @description A command as the game server gets it.
         */
        FetchedCommand: {
            /** Format: uuid */
            Id: string;
            /** @enum {string} */
            Kind: "custom" | "kick" | "kill" | "message" | "warp";
            /**
             * Format: uuid
             * @description The character it is for; null: for the server itself.
             */
            PlayerId: string | null;
            /** @description As of `GameCommand`. */
            Payload: {
                [key: string]: unknown;
            };
            /**
             * Format: double
             * @description Within which it must be answered, or it expires.
             */
            SecondsLeft: number;
            /** @description Whether it was delivered before, and may have been carried out. */
            Again: boolean;
        };
        /**
         * FetchedCommands
         * @description Commands to be carried out, each id once, and answered.
         */
        FetchedCommands: {
            Values: components["schemas"]["FetchedCommand"][];
        };
        /**
         * FindAppealStatus
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        FindAppealStatus: {
            /** @description The code that the player was shown, `XXXX-XXXX`; in any letter case, with or without the hyphen. */
            code: string;
        };
        /**
         * Flow
         * @description What came from one source and went to it, in one day.
         */
        Flow: {
            /**
             * Format: date
             * @description In UTC.
             */
            Day: string;
            /** @description `grant`, `removal`, `import`, `demo`, `undo`, `restore` or `move`. */
            Source: string;
            /** Format: int64 */
            Came: number;
            /** Format: int64 */
            Went: number;
        };
        /** FoundAction */
        FoundAction: {
            /** Format: uuid */
            Id: string;
            /** Format: date-time */
            At: string;
            Kind: string;
            ActorName: string;
        };
        /** FoundItem */
        FoundItem: {
            /** Format: uuid */
            Id: string;
            Name: string;
            Type: string;
        };
        /** FoundPlayer */
        FoundPlayer: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** Format: int64 */
            Level: number;
            ClassName: string;
            /** Format: uuid */
            UserId: string;
            Online: boolean;
        };
        /** FoundSanction */
        FoundSanction: {
            /** Format: uuid */
            Id: string;
            Code: string;
            Kind: string;
            /** Format: uuid */
            UserId: string;
            /** Format: uuid */
            PlayerId: string | null;
            /** Format: date-time */
            ImposedAt: string;
            /** @description Whether it is in force now. */
            InForce: boolean;
        };
        /** FoundTransaction */
        FoundTransaction: {
            /** Format: uuid */
            Id: string;
            /**
             * Format: int64
             * @description How many actions it consists of.
             */
            Actions: number;
        };
        /** FoundUser */
        FoundUser: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description Masked for callers that do not see emails. */
            Email: string;
        };
        /**
         * GameCommand
         * @description A command to the live game, and what became of it.
         */
        GameCommand: {
            /** Format: uuid */
            Id: string;
            /** @enum {string} */
            Kind: "custom" | "kick" | "kill" | "message" | "warp";
            /**
             * Format: uuid
             * @description The character it is for; null if it is for a server.
             */
            PlayerId: string | null;
            /**
             * Format: uuid
             * @description The server it is for; null if it is for a character.
             */
            ServerId: string | null;
            /** @description `Text`, `Color`, `MapId`, `X` and `Y`, as the kind has them; of a custom command what was sent. */
            Payload: {
                [key: string]: unknown;
            };
            /**
             * @description `waiting`: not fetched yet. `delivered`: fetched, not answered yet. `done` and `failed`: answered. `expired`: not fetched or not answered in time; `Answer` says which, and an answer that comes late replaces it.
             * @enum {string}
             */
            State: "delivered" | "done" | "expired" | "failed" | "waiting";
            Reason: string | null;
            /** @description Who sent it, as in the audit log. */
            SentBy: string;
            /** @description The name of who sent it. */
            SentByName: string;
            /** Format: date-time */
            CreatedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339. Until then it can be fetched or, once it is, answered.
             */
            ExpiresAt: string;
            /**
             * Format: uuid
             * @description The server that fetched it; no other ever gets it.
             */
            DeliveredTo: string | null;
            /**
             * Format: date-time
             * @description RFC 3339; the last time, if it was delivered again.
             */
            DeliveredAt: string | null;
            /** Format: date-time */
            AnsweredAt: string | null;
            /** @description The game server's words, or why it expired. */
            Answer: string | null;
        };
        /** GameCommandPage */
        GameCommandPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["GameCommand"][];
        };
        /** GameConfig */
        GameConfig: {
            GameName: string;
            /**
             * Format: int64
             * @description Of this service's public address.
             */
            ServerPort: number;
            Player: components["schemas"]["PlayerLimits"];
        };
        /** GameInfo */
        GameInfo: {
            name: string;
            /**
             * Format: int64
             * @description Of this service's public address.
             */
            port: number;
        };
        /**
         * GameOverview
         * @description The state of the game; the parts that the caller may not see are empty.
         */
        GameOverview: {
            /**
             * Format: date-time
             * @description When it was read.
             */
            At: string;
            /** @description The parts that the caller may see: `online`, `servers`, `newcomers`, `actions`, `staff_actions`, `chain`, `supply`, `alerts`, `pending_approvals`. The others are empty. */
            Shown: string[];
            Online: components["schemas"]["OnlineNow"];
            Servers: components["schemas"]["ServersNow"];
            Newcomers: components["schemas"]["Newcomers"];
            Actions: components["schemas"]["ActionHours"];
            Supply: components["schemas"]["SupplyChanges"];
            /** @description The last ten actions of staff and of the command line in 30 days, with names, newest first. */
            StaffActions: components["schemas"]["AuditLogEntry"][];
            /** @description When `gamekeeper actions verify` last verified the hash chain of the audit log, and with which result. */
            Chain: components["schemas"]["ChainState"];
            Alerts: components["schemas"]["Alert"][];
            /**
             * Format: int64
             * @description How many requests wait for approval; null without `approvals`.
             */
            PendingApprovals: number | null;
        };
        /** GameStats */
        GameStats: {
            /**
             * Format: int64
             * @description Milliseconds since this process started; over 32 bits after 24 days.
             */
            uptime: number;
            /**
             * Format: int64
             * @description Always 0: the cycles of a game server are not known here.
             */
            cps: number;
            /**
             * Format: int64
             * @description As `onlineCount`: who only looks at a menu is not known here.
             */
            connectedClients: number;
            /**
             * Format: int64
             * @description How many characters are in the game now.
             */
            onlineCount: number;
        };
        /**
         * GameVariable
         * @description A variable with one value for all who play.
         */
        GameVariable: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description As the game's editor has it; empty if no import brought it. */
            TextId: string;
            /**
             * Format: int64
             * @description 1 boolean, 2 integer, 3 string, 4 number.
             */
            Type: number;
            Value: components["schemas"]["Scalar"];
            /** @description As the game's editor has it; empty if no import brought it. */
            Folder: string;
            /**
             * Format: int64
             * @description As the game's editor has it; 0 if no import brought it.
             */
            TimeCreated: number;
        };
        /** GameVariablePage */
        GameVariablePage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["GameVariable"][];
        };
        /**
         * GiveItem
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        GiveItem: {
            /**
             * Format: uuid
             * @description The item's id.
             */
            itemid: string;
            /**
             * Format: int32
             * @description How many, at least 1.
             */
            quantity: number;
            /**
             * @description Whether what does not fit into the inventory goes to the bank.
             * @default false
             */
            bankoverflow?: boolean;
            /** @description Attack, ability power, defense, magic resist, speed: what each of them adds. Without it nothing. JSON bodies only. */
            statbuffs?: number[];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** GivenItem */
        GivenItem: {
            /** Format: uuid */
            id: string;
            quantity: components["schemas"]["Holding"];
        };
        /**
         * Guild
         * @description A guild.
         */
        Guild: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            FoundingDate: string;
            /**
             * Format: int64
             * @description How many slots its bank has.
             */
            BankSlotsCount: number;
            /**
             * Format: uuid
             * @description The id of its own copies of maps.
             */
            GuildInstanceId: string;
            /** @description Always empty; existing clients look for it. */
            UpdatedVariables: {
                [key: string]: unknown;
            };
        };
        /**
         * GuildActivity
         * @description Something that happened in a guild.
         */
        GuildActivity: {
            /** Format: uuid */
            Id: string;
            /** Format: uuid */
            GuildId: string;
            /** Format: uuid */
            UserId: string | null;
            /** Format: uuid */
            PlayerId: string | null;
            /** @description Always empty. */
            Ip: string;
            /** Format: date-time */
            TimeStamp: string;
            /** @description `Created`, `Disbanded`, `Joined`, `Left`, `Kicked`, `Promoted`, `Demoted`, `Transfer` or `Rename`. */
            ActivityType: string;
            /** @description The guild's name then. */
            Meta: string;
            /**
             * Format: uuid
             * @description Always null: it is no character.
             */
            InitiatorId: string | null;
            Username: string;
            PlayerName: string;
            /** @description Who did it. */
            InitiatorName: string;
        };
        /** GuildActivityPage */
        GuildActivityPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["GuildActivity"][];
        };
        /**
         * GuildCount
         * @description A guild, and how many members it has.
         */
        GuildCount: {
            /** @description The guild. */
            Key: components["schemas"]["Guild"];
            /**
             * Format: int64
             * @description How many members it has.
             */
            Value: number;
        };
        /** GuildCountPage */
        GuildCountPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["GuildCount"][];
        };
        /**
         * GuildMember
         * @description A character, with its membership.
         */
        GuildMember: {
            Name: string;
            /** @description The bank window is open; only ever true while online. */
            InBank: boolean;
            /** Format: uuid */
            UserId: string;
            /** @description Health, mana. */
            MaxVitals: number[];
            /** Format: uuid */
            Id: string;
            /** Format: uuid */
            ClassId: string;
            ClassName: string;
            /** Format: int64 */
            Gender: number;
            /** Format: int64 */
            Level: number;
            /** Format: int64 */
            Exp: number;
            /**
             * Format: int64
             * @description -1 at the highest level.
             */
            ExperienceToNextLevel: number;
            /** Format: int64 */
            StatPoints: number;
            /** @description Health, mana. */
            Vitals: number[];
            /** @description Attack, ability power, defense, magic resist, speed. */
            BaseStats: number[];
            /** @description As `BaseStats`. */
            StatPointAllocations: number[];
            /** @description For each equipment slot the inventory slot worn in it, or -1. */
            Equipment: number[];
            /** Format: uuid */
            MapId: string;
            MapName: string;
            /** Format: int64 */
            X: number;
            /** Format: int64 */
            Y: number;
            /** Format: int64 */
            Z: number;
            /** Format: int64 */
            Dir: number;
            Sprite: string;
            Face: string;
            Online: boolean;
            /**
             * Format: date-time
             * @description RFC 3339. While online, since when; else until when; if it never played, when it was made.
             */
            LastOnline: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            CreationDate: string;
            /**
             * Format: int64
             * @description With the time since it joined, while online.
             */
            PlayTimeSeconds: number;
            /** @description Always false: only the game knows. */
            Dead: boolean;
            /**
             * Format: uuid
             * @description The guild's id.
             */
            GuildId: string;
            /**
             * Format: int64
             * @description 0 is the owner, 1 the highest rank below.
             */
            GuildRank: number;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            GuildJoinDate: string;
        };
        /** GuildMemberPage */
        GuildMemberPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["GuildMember"][];
        };
        /**
         * GuildVariable
         * @description A variable of a guild.
         */
        GuildVariable: {
            /** Format: uuid */
            VariableId: string;
            Value: components["schemas"]["Scalar"];
            /** @description The variable's name in the catalog. */
            VariableName: string;
        };
        /**
         * GuildVariableValue
         * @description The value alone.
         */
        GuildVariableValue: {
            value: components["schemas"]["Scalar"];
        };
        /**
         * HandedOn
         * @description Items that a character gave to others in one transaction, or to a guild's bank.
         */
        HandedOn: {
            /** Format: uuid */
            ItemId: string;
            StatBuffs: number[];
            /** Format: uuid */
            BagId: string | null;
            /** Format: int64 */
            Quantity: number;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            At: string;
            /**
             * Format: uuid
             * @description The action of the character.
             */
            ActionId: string;
            /**
             * Format: uuid
             * @description The transaction to look at, or to undo; null for a deposit.
             */
            TransactionId: string | null;
            /** @description One, unless several received the same item in the same transaction. */
            To: components["schemas"]["ItemOwner"][];
        };
        /** Health */
        Health: {
            status: string;
        };
        /** HeldRole */
        HeldRole: {
            Name: string;
            /** Format: date-time */
            GrantedAt: string;
        };
        /** Holder */
        Holder: {
            /** Format: uuid */
            PlayerId: string;
            /** @description Null if the character is no more. */
            Name: string | null;
            /**
             * Format: int64
             * @description In the inventory, the bank and bags together.
             */
            Quantity: number;
        };
        /**
         * Holding
         * @description How many of one item a player holds, and where; what is in bags is not counted.
         */
        Holding: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            bank: number;
            /** Format: int64 */
            inventory: number;
        };
        /**
         * ImposeSanction
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ImposeSanction: {
            /** @description The account, by name or id; or say `player`. */
            user?: string;
            /** @description The character, by name or id; or say `user`. */
            player?: string;
            /**
             * @description `ban`, `mute`, `trade_lock`, `warning` or `note`. Or say `template`.
             * @enum {string}
             */
            kind?: "ban" | "mute" | "trade_lock" | "warning" | "note";
            /** @description Its ladder says which kind, and for how long. */
            template?: string;
            /**
             * Format: date-time
             * @description When it begins; now, without it.
             */
            from?: string;
            /**
             * Format: date-time
             * @description When it ends; or say `durationseconds`; without either, never.
             */
            until?: string;
            /**
             * Format: int32
             * @description For how long; without it, without end.
             */
            durationseconds?: number;
            /**
             * @description Why, for staff, at most 500 characters; required without a template.
             * @default
             */
            reason?: string;
            /**
             * @description What the player reads, at most 2,000 characters; without it, the text of the template.
             * @default
             */
            message?: string;
            /** @description At most 20 links, http or https, for staff. */
            evidence?: string[];
            /**
             * @description Only say what would be imposed.
             * @default false
             */
            dryrun?: boolean;
        };
        /**
         * ImposedSanction
         * @description What was imposed or, if it was a dry run, would be.
         */
        ImposedSanction: {
            /**
             * Format: uuid
             * @description Null if it was a dry run.
             */
            Id: string | null;
            /** @description Null if it was a dry run. */
            Code: string | null;
            DryRun: boolean;
            /** @enum {string} */
            Kind: "ban" | "mute" | "note" | "trade_lock" | "warning";
            /** Format: uuid */
            UserId: string;
            /** Format: uuid */
            PlayerId: string | null;
            /** Format: date-time */
            StartsAt: string;
            /** Format: date-time */
            EndsAt: string | null;
            Message: string;
            Template: string | null;
            /**
             * Format: int64
             * @description Which step of the template's ladder, from 1.
             */
            Step: number | null;
        };
        /**
         * ItemChange
         * @description How many of one item were held in one place at two instants.
         */
        ItemChange: {
            /** Format: uuid */
            ItemId: string;
            /** @enum {string} */
            Place: "bag" | "bank" | "inventory";
            /**
             * Format: int64
             * @description How many were held at the first instant.
             */
            Before: number;
            /**
             * Format: int64
             * @description How many were held at the second instant.
             */
            After: number;
            /** Format: int64 */
            Change: number;
            /** @description With `names`: the item's name. */
            ItemName?: string;
        };
        /**
         * ItemChanges
         * @description What differs between the two instants.
         */
        ItemChanges: {
            Values: components["schemas"]["ItemChange"][];
        };
        /**
         * ItemEconomy
         * @description An item: how many there are, and where they came from and went.
         */
        ItemEconomy: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Inventories: number;
            /** Format: int64 */
            Banks: number;
            /** Format: int64 */
            Bags: number;
            /**
             * Format: int64
             * @description In the banks of guilds.
             */
            Guilds: number;
            /** @description By day, newest first, and by source. */
            Flows: components["schemas"]["Flow"][];
            /** @description The ten who have most of it. */
            Holders: components["schemas"]["Holder"][];
        };
        /**
         * ItemEntry
         * @description An item of the catalog.
         */
        ItemEntry: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description `none`, `equipment`, `consumable`, `currency`, `spell`, `event` or `bag`. */
            Type: string;
            Stackable: boolean;
            /**
             * Format: int64
             * @description How many one slot of an inventory or bag holds.
             */
            InventoryStack: number;
            /**
             * Format: int64
             * @description How many one slot of a bank holds.
             */
            BankStack: number;
            /**
             * Format: int64
             * @description How many slots a bag of this kind has; 0 if it is no bag.
             */
            BagSlots: number;
            /** @description Whether it may be in a bank. */
            Bankable: boolean;
            /**
             * Format: int64
             * @description What one piece is worth, in the game's own unit, for limits on what is handed out; null if nobody has said.
             */
            Value: number | null;
            /** @description The address of its icon: https, or a path below the address of this service; null: none. */
            Icon: string | null;
        };
        /** ItemEntryPage */
        ItemEntryPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["ItemEntry"][];
        };
        /**
         * ItemMovement
         * @description So many of an item came to a character in one action, or went if negative.
         */
        ItemMovement: {
            /** Format: date-time */
            At: string;
            /**
             * Format: int64
             * @description How many came to the character in all; negative if they went.
             */
            Quantity: number;
            /** @description Where from or to, as in the flows of an item: `grant`, `removal`, `move` (from or to another character), `undo` and so on. */
            Source: string;
            /** Format: uuid */
            PlayerId: string;
            /** @description Null if the character was deleted. */
            PlayerName: string | null;
            /** Format: uuid */
            ActionId: string;
            /** @description What was done: `items.give`, `users.email`, `undo` and so on. */
            Kind: string | null;
        };
        /** ItemMovements */
        ItemMovements: {
            /** Format: uuid */
            ItemId: string;
            ItemName: string;
            /**
             * Format: date
             * @description The first of the days, in UTC.
             */
            Since: string;
            /** @description The largest first. */
            Values: components["schemas"]["ItemMovement"][];
        };
        /**
         * ItemOwner
         * @description A character, or a guild with its bank.
         */
        ItemOwner: {
            /**
             * Format: uuid
             * @description Null for a guild.
             */
            PlayerId: string | null;
            /**
             * Format: uuid
             * @description Null for a character.
             */
            GuildId: string | null;
            /** @description The present name, or the last one of a deleted character. */
            Name: string | null;
        };
        /**
         * ItemSupply
         * @description How many of an item there are, and where.
         */
        ItemSupply: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Inventories: number;
            /** Format: int64 */
            Banks: number;
            /** Format: int64 */
            Bags: number;
            /**
             * Format: int64
             * @description In the banks of guilds.
             */
            Guilds: number;
        };
        /** ItemSupplyPage */
        ItemSupplyPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["ItemSupply"][];
        };
        /**
         * JoinGuild
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        JoinGuild: {
            /**
             * Format: int32
             * @description From 1, the highest, to the lowest; by default the lowest.
             */
            rank?: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * JoinResult
         * @description Who is on the server now.
         */
        JoinResult: {
            Values: components["schemas"]["JoinedPlayer"][];
            /** @description What is nobody's name or id. */
            Unknown: string[];
            /** @description Those who are banned, or whose accounts are; they did not join. */
            Refused: components["schemas"]["RefusedJoin"][];
        };
        /** JoinedPlayer */
        JoinedPlayer: {
            /** Format: uuid */
            PlayerId: string;
            /**
             * Format: int64
             * @description The number of the character's last posting in the ledger; 0 if it has none.
             */
            Seq: number;
            /**
             * Format: uuid
             * @description The server it was on until now.
             */
            MovedFrom: string | null;
            /** @description Mutes and trade locks in force, for the server to enforce. */
            Restrictions: components["schemas"]["Restriction"][];
        };
        /**
         * JsonObjectPage
         * @description A page of objects.
         */
        JsonObjectPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: {
                [key: string]: unknown;
            }[];
        };
        /**
         * KeyLimits
         * @description How much a key may hand out and undo in a day; null: no limit.
         */
        KeyLimits: {
            /**
             * Format: int64
             * @description Pieces of any one item handed out in a day.
             */
            PiecesPerDay: number | null;
            /**
             * Format: int64
             * @description Value handed out in a day, by the values of the catalog.
             */
            ValuePerDay: number | null;
            /**
             * Format: int64
             * @description Pieces handed out by one change.
             */
            LargestGift: number | null;
            /**
             * Format: int64
             * @description Actions undone in a day.
             */
            UndosPerDay: number | null;
        };
        /**
         * KeyRecord
         * @description An API key, without its secret.
         */
        KeyRecord: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description Null: everything; such a key is made at the command line only. */
            Scopes: string[] | null;
            Limits: components["schemas"]["KeyLimits"];
            /** @description Rate limits of its own in words; null: those of the settings. */
            Rates: string | null;
            /**
             * @description `live`, `expired` or `revoked`.
             * @enum {string}
             */
            State: "expired" | "live" | "revoked";
            /** Format: date-time */
            CreatedAt: string;
            /**
             * Format: date-time
             * @description Null: valid until revoked.
             */
            ExpiresAt: string | null;
            /**
             * Format: date-time
             * @description The last use, to the minute; null: never used.
             */
            UsedAt: string | null;
            /** Format: date-time */
            RevokedAt: string | null;
        };
        /** KeyRecordPage */
        KeyRecordPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["KeyRecord"][];
        };
        /** KeyScopes */
        KeyScopes: {
            Values: components["schemas"]["ScopeInWords"][];
        };
        /** KnownSpell */
        KnownSpell: {
            /** Format: int64 */
            Slot: number;
            /** Format: uuid */
            SpellId: string;
            /** @description With `names`: the spell's name. */
            SpellName?: string;
        };
        /** LadderStepShown */
        LadderStepShown: {
            /** @enum {string} */
            Kind: "ban" | "mute" | "note" | "trade_lock" | "warning";
            /**
             * Format: int64
             * @description Null: without end.
             */
            DurationSeconds: number | null;
        };
        /**
         * Lease
         * @description A server's place, as long as it is renewed.
         */
        Lease: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /**
             * Format: int64
             * @description To be sent with everything the server does.
             */
            Fence: number;
            /** Format: date-time */
            LeaseUntil: string;
            /** Format: int64 */
            LeaseSeconds: number;
            /**
             * Format: int64
             * @description How often to renew the lease.
             */
            HeartbeatSeconds: number;
        };
        /**
         * LedgerPosition
         * @description Where a character's ledger stands after the transaction.
         */
        LedgerPosition: {
            /** Format: uuid */
            PlayerId: string;
            /**
             * Format: int64
             * @description The number of the character's last posting in the ledger.
             */
            Seq: number;
        };
        /**
         * LegacyGameVariablePage
         * @description The envelope of the deprecated lists; its mixed casing is the contract.
         *
         *     Newer clients of the ancestor look for `Values` here too. `Total` and `Count` are not
         *     repeated: names that differ only in letter case break generated clients.
         */
        LegacyGameVariablePage: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            count: number;
            entries: components["schemas"]["GameVariable"][];
            /** Format: int64 */
            PageSize: number;
            Values: components["schemas"]["GameVariable"][];
        };
        /**
         * LegacyGuildCountPage
         * @description The envelope of the deprecated lists; its mixed casing is the contract.
         *
         *     Newer clients of the ancestor look for `Values` here too. `Total` and `Count` are not
         *     repeated: names that differ only in letter case break generated clients.
         */
        LegacyGuildCountPage: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            count: number;
            entries: components["schemas"]["GuildCount"][];
            /** Format: int64 */
            PageSize: number;
            Values: components["schemas"]["GuildCount"][];
        };
        /**
         * LegacyObjectEntryPage
         * @description The envelope of the deprecated lists; its mixed casing is the contract.
         *
         *     Newer clients of the ancestor look for `Values` here too. `Total` and `Count` are not
         *     repeated: names that differ only in letter case break generated clients.
         */
        LegacyObjectEntryPage: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            count: number;
            entries: components["schemas"]["ObjectEntry"][];
            /** Format: int64 */
            PageSize: number;
            Values: components["schemas"]["ObjectEntry"][];
        };
        /**
         * LegacyPaging
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        LegacyPaging: {
            /**
             * Format: int32
             * @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records.
             * @default 0
             */
            page?: number;
            /**
             * Format: int32
             * @description How many records make a page. Out of 1 to 100, the nearest is taken.
             * @default 5
             */
            count?: number;
        };
        /**
         * LegacyPlayerPage
         * @description The envelope of the deprecated lists; its mixed casing is the contract.
         *
         *     Newer clients of the ancestor look for `Values` here too. `Total` and `Count` are not
         *     repeated: names that differ only in letter case break generated clients.
         */
        LegacyPlayerPage: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            count: number;
            entries: components["schemas"]["Player"][];
            /** Format: int64 */
            PageSize: number;
            Values: components["schemas"]["Player"][];
        };
        /**
         * LegacyUserPage
         * @description The envelope of the deprecated lists; its mixed casing is the contract.
         *
         *     Newer clients of the ancestor look for `Values` here too. `Total` and `Count` are not
         *     repeated: names that differ only in letter case break generated clients.
         */
        LegacyUserPage: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            count: number;
            entries: components["schemas"]["User"][];
            /** Format: int64 */
            PageSize: number;
            Values: components["schemas"]["User"][];
        };
        /**
         * LiftSanction
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        LiftSanction: {
            /** @description Why, for staff, at most 500 characters. */
            reason: string;
        };
        /**
         * LimitsBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        LimitsBody: {
            /**
             * Format: int64
             * @description Pieces of any one item handed out in a day, 0 to 9007199254740992; without it, no limit.
             */
            piecesperday?: number;
            /**
             * Format: int64
             * @description Value handed out in a day, by the values of the catalog, 0 to 9007199254740992; without it, no limit.
             */
            valueperday?: number;
            /**
             * Format: int64
             * @description Pieces handed out by one change, 0 to 9007199254740992; without it, no limit.
             */
            largestgift?: number;
            /**
             * Format: int64
             * @description Actions undone in a day, 0 to 9007199254740992; without it, no limit.
             */
            undosperday?: number;
        };
        /**
         * LimitsRecord
         * @description Limits as they are shown; null: no limit.
         */
        LimitsRecord: {
            /**
             * Format: int64
             * @description Pieces of any one item handed out in a day; null: no limit.
             */
            PiecesPerDay: number | null;
            /**
             * Format: int64
             * @description Value handed out in a day, by the values of the catalog; null: no limit.
             */
            ValuePerDay: number | null;
            /**
             * Format: int64
             * @description Pieces handed out by one change; null: no limit.
             */
            LargestGift: number | null;
            /**
             * Format: int64
             * @description Actions undone in a day; null: no limit.
             */
            UndosPerDay: number | null;
        };
        /**
         * LinkBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        LinkBody: {
            /** @description What follows `#link=` in the address that `gamekeeper staff link` prints. */
            code: string;
        };
        /**
         * LoggedMessage
         * @description Something that was said in the game.
         */
        LoggedMessage: {
            /** Format: uuid */
            Id: string;
            /** Format: uuid */
            UserId: string;
            /** Format: uuid */
            PlayerId: string;
            /** @description As the game server reported it, for those who may see personal information; else empty. */
            Ip: string;
            /** Format: date-time */
            TimeStamp: string;
            /** @description `Local`, `Party`, `Global`, `PM`, `Admin` or `Guild`. */
            MessageType: string;
            MessageText: string;
            /**
             * Format: uuid
             * @description The character or guild that it was said to.
             */
            TargetId: string | null;
            Username: string;
            PlayerName: string;
            /** @description Of a character; else empty. */
            TargetName: string;
        };
        /** LoggedMessagePage */
        LoggedMessagePage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["LoggedMessage"][];
        };
        /**
         * ManageEmail
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ManageEmail: {
            /** @description The new email address. */
            new: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * ManagePassword
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ManagePassword: {
            /** @description SHA-256 of the new password: 64 hexadecimal digits, no hyphens, in any letter case. */
            new: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** Message */
        Message: {
            Message: string;
        };
        /** Moment */
        Moment: {
            /** Format: date-time */
            At: string;
            /** @description What was done: `items.give`, `users.email`, `undo` and so on. */
            Kind: string;
            /** Format: uuid */
            ActionId: string;
        };
        /**
         * Moments
         * @description The newest 500 of the time asked for, oldest first.
         */
        Moments: {
            /** @description The newest 500 of the time asked for, oldest first. */
            Values: components["schemas"]["Moment"][];
            /** @description Whether these are all; otherwise narrow the time. */
            IsComplete: boolean;
        };
        /**
         * MoveBankItems
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        MoveBankItems: {
            /** @description The name or the id of a member. */
            player: string;
            /**
             * Format: uuid
             * @description The item's id.
             */
            itemid: string;
            /**
             * Format: int32
             * @description How many, at least 1.
             */
            quantity: number;
            /**
             * Format: int32
             * @description Only out of this slot: of the inventory for a deposit, of the bank for a withdrawal.
             */
            slot?: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * MoveBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        MoveBody: {
            /**
             * Format: int32
             * @description As the game has it, 0 to 255.
             */
            gender?: number;
            /**
             * Format: uuid
             * @description Where a warp goes; of a message, that only those on this map read it.
             */
            mapid?: string;
            /** @description What the map is called; at most 255 characters. */
            mapname?: string;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            x?: number;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            y?: number;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            z?: number;
            /**
             * Format: int32
             * @description Which way it looks, 0 to 255.
             */
            dir?: number;
            /** @description The file of its sprite; at most 255 characters. */
            sprite?: string;
            /** @description The file of its face; at most 255 characters. */
            face?: string;
            /** @description `#RRGGBB` or `#AARRGGBB`; empty for the game's own choice. */
            namecolor?: string;
            /**
             * Format: uuid
             * @description The class's id.
             */
            classid?: string;
            /**
             * Format: int32
             * @description Points that are not spent yet.
             */
            statpoints?: number;
            /** @description Health, mana; neither above its `maxvitals`. JSON bodies only. */
            vitals?: number[];
            /** @description Health, mana; `vitals` fall with them. JSON bodies only. */
            maxvitals?: number[];
            /** @description Attack, ability power, defense, magic resist, speed. JSON bodies only. */
            basestats?: number[];
            /** @description As `basestats`. JSON bodies only. */
            statpointallocations?: number[];
            /** @description For each equipment slot, at most 32, the inventory slot worn in it, or -1. JSON bodies only. */
            equipment?: number[];
            /** @enum {string} */
            do: "items" | "variable" | "teach" | "forget" | "progress" | "sheet";
            /**
             * Format: uuid
             * @description The item's id.
             */
            itemid?: string;
            /**
             * Format: int32
             * @description How many, at least 1.
             */
            quantity?: number;
            from?: string;
            /**
             * @default inventory
             * @enum {string}
             */
            fromplace?: "inventory" | "bank" | "bag";
            /** Format: uuid */
            frombag?: string;
            /** Format: int32 */
            fromslot?: number;
            to?: string;
            /**
             * @default inventory
             * @enum {string}
             */
            toplace?: "inventory" | "bank" | "bag";
            /** Format: uuid */
            tobag?: string;
            /** Format: int32 */
            toslot?: number;
            /**
             * @description Whether what does not fit into the inventory goes to the bank.
             * @default false
             */
            bankoverflow?: boolean;
            statbuffs?: number[];
            player?: string;
            /** Format: uuid */
            variableid?: string;
            value?: components["schemas"]["Scalar"];
            /**
             * Format: uuid
             * @description The spell's id.
             */
            spellid?: string;
            /** Format: int32 */
            level?: number;
            /** Format: int64 */
            exp?: number;
            /** Format: int64 */
            gain?: number;
        };
        /**
         * Newcomers
         * @description Accounts and characters that were made, by whole hours.
         */
        Newcomers: {
            /**
             * Format: int64
             * @description Of the last 24 whole hours and the one that goes on; null without `users.query`.
             */
            AccountsDay: number | null;
            /**
             * Format: int64
             * @description Of the last seven days; null without `users.query`.
             */
            AccountsWeek: number | null;
            /**
             * Format: int64
             * @description Of the last 24 whole hours and the one that goes on.
             */
            CharactersDay: number;
            /**
             * Format: int64
             * @description Of the last seven days.
             */
            CharactersWeek: number;
        };
        /**
         * ObjectEntry
         * @description An object and its id.
         */
        ObjectEntry: {
            /**
             * Format: uuid
             * @description The object's id.
             */
            Key: string;
            /** @description The object: every key that the engine has for its type. */
            Value: {
                [key: string]: unknown;
            };
        };
        /**
         * ObjectNames
         * @description The names of all objects of a type, as one page.
         */
        ObjectNames: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: string[];
        };
        /**
         * ObjectPaging
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ObjectPaging: {
            /**
             * Format: int32
             * @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records.
             * @default 0
             */
            page?: number;
            /**
             * Format: int32
             * @description How many on a page, 5 to 100.
             * @default 5
             */
            count?: number;
        };
        /** OnlineCount */
        OnlineCount: {
            /** Format: int64 */
            onlineCount: number;
        };
        /** OnlineHistory */
        OnlineHistory: {
            /** @enum {string} */
            Span: "day" | "hour" | "minute";
            Values: components["schemas"]["OnlineSample"][];
            /** @description With `servers`: the twenty servers with most players, then all others together. Stacked they are the curve of the game. */
            Servers?: components["schemas"]["ServerCurve"][];
        };
        /**
         * OnlineNow
         * @description How many are in the game now, and how many were in the last 24 hours.
         */
        OnlineNow: {
            /** Format: int64 */
            Now: number;
            /**
             * Format: date-time
             * @description When it was last sampled for the curve; null: never.
             */
            SampledAt: string | null;
            /** @description The last 24 hours in steps of ten minutes, oldest first. Longer spans: `/players/online/history`. */
            Curve: components["schemas"]["OnlinePoint"][];
        };
        /**
         * OnlinePoint
         * @description How many were online in the ten minutes from an instant on.
         */
        OnlinePoint: {
            /** Format: date-time */
            At: string;
            /** Format: double */
            Average: number;
            /** Format: int64 */
            Highest: number;
        };
        /** OnlineSample */
        OnlineSample: {
            /**
             * Format: date-time
             * @description When the minute, hour or day (in UTC) began.
             */
            At: string;
            /** Format: double */
            Average: number;
            /** Format: int64 */
            Lowest: number;
            /** Format: int64 */
            Highest: number;
        };
        /**
         * Party
         * @description A character that had a part in something.
         */
        Party: {
            /** Format: uuid */
            PlayerId: string;
            /** @description What it is called now, or was when it was deleted. */
            Name: string | null;
        };
        /**
         * PasskeyBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        PasskeyBody: {
            /** @description The `id` of the credential, base64url. */
            id: string;
            /** @description The `response.clientDataJSON` of the credential, base64url. */
            clientdatajson: string;
            /** @description Its `response.attestationObject`, base64url. */
            attestationobject: string;
            /** @description Its `response.getTransports()`, at most ten; may be empty. */
            transports: string[];
            /**
             * @description What you call the passkey, 1 to 64 characters.
             * @default Passkey
             */
            name?: string;
        };
        /** PasskeyOptions */
        PasskeyOptions: {
            /** @description For `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON`. */
            Options: {
                [key: string]: unknown;
            };
        };
        /** PasswordResetStatus */
        PasswordResetStatus: {
            Message: string;
            /**
             * @description Whether a mail is on its way, was sent less than 5 minutes ago, or cannot be sent because the server has no mail settings.
             * @enum {string}
             */
            Delivery: "not_configured" | "queued" | "throttled";
        };
        /**
         * PlayedDay
         * @description How long a character played on a day, and how many sessions were under way on it.
         */
        PlayedDay: {
            /** Format: date */
            Day: string;
            /** Format: int64 */
            Seconds: number;
            /**
             * Format: int64
             * @description How many sessions were under way on that day.
             */
            Sessions: number;
        };
        /** PlayedDays */
        PlayedDays: {
            /**
             * Format: date
             * @description The first day of those asked for.
             */
            From: string;
            /**
             * Format: date
             * @description The last day.
             */
            To: string;
            /** @description The days on which the character played, oldest first; others are left out. */
            Values: components["schemas"]["PlayedDay"][];
        };
        /** Player */
        Player: {
            Name: string;
            /** @description The bank window is open; only ever true while online. */
            InBank: boolean;
            /** Format: uuid */
            UserId: string;
            /** @description Health, mana. */
            MaxVitals: number[];
            /** Format: uuid */
            Id: string;
            /** Format: uuid */
            ClassId: string;
            ClassName: string;
            /** Format: int64 */
            Gender: number;
            /** Format: int64 */
            Level: number;
            /** Format: int64 */
            Exp: number;
            /**
             * Format: int64
             * @description -1 at the highest level.
             */
            ExperienceToNextLevel: number;
            /** Format: int64 */
            StatPoints: number;
            /** @description Health, mana. */
            Vitals: number[];
            /** @description Attack, ability power, defense, magic resist, speed. */
            BaseStats: number[];
            /** @description As `BaseStats`. */
            StatPointAllocations: number[];
            /** @description For each equipment slot the inventory slot worn in it, or -1. */
            Equipment: number[];
            /** Format: uuid */
            MapId: string;
            MapName: string;
            /** Format: int64 */
            X: number;
            /** Format: int64 */
            Y: number;
            /** Format: int64 */
            Z: number;
            /** Format: int64 */
            Dir: number;
            Sprite: string;
            Face: string;
            Online: boolean;
            /**
             * Format: date-time
             * @description RFC 3339. While online, since when; else until when; if it never played, when it was made.
             */
            LastOnline: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            CreationDate: string;
            /**
             * Format: int64
             * @description With the time since it joined, while online.
             */
            PlayTimeSeconds: number;
            /** @description Always false: only the game knows. */
            Dead: boolean;
        };
        /**
         * PlayerHits
         * @description Characters whose names match: at the beginning, then at a word, then anywhere.
         */
        PlayerHits: {
            Values: components["schemas"]["Player"][];
            /** @description Whether there are more than these. */
            More: boolean;
        };
        /**
         * PlayerLimits
         * @description The limits of characters.
         */
        PlayerLimits: {
            /**
             * Format: int64
             * @description Of one account.
             */
            MaxCharacters: number;
            /**
             * Format: int64
             * @description Slots.
             */
            MaxInventory: number;
            /**
             * Format: int64
             * @description Slots.
             */
            MaxBank: number;
            /**
             * Format: int64
             * @description The same as `MaxBank`: newer clients look for it.
             */
            InitialBankslots: number;
            /**
             * Format: int64
             * @description Of the class that goes highest.
             */
            MaxLevel: number;
            /**
             * Format: int64
             * @description Slots.
             */
            MaxSpells: number;
            /**
             * Format: int64
             * @description The most that is stored; the game may have a lower limit.
             */
            MaxStat: number;
        };
        /** PlayerPage */
        PlayerPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["Player"][];
        };
        /** PlayerVariable */
        PlayerVariable: {
            /** Format: uuid */
            VariableId: string;
            Value: components["schemas"]["Scalar"];
            /** @description With `names`: the variable's name. */
            VariableName?: string;
        };
        /**
         * PlayersOfServer
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        PlayersOfServer: {
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence: number;
            /** @description Names or ids of characters, at most 1,000. JSON bodies only. */
            players: string[];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * Posting
         * @description So many of one item came into a slot, or went if negative.
         */
        Posting: {
            /**
             * Format: int64
             * @description The character's own count of postings, without gaps.
             */
            Seq: number;
            /** @enum {string} */
            Place: "bag" | "bank" | "inventory";
            /**
             * Format: uuid
             * @description Which bag, if the place is one.
             */
            Inside: string | null;
            /** Format: int64 */
            Slot: number;
            /** Format: uuid */
            ItemId: string;
            /**
             * Format: int64
             * @description How many came; negative if they went.
             */
            Quantity: number;
            /** @description Where they came from or went to: `grant`, `removal`, `import`, `demo`, `undo`, `restore`, `move` or `guild`. */
            Against: string;
            /** Format: int64 */
            HeldBefore: number;
            /** Format: int64 */
            HeldAfter: number;
            StatBuffs: number[];
            /**
             * Format: uuid
             * @description The bag that lay in the slot, if one did.
             */
            BagId: string | null;
            /** @description Who is on the other side, if items were handed on in a transaction: one, unless several gave or received the same item in it. */
            Counterparties: components["schemas"]["Party"][];
            /** @description With `names`: the item's name. */
            ItemName?: string;
        };
        /**
         * Power
         * @description What an account may do, as lists and lookups show it.
         */
        Power: {
            Editor: boolean;
            Ban: boolean;
            Kick: boolean;
            Mute: boolean;
            Api: boolean;
            PersonalInformation: boolean;
        };
        /**
         * PresenceResult
         * @description For how many it was done.
         */
        PresenceResult: {
            /** Format: int64 */
            Changed: number;
            /** @description Those who are not on the server. */
            NotHere: string[];
        };
        /**
         * PutTemplate
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        PutTemplate: {
            /** @description What is imposed the first time, the second time, and so on; 1 to 20. */
            steps: components["schemas"]["TemplateStep"][];
            /**
             * @description What the player reads, at most 2,000 characters.
             * @default
             */
            message?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** Readiness */
        Readiness: {
            status: string;
            /**
             * @description `away` if there is one and everything is read from the primary.
             * @enum {string}
             */
            replica: "away" | "none" | "used";
        };
        /** RecoveryCodes */
        RecoveryCodes: {
            /** @description Shown this once; each is good for one verification. */
            Codes: string[];
        };
        /**
         * RefusedJoin
         * @description A banned character, with what its player reads.
         */
        RefusedJoin: {
            /** @description The name or id, as it was sent. */
            Player: string;
            /** @description The code of the ban, for the player to quote. */
            Code: string;
            /** @description What the player reads. */
            Message: string;
            /**
             * Format: date-time
             * @description When the ban ends; null: without end.
             */
            Until: string | null;
        };
        /**
         * Register
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        Register: {
            /** @description 2 to 20 letters or digits of any script, at least one of them a letter, with single `-` or `_` between them. */
            username: string;
            /** @description SHA-256 of the password: 64 hexadecimal digits, no hyphens, in any letter case. */
            password: string;
            /** @description The email address; each belongs to one account at most. */
            email: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * RegisterServer
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        RegisterServer: {
            /** @description 1 to 64 characters. Whoever registers under the name of a server takes its place. */
            name: string;
            /**
             * Format: uuid
             * @description The id the server had before, or shall have; without it, that of the server of this name, or a new one.
             */
            id?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** RegisteredUser */
        RegisteredUser: {
            Username: string;
            Email: string;
        };
        /**
         * RenameGuild
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        RenameGuild: {
            /** @description 3 to 20 letters, digits and spaces. */
            name: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * RenamePlayer
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        RenamePlayer: {
            /** @description The new name, as `name` of a new character. */
            name: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * RenameUser
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        RenameUser: {
            /** @description By the rules of registration. */
            name: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * ReplayDeliveries
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ReplayDeliveries: {
            /**
             * Format: uuid
             * @description The delivery whose event is to be sent again.
             */
            delivery?: string;
            /**
             * Format: date-time
             * @description Send again what happened at this instant or later; `to` too.
             */
            from?: string;
            /**
             * Format: date-time
             * @description The last instant.
             */
            to?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** ReplayResult */
        ReplayResult: {
            /** Format: int64 */
            Count: number;
            /** @description Whether that was all; at most 1,000 are sent again at once. */
            Complete: boolean;
        };
        /**
         * ReportChat
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ReportChat: {
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence: number;
            /** @description At most 500. */
            messages: components["schemas"]["SaidBody"][];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** ResetFactors */
        ResetFactors: {
            /** Format: uuid */
            UserId: string;
            /**
             * Format: int64
             * @description How many second factors the account had.
             */
            Removed: number;
        };
        /**
         * RestoreItems
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        RestoreItems: {
            /**
             * Format: date-time
             * @description The instant to compare with, `2026-03-14T18:00:00Z` for example.
             */
            at: string;
            /** @description Only what lay in these slots; without it, in any. JSON bodies only. */
            slots?: components["schemas"]["RestoreSlot"][];
            /**
             * @description Whether only to show what would come back, and change nothing.
             * @default false
             */
            dryrun?: boolean;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** RestoreResult */
        RestoreResult: {
            /**
             * Format: uuid
             * @description The action in the log; null if nothing was changed.
             */
            ActionId: string | null;
            /** Format: date-time */
            At: string;
            DryRun: boolean;
            Values: components["schemas"]["RestoredItem"][];
            /** @description What was held then and was handed on since, newest first: it is not lost, and only the undo of its transaction brings it back. */
            HandedOn: components["schemas"]["HandedOn"][];
        };
        /**
         * RestoreSlot
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        RestoreSlot: {
            /** @enum {string} */
            place: "inventory" | "bank";
            /** Format: int32 */
            slot: number;
        };
        /**
         * RestoredItem
         * @description So many of one item, back in a slot; `from` is where they lay then.
         */
        RestoredItem: {
            /** Format: uuid */
            ItemId: string;
            /** Format: int64 */
            Quantity: number;
            /** @enum {string} */
            Place: "bank" | "inventory";
            /** Format: int64 */
            Slot: number;
            /**
             * @description The place where it lay then.
             * @enum {string}
             */
            FromPlace: "bag" | "bank" | "inventory";
            /**
             * Format: int64
             * @description The slot where it lay then.
             */
            FromSlot: number;
            StatBuffs: number[];
        };
        /**
         * Restriction
         * @description A sanction in force that keeps a character from something, as its player reads it.
         */
        Restriction: {
            /**
             * @description `mute` or `trade_lock`.
             * @enum {string}
             */
            Kind: "ban" | "mute" | "trade_lock";
            Code: string;
            Message: string;
            /**
             * Format: date-time
             * @description Null: without end.
             */
            Until: string | null;
        };
        /**
         * RevokeRequest
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        RevokeRequest: {
            /** @description An access token or a refresh token. */
            token: string;
        };
        /**
         * RoleRecord
         * @description A role, and how many accounts have it.
         */
        RoleRecord: {
            Name: string;
            Description: string;
            /** @description Whether it is always there, with scopes that only an upgrade changes. */
            BuiltIn: boolean;
            Scopes: string[];
            Limits: components["schemas"]["LimitsRecord"];
            /**
             * Format: int64
             * @description How many accounts have it; of a deleted one, had it.
             */
            Members: number;
            /** Format: date-time */
            CreatedAt: string;
        };
        /** RoleRecordPage */
        RoleRecordPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["RoleRecord"][];
        };
        /**
         * SaidBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SaidBody: {
            /**
             * Format: uuid
             * @description Chosen by the game server: what is reported again is stored once.
             */
            id: string;
            /** Format: uuid */
            playerid: string;
            /** @description 1 to 1,000 characters. */
            message: string;
            /**
             * @default local
             * @enum {string}
             */
            channel?: "local" | "party" | "global" | "pm" | "admin" | "guild";
            /**
             * Format: uuid
             * @description The character or guild that it was said to.
             */
            targetid?: string;
            /**
             * Format: date-time
             * @description Now, if it is absent or in the future.
             */
            saidat?: string;
            /**
             * @description The player's address.
             * @default
             */
            address?: string;
        };
        /** Sanction */
        Sanction: {
            /** Format: uuid */
            Id: string;
            /** @description What the player quotes, in an appeal for example. */
            Code: string;
            /**
             * @description `ban`, `mute`, `trade_lock`, `warning` or `note`.
             * @enum {string}
             */
            Kind: "ban" | "mute" | "note" | "trade_lock" | "warning";
            /**
             * Format: uuid
             * @description The account, also if it is on one character.
             */
            UserId: string;
            UserName: string;
            /**
             * Format: uuid
             * @description Null: the whole account.
             */
            PlayerId: string | null;
            /** @description Null if it is on the account, or the character was deleted. */
            PlayerName: string | null;
            /** Format: date-time */
            StartsAt: string;
            /**
             * Format: date-time
             * @description Null: without end.
             */
            EndsAt: string | null;
            /** @description Whether it was when this was read: begun, not ended, not lifted. */
            InForce: boolean;
            /** @description For staff. */
            Reason: string;
            /** @description What the player reads. */
            Message: string;
            /** @description The template it was imposed from. */
            Template: string | null;
            /**
             * Format: int64
             * @description Which step of its ladder, from 1.
             */
            Step: number | null;
            /** @description Links, for staff. */
            Evidence: string[];
            /** Format: date-time */
            ImposedAt: string;
            /** @description Who imposed it: `key:<id>`, `user:<id>`, `cli:<name>` or `system`. */
            ImposedBy: string;
            ImposedByName: string;
            /** Format: date-time */
            LiftedAt: string | null;
            LiftedBy: string | null;
            LiftedByName: string | null;
            LiftReason: string | null;
        };
        /** SanctionTemplate */
        SanctionTemplate: {
            Name: string;
            /** @description What the player reads, unless whoever imposes it writes something else. */
            Message: string;
            Steps: components["schemas"]["LadderStepShown"][];
            /** Format: date-time */
            ChangedAt: string;
            ChangedByName: string;
        };
        /** SanctionTemplates */
        SanctionTemplates: {
            Values: components["schemas"]["SanctionTemplate"][];
        };
        /** Sanctions */
        Sanctions: {
            Values: components["schemas"]["Sanction"][];
            /**
             * Format: uuid
             * @description The cursor of the next page; null: that was the last.
             */
            Next: string | null;
        };
        /**
         * Scalar
         * @description A boolean, a number or a string: of the type that the variable has.
         */
        Scalar: unknown;
        /**
         * ScopeInWords
         * @description A scope, what it allows, and whether the caller may give it to a key.
         */
        ScopeInWords: {
            Scope: string;
            Description: string;
            /** @description Whether the caller may make a key with it. */
            Grantable: boolean;
        };
        /**
         * SearchResult
         * @description What was found, the best of each group first.
         */
        SearchResult: {
            /** @description The groups that the caller may see: `players`, `users`, `items`, `sanctions`, `actions`, `transactions`. The others are empty. */
            Searched: string[];
            Players: components["schemas"]["FoundPlayer"][];
            Users: components["schemas"]["FoundUser"][];
            Items: components["schemas"]["FoundItem"][];
            Sanctions: components["schemas"]["FoundSanction"][];
            Actions: components["schemas"]["FoundAction"][];
            Transactions: components["schemas"]["FoundTransaction"][];
        };
        /**
         * SendChat
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SendChat: {
            /** @description 1 to 500 characters. */
            message: string;
            /** @description `A`, `R`, `G` and `B`, each from 0 to 255 and 255 if it is left out; in a form `Color[R]` and so on. */
            color?: {
                [key: string]: unknown;
            };
            /** @description Comes back as it was sent. */
            target?: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SendCommand
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SendCommand: {
            /**
             * @description `kick`, `kill`, `warp`, `message` or `custom`.
             * @enum {string}
             */
            kind: "kick" | "kill" | "warp" | "message" | "custom";
            /** @description What the players read, 1 to 500 characters: of a message, or beside a kick. */
            text?: string;
            /** @description Of a message: `#RRGGBB`, or `#AARRGGBB` with its opacity first. */
            color?: string;
            /**
             * Format: uuid
             * @description Where a warp goes; of a message, that only those on this map read it.
             */
            mapid?: string;
            /**
             * Format: int32
             * @description Where on the map a warp goes, from 0 to 65535.
             */
            x?: number;
            /**
             * Format: int32
             * @description Where on the map a warp goes, from 0 to 65535.
             */
            y?: number;
            /** @description Of a custom command: any JSON object of at most 8 KiB. JSON bodies only. */
            payload?: {
                [key: string]: unknown;
            };
            /**
             * Format: int32
             * @description For how long it waits to be fetched: 30 by default, 3600 at most.
             */
            seconds?: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SendPlayerCommand
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SendPlayerCommand: {
            /**
             * @description `kick`, `kill`, `warp`, `message` or `custom`.
             * @enum {string}
             */
            kind: "kick" | "kill" | "warp" | "message" | "custom";
            /** @description What the player reads, 1 to 500 characters: of a message, or beside a kick. */
            text?: string;
            /** @description Of a message: `#RRGGBB`, or `#AARRGGBB` with its opacity first. */
            color?: string;
            /**
             * Format: uuid
             * @description Where a warp goes; of a message, that only those on this map read it.
             */
            mapid?: string;
            /**
             * Format: int32
             * @description Where on the map a warp goes, from 0 to 65535.
             */
            x?: number;
            /**
             * Format: int32
             * @description Where on the map a warp goes, from 0 to 65535.
             */
            y?: number;
            /** @description Of a custom command: any JSON object of at most 8 KiB. JSON bodies only. */
            payload?: {
                [key: string]: unknown;
            };
            /**
             * Format: int32
             * @description For how long it waits to be fetched: 30 seconds by default and 3600 at most; with `next_join` 7 days by default and 30 at most.
             */
            seconds?: number;
            /**
             * @description `now`, or `next_join`: kept until the character joins a server, if it is on none.
             * @default now
             * @enum {string}
             */
            when?: "now" | "next_join";
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SentChat
         * @description What was said to all.
         */
        SentChat: {
            /** @description Always true: otherwise it is refused. */
            success: boolean;
            /** @description What was said. */
            chatMessage: components["schemas"]["ChatMessage"];
        };
        /**
         * SentDirectChat
         * @description What was said to a character.
         */
        SentDirectChat: {
            /** @description Always true: otherwise it is refused. */
            success: boolean;
            /** @description What was said. */
            chatMessage: components["schemas"]["ChatMessage"];
            /** @description As it was sent. */
            lookupKey: string;
        };
        /**
         * SentProximityChat
         * @description What was said to those on a map.
         */
        SentProximityChat: {
            /** @description Always true: otherwise it is refused. */
            success: boolean;
            /** @description What was said. */
            chatMessage: components["schemas"]["ChatMessage"];
            /**
             * Format: uuid
             * @description The map's id.
             */
            mapId: string;
        };
        /**
         * Server
         * @description What the world may know about a game server.
         */
        Server: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description Whether its lease is; if not, nobody is online on it. */
            Alive: boolean;
            /** Format: int64 */
            Online: number;
            /** Format: date-time */
            RegisteredAt: string;
            /**
             * Format: date-time
             * @description RFC 3339; null if it never ends.
             */
            LeaseUntil: string | null;
        };
        /**
         * ServerCurve
         * @description How many were on one game server.
         */
        ServerCurve: {
            /**
             * Format: uuid
             * @description Null: all servers together but the twenty with most players.
             */
            ServerId: string | null;
            /** @description Null if there is no such server any more. */
            ServerName: string | null;
            /** @description One for each of the `Values` of the whole game, in their order. */
            Averages: number[];
        };
        /** ServerPage */
        ServerPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["Server"][];
        };
        /**
         * ServersNow
         * @description How many game servers hold a lease, of how many, and the first fifty by name.
         */
        ServersNow: {
            /** Format: int64 */
            Alive: number;
            /**
             * Format: int64
             * @description Servers that ended their lease themselves: they are not down.
             */
            Stopped: number;
            /** Format: int64 */
            Total: number;
            /** @description The first fifty by name. */
            Values: components["schemas"]["Server"][];
        };
        /** Session */
        Session: {
            /** Format: uuid */
            ServerId: string;
            ServerName: string;
            /** Format: date-time */
            JoinedAt: string;
            /**
             * Format: date-time
             * @description RFC 3339; null while it goes on.
             */
            LeftAt: string | null;
        };
        /**
         * SessionFacts
         * @description The browser session that the caller came with.
         */
        SessionFacts: {
            /** Format: uuid */
            Id: string;
            /**
             * @description `signed_in`; or what the sign-in still needs: `second_factor_required`, `enrolment_required`.
             * @enum {string}
             */
            State: "enrolment_required" | "second_factor_required" | "signed_in";
            /**
             * Format: date-time
             * @description When the second factor was last verified; null: never.
             */
            VerifiedAt: string | null;
            /**
             * Format: date-time
             * @description Until when it is not asked for again; null: never verified.
             */
            StepUpUntil: string | null;
        };
        /**
         * SessionStatus
         * @description How far a sign-in has come, and by which methods it can go on.
         */
        SessionStatus: {
            /**
             * @description `signed_in`; `second_factor_required`: verify one of the methods; `enrolment_required`: enrol a second factor.
             * @enum {string}
             */
            State: "enrolment_required" | "second_factor_required" | "signed_in";
            /** @description The ways to verify that the account has. */
            Methods: ("passkey" | "recovery" | "totp")[];
            /** Format: uuid */
            SessionId: string;
        };
        /**
         * Sessions
         * @description Part of the sessions of a character, newest first.
         */
        Sessions: {
            Values: components["schemas"]["Session"][];
            /**
             * Format: date-time
             * @description The `before` of what comes next; null at the end.
             */
            Next: string | null;
        };
        /**
         * SetGuildRank
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SetGuildRank: {
            /**
             * Format: int32
             * @description From 1, the highest, to the lowest.
             */
            rank: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SetGuildVariable
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SetGuildVariable: {
            /** @description The value, of the type the variable was declared with. */
            value: components["schemas"]["Scalar"];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SetLevel
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SetLevel: {
            /**
             * Format: int32
             * @description At least 1; above the highest of the class, the highest is taken.
             */
            level: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SetVariable
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SetVariable: {
            /** @description The value, of the type the variable was declared with. */
            value: components["schemas"]["Scalar"];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * Sheet
         * @description Where a character is, what it looks like, and what it is made of.
         */
        Sheet: {
            /** Format: uuid */
            ClassId: string;
            /** Format: int64 */
            Gender: number;
            /** Format: int64 */
            StatPoints: number;
            /** @description Health, mana. */
            Vitals: number[];
            /** @description Health, mana. */
            MaxVitals: number[];
            /** @description Attack, ability power, defense, magic resist, speed. */
            BaseStats: number[];
            /** @description As `BaseStats`. */
            StatPointAllocations: number[];
            /** @description For each equipment slot the inventory slot worn in it, or -1. */
            Equipment: number[];
            /** Format: uuid */
            MapId: string;
            MapName: string;
            /** Format: int64 */
            X: number;
            /** Format: int64 */
            Y: number;
            /** Format: int64 */
            Z: number;
            /** Format: int64 */
            Dir: number;
            Sprite: string;
            Face: string;
            /** @description `#AARRGGBB`, or empty. */
            NameColor: string;
        };
        /**
         * SheetBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SheetBody: {
            /**
             * Format: int32
             * @description As the game has it, 0 to 255.
             */
            gender?: number;
            /**
             * Format: uuid
             * @description Where a warp goes; of a message, that only those on this map read it.
             */
            mapid?: string;
            /** @description What the map is called; at most 255 characters. */
            mapname?: string;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            x?: number;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            y?: number;
            /**
             * Format: int32
             * @description Where it stands on the map.
             */
            z?: number;
            /**
             * Format: int32
             * @description Which way it looks, 0 to 255.
             */
            dir?: number;
            /** @description The file of its sprite; at most 255 characters. */
            sprite?: string;
            /** @description The file of its face; at most 255 characters. */
            face?: string;
            /** @description `#RRGGBB` or `#AARRGGBB`; empty for the game's own choice. */
            namecolor?: string;
            /**
             * Format: uuid
             * @description The class's id.
             */
            classid?: string;
            /**
             * Format: int32
             * @description Points that are not spent yet.
             */
            statpoints?: number;
            /** @description Health, mana; neither above its `maxvitals`. JSON bodies only. */
            vitals?: number[];
            /** @description Health, mana; `vitals` fall with them. JSON bodies only. */
            maxvitals?: number[];
            /** @description Attack, ability power, defense, magic resist, speed. JSON bodies only. */
            basestats?: number[];
            /** @description As `basestats`. JSON bodies only. */
            statpointallocations?: number[];
            /** @description For each equipment slot, at most 32, the inventory slot worn in it, or -1. JSON bodies only. */
            equipment?: number[];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SignInBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SignInBody: {
            /** @description The username, in any letter case, or the user id. */
            username: string;
            /** @description SHA-256 of the password: 64 hexadecimal digits, no hyphens, in any letter case. */
            password: string;
        };
        /**
         * SignInRecord
         * @description A sign-in: of a browser, or for tokens.
         */
        SignInRecord: {
            /**
             * @description `session`: with a browser; `token`: by `/api/oauth/token`.
             * @enum {string}
             */
            Kind: "session" | "token";
            /**
             * Format: uuid
             * @description Of the session, or the `token_id` that came with the tokens.
             */
            Id: string;
            /** Format: date-time */
            At: string;
            /** @description `password`, `totp`, `passkey` or `recovery`. */
            Method: string | null;
            /** @description Where the browser called from; null for tokens, and for callers without `users.personal`. */
            Address: string | null;
            /** @description The browser's own words; null for tokens. */
            UserAgent: string | null;
            /** @description Whether later ones for tokens by the same client count as this one. */
            IsShared: boolean;
            /**
             * Format: date-time
             * @description When its tokens expire; null for a browser.
             */
            ExpiresAt: string | null;
            /**
             * Format: date-time
             * @description When somebody ended it; null if nobody did.
             */
            EndedAt: string | null;
        };
        /** SignIns */
        SignIns: {
            Values: components["schemas"]["SignInRecord"][];
            /** @description The `cursor` of what comes next; null at the end. */
            Next: string | null;
        };
        /** SignedOut */
        SignedOut: {
            /** Format: uuid */
            SessionId: string;
        };
        /**
         * Slot
         * @description One numbered place for items, empty or not.
         */
        Slot: {
            /** Format: int64 */
            Slot: number;
            /**
             * Format: uuid
             * @description The bag that lies in this slot of the inventory, if one does; else null.
             */
            BagId: string | null;
            /**
             * Format: uuid
             * @description All zero, with `Quantity` 0, if the slot is empty.
             */
            ItemId: string;
            /** Format: int64 */
            Quantity: number;
            /** @description Attack, ability power, defense, magic resist, speed. */
            StatBuffs: number[];
            /** @description With `names`: the item's name, empty if the slot is. */
            ItemName?: string;
        };
        /**
         * SpellEntry
         * @description A spell of the catalog.
         */
        SpellEntry: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description Whether a character that knows it cannot forget it. */
            Bound: boolean;
        };
        /** SpellEntryPage */
        SpellEntryPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["SpellEntry"][];
        };
        /** SpellLearned */
        SpellLearned: {
            /** Format: uuid */
            SpellId: string;
        };
        /**
         * SpellLesson
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SpellLesson: {
            /**
             * Format: uuid
             * @description The spell's id.
             */
            spellid: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * StaffMember
         * @description An account, the roles it has, and what it may do by all of them.
         */
        StaffMember: {
            /** Format: uuid */
            UserId: string;
            Name: string;
            /** @description Empty if the last one was just withdrawn. */
            Roles: components["schemas"]["HeldRole"][];
            /** @description What it may do by all of its roles. */
            Scopes: string[];
            /** @description Of each limit, the most generous among the roles that need it. */
            Limits: components["schemas"]["LimitsRecord"];
        };
        /** StaffMemberPage */
        StaffMemberPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["StaffMember"][];
        };
        /** StoppedServer */
        StoppedServer: {
            /** Format: uuid */
            Id: string;
            /** Format: int64 */
            Fence: number;
        };
        /**
         * StoredMessages
         * @description What became of a report.
         */
        StoredMessages: {
            /**
             * Format: int64
             * @description Messages that were not stored before.
             */
            Stored: number;
            /** @description Characters that do not exist; their messages are left out. */
            Unknown: string[];
        };
        /**
         * SubmitAppeal
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        SubmitAppeal: {
            /** @description The code that the player was shown, `XXXX-XXXX`; in any letter case, with or without the hyphen. */
            code: string;
            /** @description What the player has to say, 1 to 4000 characters. Only staff reads it. */
            text: string;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * SupplyChange
         * @description How many of an item came into the game and left it, other than from hand to hand.
         */
        SupplyChange: {
            /** Format: uuid */
            ItemId: string;
            ItemName: string;
            /** Format: int64 */
            Came: number;
            /** Format: int64 */
            Went: number;
            /** Format: int64 */
            Change: number;
        };
        /**
         * SupplyChanges
         * @description The items whose supply changed most since yesterday began.
         */
        SupplyChanges: {
            /**
             * Format: date-time
             * @description The beginning of yesterday in UTC.
             */
            Since: string;
            /** @description The ten items that changed most. */
            Values: components["schemas"]["SupplyChange"][];
        };
        /**
         * TakeItem
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        TakeItem: {
            /**
             * Format: uuid
             * @description The item's id.
             */
            itemid: string;
            /**
             * Format: int32
             * @description How many, at least 1.
             */
            quantity: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** TakenItem */
        TakenItem: {
            /** Format: uuid */
            ItemId: string;
            /** Format: int64 */
            Quantity: number;
            /**
             * Format: uuid
             * @description The same as `ItemId`: clients of Intersect recognise success by it, as in a gift.
             */
            id: string;
        };
        /**
         * TemplateStep
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        TemplateStep: {
            /**
             * @description `ban`, `mute`, `trade_lock`, `warning` or `note`.
             * @enum {string}
             */
            kind: "ban" | "mute" | "trade_lock" | "warning" | "note";
            /**
             * Format: int32
             * @description For how long; without it, without end.
             */
            durationseconds?: number;
        };
        /**
         * Timeline
         * @description Part of a character's timeline, newest first.
         */
        Timeline: {
            Values: components["schemas"]["TimelineEntry"][];
            /** @description The `cursor` of what comes next; null at the end. */
            Next: string | null;
        };
        /**
         * TimelineEntry
         * @description One action, and every item it moved.
         */
        TimelineEntry: {
            /** Format: uuid */
            Id: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            At: string;
            /** @description What was done: `items.give`, `users.email`, `undo` and so on. */
            Kind: string;
            /** @description The credential that was used: `key:<id>` or `user:<id>`; `system` for the command line, or `cli:<name>` if somebody there claimed a name, which is not authenticated. */
            Actor: string;
            /** @description What the key or account was called then. */
            ActorName: string;
            /** Format: uuid */
            PlayerId: string | null;
            /** Format: uuid */
            UserId: string | null;
            /** Format: uuid */
            ItemId: string | null;
            /** @description What was there; its form depends on `Kind`. Never a secret. */
            Before: unknown;
            /** @description What was there afterwards. */
            After: unknown;
            /** @description Why, in the caller's words: `X-Reason`, or `reason` in the body. */
            Reason: string | null;
            RequestId: string;
            /** @description Where the caller called from; empty if from this machine's command line. Null for callers without `users.personal`. */
            Address: string | null;
            /**
             * Format: uuid
             * @description The action that this one undid.
             */
            Undoes: string | null;
            /**
             * Format: uuid
             * @description The action that undid this one and was not itself undone.
             */
            UndoneBy: string | null;
            /** @description Who approved it, if it exceeded the limits of `Actor`; null otherwise. */
            ApprovedBy: string | null;
            /** @description The name of `ApprovedBy`. */
            ApprovedByName: string | null;
            /** @description With `names`: the name of `ItemId`; null if that is null. */
            ItemName?: string | null;
            /** @description With `names`, but not in a character's history: the name of `PlayerId`, also of a deleted character; null if it is erased, or if the id is null. */
            PlayerName?: string | null;
            /** @description With `names`, for callers with `users.query`, but not in a character's history: the name of `UserId`; null if the account is gone, or if the id is null. */
            UserName?: string | null;
            /** @description With `items`, in the audit log: how many of each item came to the character by the action, or went. Items that only changed their place are left out. */
            Items?: components["schemas"]["ActionItem"][];
            /** @description Every slot that changed, in order. */
            Postings: components["schemas"]["Posting"][];
        };
        /** TokenAnswer */
        TokenAnswer: {
            access_token: string;
            token_type: string;
            /**
             * Format: int64
             * @description Seconds.
             */
            expires_in: number;
            refresh_token: string;
            /** @description RFC 1123. */
            ".issued": string;
            /** @description RFC 1123. */
            ".expires": string;
            /**
             * Format: uuid
             * @description Names this sign-in; it stays the same when tokens are refreshed, unless the sign-in was shared.
             */
            token_id: string;
        };
        /**
         * TokenRefusal
         * @description The shape RFC 6749 gives to a refusal.
         */
        TokenRefusal: {
            /**
             * @description As RFC 6749 names it.
             * @enum {string}
             */
            error: "invalid_grant" | "invalid_request" | "unsupported_grant_type";
            error_description: string;
        };
        /**
         * TokenRequest
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        TokenRequest: {
            /** @description `password` or `refresh_token`. */
            grant_type?: string;
            /** @description For `password`: the username. */
            username?: string;
            /** @description For `password`: its SHA-256, 64 hexadecimal digits, no hyphens, in any letter case. */
            password?: string;
            /** @description For `refresh_token`: the latest refresh token; it is good once. */
            refresh_token?: string;
        };
        /**
         * TokenRevocation
         * @description Nothing to say: RFC 7009 answers the same whether or not there was such a token.
         */
        TokenRevocation: Record<string, never>;
        /**
         * TotpBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        TotpBody: {
            /**
             * @description What you call the app, 1 to 64 characters.
             * @default Authenticator app
             */
            name?: string;
        };
        /**
         * TotpConfirmation
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        TotpConfirmation: {
            /**
             * Format: uuid
             * @description The id that came with the secret.
             */
            id: string;
            /** @description The six digits that the app shows now. */
            code: string;
        };
        /** TotpEnrolment */
        TotpEnrolment: {
            /** Format: uuid */
            Id: string;
            /** @description Shown this once: base32, to be typed into the app. */
            Secret: string;
            /** @description The secret as an `otpauth` URI. */
            Uri: string;
            /** @description The URI as a QR code, an SVG image. */
            QrCode: string;
        };
        /**
         * Trade
         * @description Items that went from one character to another, from the view of one of them.
         */
        Trade: {
            /** Format: uuid */
            Id: string;
            /**
             * Format: uuid
             * @description The transaction.
             */
            TradeId: string;
            /** Format: uuid */
            UserId: string | null;
            /** Format: uuid */
            PlayerId: string;
            /** @description Always empty: trades are reported by the game. */
            Ip: string;
            /** Format: date-time */
            TimeStamp: string;
            /**
             * Format: uuid
             * @description The other character; the first one, if there were several.
             */
            TargetId: string | null;
            /** @description What this character gave. */
            Items: components["schemas"]["TradedItem"][];
            /** @description What it got. */
            TargetItems: components["schemas"]["TradedItem"][];
            Username: string;
            PlayerName: string;
            TargetName: string;
        };
        /**
         * TradeBlocker
         * @description One thing that an undo cannot do, or not all of, and why.
         */
        TradeBlocker: {
            /**
             * @description What is in the way.
             * @enum {string}
             */
            Reason: "already_there" | "bag_not_empty" | "changed_since" | "email_taken" | "gone" | "holds_items" | "level_above_class" | "name_taken" | "no_longer_kept" | "no_room" | "online" | "owns_guild" | "player_gone" | "restored" | "spell_already_known" | "spell_bound" | "spell_not_known" | "spellbook_full" | "too_many_characters" | "unknown_item" | "user_gone";
            /** @enum {string} */
            What: "email" | "item" | "level" | "name" | "player" | "power" | "sheet" | "spell" | "user" | "variable";
            /** Format: uuid */
            Id: string | null;
            Name: string | null;
            Place: string | null;
            /**
             * Format: int64
             * @description How many items should have been taken or given back.
             */
            Wanted: number | null;
            /**
             * Format: int64
             * @description How many of them can be.
             */
            Possible: number | null;
            /** @description What the action had left there. */
            Expected: components["schemas"]["Scalar"] | null;
            /** @description What is there now. */
            Found: components["schemas"]["Scalar"] | null;
            /**
             * Format: uuid
             * @description Whose items are in the way.
             */
            PlayerId: string | null;
            PlayerName: string | null;
            /** @description Who received such items since, newest first; at most 5 in a bulk undo. */
            HandedOn: components["schemas"]["HandedOn"][];
        };
        /** TradePage */
        TradePage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["Trade"][];
        };
        /**
         * TradedItem
         * @description So many of an item.
         */
        TradedItem: {
            /** Format: uuid */
            ItemId: string;
            /** Format: int64 */
            Quantity: number;
            /** Format: uuid */
            BagId: string | null;
            StatBuffs: number[];
        };
        /**
         * Trail
         * @description By which hands items went, and who has such items now.
         */
        Trail: {
            /** @description Whether the very item was followed: true for bags. Other items are counted and have no identity, so their trail is one of flows. */
            IsExact: boolean;
            /** @description Whether all was followed: at most 200 transfers, through 8 hands. */
            IsComplete: boolean;
            /** @description Oldest first. */
            Transfers: components["schemas"]["Transfer"][];
            Holders: components["schemas"]["TrailHolder"][];
        };
        /**
         * TrailHolder
         * @description How many such items an owner on the trail holds now, in bags too.
         */
        TrailHolder: {
            /**
             * Format: uuid
             * @description Null for a guild.
             */
            PlayerId: string | null;
            /**
             * Format: uuid
             * @description Null for a character.
             */
            GuildId: string | null;
            Name: string | null;
            /**
             * Format: int64
             * @description In the inventory, the bank and bags together, or in the guild's bank.
             */
            Quantity: number;
        };
        /**
         * TransactionBody
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        TransactionBody: {
            key: string;
            moves: components["schemas"]["MoveBody"][];
            expected?: components["schemas"]["ExpectedPosition"][];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * TransactionOutcome
         * @description What became of one transaction.
         */
        TransactionOutcome: {
            Key: string;
            /**
             * Format: int64
             * @description As if it had been a request of its own: 200 if it was done.
             */
            Status: number;
            /** @description Whether it was done, or refused, before. */
            Replayed: boolean;
            Done: components["schemas"]["CommittedTransaction"] | null;
            /** @description Why nothing of it was done. */
            Failure: components["schemas"]["Failure"] | null;
        };
        /** TransactionOutcomes */
        TransactionOutcomes: {
            Values: components["schemas"]["TransactionOutcome"][];
        };
        /**
         * TransactionRecord
         * @description A transaction: who did it, when and why, and all it changed.
         */
        TransactionRecord: {
            /** Format: uuid */
            Id: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            At: string;
            Actor: string;
            ActorName: string;
            Reason: string | null;
            /** @description Everybody it changed something of. */
            Players: components["schemas"]["Party"][];
            /** @description Whether nothing of it is in effect any more. */
            IsUndone: boolean;
            /** @description On every side, in the order in which they were recorded. */
            Actions: components["schemas"]["TimelineEntry"][];
        };
        /**
         * Transactions
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        Transactions: {
            /** @description At most 100, each with a `key` of its own, `moves` (at most 50) and perhaps `expected`, the `seq` that characters must have. JSON bodies only. */
            transactions: components["schemas"]["TransactionBody"][];
            /**
             * Format: uuid
             * @description The game server it is done for; without it, for nobody.
             */
            server?: string;
            /**
             * Format: int32
             * @description The fencing number of that server's lease.
             */
            fence?: number;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * Transfer
         * @description So many items that went from one owner to another.
         */
        Transfer: {
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            At: string;
            /**
             * Format: uuid
             * @description The action of the giver.
             */
            ActionId: string;
            /**
             * Format: uuid
             * @description Null for a deposit into a guild's bank, and for a withdrawal.
             */
            TransactionId: string | null;
            /** Format: int64 */
            Quantity: number;
            StatBuffs: number[];
            Giver: components["schemas"]["ItemOwner"];
            /** @description One, unless several received the same item in the same transaction. */
            Receivers: components["schemas"]["ItemOwner"][];
        };
        /**
         * UndoAction
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        UndoAction: {
            /**
             * @description Whether only to say what would happen; nothing is written.
             * @default false
             */
            dryrun?: boolean;
            /**
             * @description Whether to do what can be done if something is in the way.
             * @default false
             */
            partial?: boolean;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * UndoActor
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        UndoActor: {
            /**
             * Format: date-time
             * @description The first instant, `2026-03-14T18:00:00Z` for example.
             */
            from: string;
            /**
             * Format: date-time
             * @description The last instant; with `player` or `user`, the first instant after.
             */
            to: string;
            /** @description Whose actions: `key:<id>`, `user:<id>` or `system`, as the log says it. */
            actor?: string;
            /** @description What left this character: its name or id. */
            player?: string;
            /** @description What left any character of this account: its name or id. */
            user?: string;
            /**
             * @description With `player` or `user`: `left` (the default) or `all`, every change of the characters.
             * @enum {string}
             */
            what?: "left" | "all";
            /**
             * @description Whether only to count what would become of them; nothing is written.
             * @default false
             */
            dryrun?: boolean;
            /**
             * @description Whether of each to do what can be done if something is in the way.
             * @default false
             */
            partial?: boolean;
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
            /**
             * Format: uuid
             * @description Go on where another call ended: the `Next` of its answer.
             */
            cursor?: string;
        };
        /**
         * UndoBlocker
         * @description One thing that an undo cannot do, or not all of, and why.
         */
        UndoBlocker: {
            /**
             * @description What is in the way.
             * @enum {string}
             */
            Reason: "already_there" | "bag_not_empty" | "changed_since" | "email_taken" | "gone" | "holds_items" | "level_above_class" | "name_taken" | "no_longer_kept" | "no_room" | "online" | "owns_guild" | "player_gone" | "restored" | "spell_already_known" | "spell_bound" | "spell_not_known" | "spellbook_full" | "too_many_characters" | "unknown_item" | "user_gone";
            /** @enum {string} */
            What: "email" | "item" | "level" | "name" | "player" | "power" | "sheet" | "spell" | "user" | "variable";
            /** Format: uuid */
            Id: string | null;
            Name: string | null;
            Place: string | null;
            /**
             * Format: int64
             * @description How many items should have been taken or given back.
             */
            Wanted: number | null;
            /**
             * Format: int64
             * @description How many of them can be.
             */
            Possible: number | null;
            /** @description What the action had left there. */
            Expected: components["schemas"]["Scalar"] | null;
            /** @description What is there now. */
            Found: components["schemas"]["Scalar"] | null;
        };
        /**
         * UndoChange
         * @description One thing that an undo does.
         */
        UndoChange: {
            /** @enum {string} */
            What: "email" | "item" | "level" | "name" | "player" | "power" | "sheet" | "spell" | "user" | "variable";
            /**
             * Format: uuid
             * @description The item's, spell's or variable's id.
             */
            Id: string | null;
            /** @description The power's name. */
            Name: string | null;
            Place: string | null;
            /** Format: int64 */
            Slot: number | null;
            /**
             * Format: int64
             * @description How many came back, or were taken if negative.
             */
            Quantity: number | null;
            /** @description Of a variable, a power or an email, which is shown masked. */
            Before: components["schemas"]["Scalar"] | null;
            After: components["schemas"]["Scalar"] | null;
        };
        /**
         * UndoCounts
         * @description What became of the actions of one kind.
         */
        UndoCounts: {
            Kind: string;
            /**
             * Format: int64
             * @description Between the two instants, whether this call came to them or not.
             */
            Found: number;
            /** Format: int64 */
            Undone: number;
            /**
             * Format: int64
             * @description Only a part of it could be undone.
             */
            Partly: number;
            /**
             * Format: int64
             * @description Undone before.
             */
            AlreadyUndone: number;
            /**
             * Format: int64
             * @description The actor's undos of what is undone now itself: nothing is left to do.
             */
            Covered: number;
            /**
             * Format: int64
             * @description Not undone; `Left` says why.
             */
            Left: number;
        };
        /**
         * UndoFailure
         * @description An action that was not undone, or not all of it.
         */
        UndoFailure: {
            /** Format: uuid */
            Id: string;
            Kind: string;
            /** @description The code of the refusal, or `partly_undone`. */
            Code: string;
            Message: string;
            InTheWay: components["schemas"]["TradeBlocker"][];
        };
        /**
         * UndoRecipient
         * @description A character that received items.
         */
        UndoRecipient: {
            /**
             * Format: uuid
             * @description Null for items that were used up, sold, dropped or deposited.
             */
            PlayerId: string | null;
            /** @description Null if the character is erased, or without an id. */
            Name: string | null;
            Items: components["schemas"]["UndoRecipientItem"][];
            /** @description The actions not undone, or only in part; `Left` says why. */
            Conflicts: string[];
            /**
             * Format: int64
             * @description Actions and transactions; one with several recipients counts for each.
             */
            Found: number;
            /** Format: int64 */
            Undone: number;
            /** Format: int64 */
            Partly: number;
            /** Format: int64 */
            AlreadyUndone: number;
            /** Format: int64 */
            Left: number;
        };
        /**
         * UndoRecipientItem
         * @description How many of one item went to a recipient, and how many of them come back.
         */
        UndoRecipientItem: {
            /** Format: uuid */
            ItemId: string;
            /** @description Empty if the catalog no longer has the item. */
            ItemName: string;
            /**
             * Format: int64
             * @description How many the recipient received.
             */
            Quantity: number;
            /**
             * Format: int64
             * @description How many of them this undo gives back.
             */
            Returned: number;
        };
        /**
         * UndoResult
         * @description What an undo did or, in a dry run, would do.
         */
        UndoResult: {
            /**
             * Format: uuid
             * @description The undo's own id, by which it can be undone; null in a dry run.
             */
            Id: string | null;
            /**
             * Format: uuid
             * @description The action that was undone.
             */
            Undoes: string;
            /** @description Of the action that was undone. */
            Kind: string;
            /** Format: uuid */
            PlayerId: string | null;
            /** Format: uuid */
            UserId: string | null;
            DryRun: boolean;
            /** @description Whether all of it was undone; only with `partial` it may be false. */
            Complete: boolean;
            Done: components["schemas"]["UndoChange"][];
            NotDone: components["schemas"]["UndoBlocker"][];
        };
        /**
         * UndoTransaction
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        UndoTransaction: {
            /**
             * @description Whether only to say what would be done; nothing is written.
             * @default false
             */
            dryrun?: boolean;
            /** @description Why, for the log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /**
         * UndoneAction
         * @description What became of one action of a transaction.
         */
        UndoneAction: {
            /**
             * Format: uuid
             * @description The undo action in the log; null in a dry run.
             */
            Id: string | null;
            /**
             * Format: uuid
             * @description The action that was undone.
             */
            Undoes: string;
            /** @description Of the action that was undone. */
            Kind: string;
            /** Format: uuid */
            PlayerId: string | null;
            PlayerName: string | null;
            Done: components["schemas"]["UndoChange"][];
        };
        /**
         * UndoneTransaction
         * @description What the undo of a transaction did or, in a dry run, would do.
         */
        UndoneTransaction: {
            /**
             * Format: uuid
             * @description The undo's own id as a transaction, by which it can be undone; null in a dry run.
             */
            Id: string | null;
            /**
             * Format: uuid
             * @description The transaction that was undone.
             */
            Undoes: string;
            DryRun: boolean;
            Players: components["schemas"]["Party"][];
            /** @description What was done about each of its actions that was in effect. */
            Actions: components["schemas"]["UndoneAction"][];
        };
        /**
         * UsedAddress
         * @description An address that an account signed in from in the last month.
         */
        UsedAddress: {
            /** @description An address; of IPv6, the /64 that it is in. */
            Ip: string;
            /**
             * Format: date-time
             * @description The last sign-in from there.
             */
            LastUsed: string;
            /** @description Other accounts that signed in from there, their names by id. */
            OtherUsers: {
                [key: string]: string;
            };
        };
        /** UsedAddressPage */
        UsedAddressPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["UsedAddress"][];
        };
        /** User */
        User: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @description In full to callers that may see personal information, else masked. */
            Email: string;
            Power: components["schemas"]["Power"];
            /** @description Always null: it is a secret. */
            PasswordResetCode: string | null;
            IsMuted: boolean;
            /** @description The text that the player reads; the reason for staff is in the sanction. */
            MuteReason: string | null;
            IsBanned: boolean;
            /** Format: date-time */
            RegistrationDate: string;
            /**
             * Format: int64
             * @description Of all the characters it has, together.
             */
            PlayTimeSeconds: number;
        };
        /**
         * UserHits
         * @description Accounts whose names match; then, for callers that see emails, those whose emails do.
         */
        UserHits: {
            Values: components["schemas"]["User"][];
            /** @description Whether there are more than these. */
            More: boolean;
        };
        /** UserPage */
        UserPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["User"][];
        };
        /** UserVariable */
        UserVariable: {
            /** Format: uuid */
            VariableId: string;
            Value: components["schemas"]["Scalar"];
            VariableName: string;
        };
        /**
         * ValidatePassword
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        ValidatePassword: {
            /** @description SHA-256 of the password: 64 hexadecimal digits, no hyphens, in any letter case. */
            password: string;
        };
        /**
         * VariableEntry
         * @description A variable of the catalog.
         */
        VariableEntry: {
            /** Format: uuid */
            Id: string;
            Name: string;
            /** @enum {string} */
            Type: "boolean" | "integer" | "number" | "string";
            /**
             * @description Whose values it has: each character, account (`user`) or guild, or `game`: one value for all.
             * @enum {string}
             */
            Owner: "game" | "guild" | "player" | "user";
            /** @description The value for those for whom it was never set. */
            Default: components["schemas"]["Scalar"];
        };
        /** VariableEntryPage */
        VariableEntryPage: {
            /** Format: int64 */
            Total: number;
            /** Format: int64 */
            Page: number;
            /** Format: int64 */
            PageSize: number;
            /** Format: int64 */
            Count: number;
            Values: components["schemas"]["VariableEntry"][];
        };
        /** VariableValue */
        VariableValue: {
            value: components["schemas"]["Scalar"];
        };
        /**
         * VisitBank
         * @description Keys match in any letter case; unknown ones are ignored.
         */
        VisitBank: {
            /**
             * Format: int32
             * @description The fencing number that came with the lease.
             */
            fence: number;
            /** @description Whose bank window is open now. JSON bodies only. */
            opened?: string[];
            /** @description Whose bank window is closed now. JSON bodies only. */
            closed?: string[];
            /** @description Why, for the audit log; the header `X-Reason` says it too. */
            reason?: string;
        };
        /** Webhook */
        Webhook: {
            /** Format: uuid */
            Id: string;
            Url: string;
            /** @description Null: all. */
            Kinds: string[] | null;
            Enabled: boolean;
            /** @description Why nothing is sent, if nothing is; `owner_revoked`, `owner_expired` or `owner_not_permitted` if its owner may have it no longer. */
            OffReason: string | null;
            /**
             * Format: date-time
             * @description Since when nothing arrives.
             */
            FailingSince: string | null;
            /**
             * Format: date-time
             * @description When the oldest that did not arrive is tried again.
             */
            RetryAt: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before this one signs too.
             */
            OldSecretUntil: string | null;
            /** Format: date-time */
            CreatedAt: string;
            /** @description The key or the staff member it belongs to, `key:<id>` or `user:<id>`; null: made before there were owners. */
            Owner: string | null;
            /** @description What that key or staff member is called. */
            OwnerName: string | null;
        };
        /**
         * WebhookWithSecret
         * @description A webhook whose secret was made just now.
         */
        WebhookWithSecret: {
            /** Format: uuid */
            Id: string;
            Url: string;
            /** @description Null: all. */
            Kinds: string[] | null;
            Enabled: boolean;
            /** @description Why nothing is sent, if nothing is; `owner_revoked`, `owner_expired` or `owner_not_permitted` if its owner may have it no longer. */
            OffReason: string | null;
            /**
             * Format: date-time
             * @description Since when nothing arrives.
             */
            FailingSince: string | null;
            /**
             * Format: date-time
             * @description When the oldest that did not arrive is tried again.
             */
            RetryAt: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before this one signs too.
             */
            OldSecretUntil: string | null;
            /** Format: date-time */
            CreatedAt: string;
            /** @description The key or the staff member it belongs to, `key:<id>` or `user:<id>`; null: made before there were owners. */
            Owner: string | null;
            /** @description What that key or staff member is called. */
            OwnerName: string | null;
            /** @description Shown this once: `whsec_` and base64. Null if the request was carried out before under its `Idempotency-Key`; then have a new one made. */
            Secret: string | null;
        };
        /** Webhooks */
        Webhooks: {
            Values: components["schemas"]["Webhook"][];
        };
        /**
         * Whoami
         * @description The caller, and what it may do.
         */
        Whoami: {
            /** @description As in the audit log: `key:` or `user:`, and an id. */
            Id: string;
            /**
             * @description What it came with: an API `key`, the `token` of an account, or the `session` of a browser.
             * @enum {string}
             */
            Kind: "key" | "session" | "token";
            Name: string;
            /**
             * Format: uuid
             * @description The account; null for a key.
             */
            UserId: string | null;
            /** @description Of a session only: with a token, an account has its powers and no roles. */
            Roles: string[];
            /** @description All that there are, for a key that may do everything. */
            Scopes: string[];
            Limits: components["schemas"]["LimitsRecord"];
            /** @description Null unless it came with a session. */
            Session: components["schemas"]["SessionFacts"] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ActionCount = components['schemas']['ActionCount'];
export type ActionHours = components['schemas']['ActionHours'];
export type ActionItem = components['schemas']['ActionItem'];
export type Activity = components['schemas']['Activity'];
export type ActivityPage = components['schemas']['ActivityPage'];
export type AddedFactor = components['schemas']['AddedFactor'];
export type AdminActionBody = components['schemas']['AdminActionBody'];
export type Alert = components['schemas']['Alert'];
export type AnswerBody = components['schemas']['AnswerBody'];
export type AnswerCommand = components['schemas']['AnswerCommand'];
export type AnswerCommands = components['schemas']['AnswerCommands'];
export type AnswerOutcome = components['schemas']['AnswerOutcome'];
export type AnswerOutcomes = components['schemas']['AnswerOutcomes'];
export type AnsweredCommand = components['schemas']['AnsweredCommand'];
export type ApiInfo = components['schemas']['ApiInfo'];
export type ApiPower = components['schemas']['ApiPower'];
export type Appeal = components['schemas']['Appeal'];
export type AppealOutcome = components['schemas']['AppealOutcome'];
export type AppealPage = components['schemas']['AppealPage'];
export type AppealStatus = components['schemas']['AppealStatus'];
export type Approval = components['schemas']['Approval'];
export type ApprovalPage = components['schemas']['ApprovalPage'];
export type AssertionBody = components['schemas']['AssertionBody'];
export type AuditLogEntry = components['schemas']['AuditLogEntry'];
export type AuditLogPage = components['schemas']['AuditLogPage'];
export type Authorized = components['schemas']['Authorized'];
export type Bag = components['schemas']['Bag'];
export type BankedItems = components['schemas']['BankedItems'];
export type BrowserSessionRecord = components['schemas']['BrowserSessionRecord'];
export type BrowserSessionRecordPage = components['schemas']['BrowserSessionRecordPage'];
export type BulkUndoResult = components['schemas']['BulkUndoResult'];
export type CarriedItems = components['schemas']['CarriedItems'];
export type ChainState = components['schemas']['ChainState'];
export type ChangeClass = components['schemas']['ChangeClass'];
export type ChangeEmail = components['schemas']['ChangeEmail'];
export type ChangePassword = components['schemas']['ChangePassword'];
export type ChangeRole = components['schemas']['ChangeRole'];
export type ChangeWebhook = components['schemas']['ChangeWebhook'];
export type ChangedUser = components['schemas']['ChangedUser'];
export type ChatColor = components['schemas']['ChatColor'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type ClassEntry = components['schemas']['ClassEntry'];
export type ClassEntryPage = components['schemas']['ClassEntryPage'];
export type CodeBody = components['schemas']['CodeBody'];
export type CommittedTransaction = components['schemas']['CommittedTransaction'];
export type CompleteReset = components['schemas']['CompleteReset'];
export type CreateGuild = components['schemas']['CreateGuild'];
export type CreateKey = components['schemas']['CreateKey'];
export type CreatePlayer = components['schemas']['CreatePlayer'];
export type CreateRole = components['schemas']['CreateRole'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type CreatedKey = components['schemas']['CreatedKey'];
export type DecideAppeal = components['schemas']['DecideAppeal'];
export type DecisionBody = components['schemas']['DecisionBody'];
export type DeletePlayer = components['schemas']['DeletePlayer'];
export type Deliveries = components['schemas']['Deliveries'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryDetail = components['schemas']['DeliveryDetail'];
export type EndedSessions = components['schemas']['EndedSessions'];
export type EndedSignIn = components['schemas']['EndedSignIn'];
export type EndedSignIns = components['schemas']['EndedSignIns'];
export type EndedToken = components['schemas']['EndedToken'];
export type EndedTokens = components['schemas']['EndedTokens'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventEntries = components['schemas']['EventEntries'];
export type EventEntry = components['schemas']['EventEntry'];
export type Exceeded = components['schemas']['Exceeded'];
export type ExpectedPosition = components['schemas']['ExpectedPosition'];
export type FactorRecord = components['schemas']['FactorRecord'];
export type Factors = components['schemas']['Factors'];
export type Failure = components['schemas']['Failure'];
export type FenceBody = components['schemas']['FenceBody'];
export type FetchCommands = components['schemas']['FetchCommands'];
export type FetchedCommand = components['schemas']['FetchedCommand'];
export type FetchedCommands = components['schemas']['FetchedCommands'];
export type FindAppealStatus = components['schemas']['FindAppealStatus'];
export type Flow = components['schemas']['Flow'];
export type FoundAction = components['schemas']['FoundAction'];
export type FoundItem = components['schemas']['FoundItem'];
export type FoundPlayer = components['schemas']['FoundPlayer'];
export type FoundSanction = components['schemas']['FoundSanction'];
export type FoundTransaction = components['schemas']['FoundTransaction'];
export type FoundUser = components['schemas']['FoundUser'];
export type GameCommand = components['schemas']['GameCommand'];
export type GameCommandPage = components['schemas']['GameCommandPage'];
export type GameConfig = components['schemas']['GameConfig'];
export type GameInfo = components['schemas']['GameInfo'];
export type GameOverview = components['schemas']['GameOverview'];
export type GameStats = components['schemas']['GameStats'];
export type GameVariable = components['schemas']['GameVariable'];
export type GameVariablePage = components['schemas']['GameVariablePage'];
export type GiveItem = components['schemas']['GiveItem'];
export type GivenItem = components['schemas']['GivenItem'];
export type Guild = components['schemas']['Guild'];
export type GuildActivity = components['schemas']['GuildActivity'];
export type GuildActivityPage = components['schemas']['GuildActivityPage'];
export type GuildCount = components['schemas']['GuildCount'];
export type GuildCountPage = components['schemas']['GuildCountPage'];
export type GuildMember = components['schemas']['GuildMember'];
export type GuildMemberPage = components['schemas']['GuildMemberPage'];
export type GuildVariable = components['schemas']['GuildVariable'];
export type GuildVariableValue = components['schemas']['GuildVariableValue'];
export type HandedOn = components['schemas']['HandedOn'];
export type Health = components['schemas']['Health'];
export type HeldRole = components['schemas']['HeldRole'];
export type Holder = components['schemas']['Holder'];
export type Holding = components['schemas']['Holding'];
export type ImposeSanction = components['schemas']['ImposeSanction'];
export type ImposedSanction = components['schemas']['ImposedSanction'];
export type ItemChange = components['schemas']['ItemChange'];
export type ItemChanges = components['schemas']['ItemChanges'];
export type ItemEconomy = components['schemas']['ItemEconomy'];
export type ItemEntry = components['schemas']['ItemEntry'];
export type ItemEntryPage = components['schemas']['ItemEntryPage'];
export type ItemMovement = components['schemas']['ItemMovement'];
export type ItemMovements = components['schemas']['ItemMovements'];
export type ItemOwner = components['schemas']['ItemOwner'];
export type ItemSupply = components['schemas']['ItemSupply'];
export type ItemSupplyPage = components['schemas']['ItemSupplyPage'];
export type JoinGuild = components['schemas']['JoinGuild'];
export type JoinResult = components['schemas']['JoinResult'];
export type JoinedPlayer = components['schemas']['JoinedPlayer'];
export type JsonObjectPage = components['schemas']['JsonObjectPage'];
export type KeyLimits = components['schemas']['KeyLimits'];
export type KeyRecord = components['schemas']['KeyRecord'];
export type KeyRecordPage = components['schemas']['KeyRecordPage'];
export type KeyScopes = components['schemas']['KeyScopes'];
export type KnownSpell = components['schemas']['KnownSpell'];
export type LadderStepShown = components['schemas']['LadderStepShown'];
export type Lease = components['schemas']['Lease'];
export type LedgerPosition = components['schemas']['LedgerPosition'];
export type LegacyGameVariablePage = components['schemas']['LegacyGameVariablePage'];
export type LegacyGuildCountPage = components['schemas']['LegacyGuildCountPage'];
export type LegacyObjectEntryPage = components['schemas']['LegacyObjectEntryPage'];
export type LegacyPaging = components['schemas']['LegacyPaging'];
export type LegacyPlayerPage = components['schemas']['LegacyPlayerPage'];
export type LegacyUserPage = components['schemas']['LegacyUserPage'];
export type LiftSanction = components['schemas']['LiftSanction'];
export type LimitsBody = components['schemas']['LimitsBody'];
export type LimitsRecord = components['schemas']['LimitsRecord'];
export type LinkBody = components['schemas']['LinkBody'];
export type LoggedMessage = components['schemas']['LoggedMessage'];
export type LoggedMessagePage = components['schemas']['LoggedMessagePage'];
export type ManageEmail = components['schemas']['ManageEmail'];
export type ManagePassword = components['schemas']['ManagePassword'];
export type Message = components['schemas']['Message'];
export type Moment = components['schemas']['Moment'];
export type Moments = components['schemas']['Moments'];
export type MoveBankItems = components['schemas']['MoveBankItems'];
export type MoveBody = components['schemas']['MoveBody'];
export type Newcomers = components['schemas']['Newcomers'];
export type ObjectEntry = components['schemas']['ObjectEntry'];
export type ObjectNames = components['schemas']['ObjectNames'];
export type ObjectPaging = components['schemas']['ObjectPaging'];
export type OnlineCount = components['schemas']['OnlineCount'];
export type OnlineHistory = components['schemas']['OnlineHistory'];
export type OnlineNow = components['schemas']['OnlineNow'];
export type OnlinePoint = components['schemas']['OnlinePoint'];
export type OnlineSample = components['schemas']['OnlineSample'];
export type Party = components['schemas']['Party'];
export type PasskeyBody = components['schemas']['PasskeyBody'];
export type PasskeyOptions = components['schemas']['PasskeyOptions'];
export type PasswordResetStatus = components['schemas']['PasswordResetStatus'];
export type PlayedDay = components['schemas']['PlayedDay'];
export type PlayedDays = components['schemas']['PlayedDays'];
export type Player = components['schemas']['Player'];
export type PlayerHits = components['schemas']['PlayerHits'];
export type PlayerLimits = components['schemas']['PlayerLimits'];
export type PlayerPage = components['schemas']['PlayerPage'];
export type PlayerVariable = components['schemas']['PlayerVariable'];
export type PlayersOfServer = components['schemas']['PlayersOfServer'];
export type Posting = components['schemas']['Posting'];
export type Power = components['schemas']['Power'];
export type PresenceResult = components['schemas']['PresenceResult'];
export type PutTemplate = components['schemas']['PutTemplate'];
export type Readiness = components['schemas']['Readiness'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type RefusedJoin = components['schemas']['RefusedJoin'];
export type Register = components['schemas']['Register'];
export type RegisterServer = components['schemas']['RegisterServer'];
export type RegisteredUser = components['schemas']['RegisteredUser'];
export type RenameGuild = components['schemas']['RenameGuild'];
export type RenamePlayer = components['schemas']['RenamePlayer'];
export type RenameUser = components['schemas']['RenameUser'];
export type ReplayDeliveries = components['schemas']['ReplayDeliveries'];
export type ReplayResult = components['schemas']['ReplayResult'];
export type ReportChat = components['schemas']['ReportChat'];
export type ResetFactors = components['schemas']['ResetFactors'];
export type RestoreItems = components['schemas']['RestoreItems'];
export type RestoreResult = components['schemas']['RestoreResult'];
export type RestoreSlot = components['schemas']['RestoreSlot'];
export type RestoredItem = components['schemas']['RestoredItem'];
export type Restriction = components['schemas']['Restriction'];
export type RevokeRequest = components['schemas']['RevokeRequest'];
export type RoleRecord = components['schemas']['RoleRecord'];
export type RoleRecordPage = components['schemas']['RoleRecordPage'];
export type SaidBody = components['schemas']['SaidBody'];
export type Sanction = components['schemas']['Sanction'];
export type SanctionTemplate = components['schemas']['SanctionTemplate'];
export type SanctionTemplates = components['schemas']['SanctionTemplates'];
export type Sanctions = components['schemas']['Sanctions'];
export type Scalar = components['schemas']['Scalar'];
export type ScopeInWords = components['schemas']['ScopeInWords'];
export type SearchResult = components['schemas']['SearchResult'];
export type SendChat = components['schemas']['SendChat'];
export type SendCommand = components['schemas']['SendCommand'];
export type SendPlayerCommand = components['schemas']['SendPlayerCommand'];
export type SentChat = components['schemas']['SentChat'];
export type SentDirectChat = components['schemas']['SentDirectChat'];
export type SentProximityChat = components['schemas']['SentProximityChat'];
export type Server = components['schemas']['Server'];
export type ServerCurve = components['schemas']['ServerCurve'];
export type ServerPage = components['schemas']['ServerPage'];
export type ServersNow = components['schemas']['ServersNow'];
export type Session = components['schemas']['Session'];
export type SessionFacts = components['schemas']['SessionFacts'];
export type SessionStatus = components['schemas']['SessionStatus'];
export type Sessions = components['schemas']['Sessions'];
export type SetGuildRank = components['schemas']['SetGuildRank'];
export type SetGuildVariable = components['schemas']['SetGuildVariable'];
export type SetLevel = components['schemas']['SetLevel'];
export type SetVariable = components['schemas']['SetVariable'];
export type Sheet = components['schemas']['Sheet'];
export type SheetBody = components['schemas']['SheetBody'];
export type SignInBody = components['schemas']['SignInBody'];
export type SignInRecord = components['schemas']['SignInRecord'];
export type SignIns = components['schemas']['SignIns'];
export type SignedOut = components['schemas']['SignedOut'];
export type Slot = components['schemas']['Slot'];
export type SpellEntry = components['schemas']['SpellEntry'];
export type SpellEntryPage = components['schemas']['SpellEntryPage'];
export type SpellLearned = components['schemas']['SpellLearned'];
export type SpellLesson = components['schemas']['SpellLesson'];
export type StaffMember = components['schemas']['StaffMember'];
export type StaffMemberPage = components['schemas']['StaffMemberPage'];
export type StoppedServer = components['schemas']['StoppedServer'];
export type StoredMessages = components['schemas']['StoredMessages'];
export type SubmitAppeal = components['schemas']['SubmitAppeal'];
export type SupplyChange = components['schemas']['SupplyChange'];
export type SupplyChanges = components['schemas']['SupplyChanges'];
export type TakeItem = components['schemas']['TakeItem'];
export type TakenItem = components['schemas']['TakenItem'];
export type TemplateStep = components['schemas']['TemplateStep'];
export type Timeline = components['schemas']['Timeline'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type TokenAnswer = components['schemas']['TokenAnswer'];
export type TokenRefusal = components['schemas']['TokenRefusal'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type TokenRevocation = components['schemas']['TokenRevocation'];
export type TotpBody = components['schemas']['TotpBody'];
export type TotpConfirmation = components['schemas']['TotpConfirmation'];
export type TotpEnrolment = components['schemas']['TotpEnrolment'];
export type Trade = components['schemas']['Trade'];
export type TradeBlocker = components['schemas']['TradeBlocker'];
export type TradePage = components['schemas']['TradePage'];
export type TradedItem = components['schemas']['TradedItem'];
export type Trail = components['schemas']['Trail'];
export type TrailHolder = components['schemas']['TrailHolder'];
export type TransactionBody = components['schemas']['TransactionBody'];
export type TransactionOutcome = components['schemas']['TransactionOutcome'];
export type TransactionOutcomes = components['schemas']['TransactionOutcomes'];
export type TransactionRecord = components['schemas']['TransactionRecord'];
export type Transactions = components['schemas']['Transactions'];
export type Transfer = components['schemas']['Transfer'];
export type UndoAction = components['schemas']['UndoAction'];
export type UndoActor = components['schemas']['UndoActor'];
export type UndoBlocker = components['schemas']['UndoBlocker'];
export type UndoChange = components['schemas']['UndoChange'];
export type UndoCounts = components['schemas']['UndoCounts'];
export type UndoFailure = components['schemas']['UndoFailure'];
export type UndoRecipient = components['schemas']['UndoRecipient'];
export type UndoRecipientItem = components['schemas']['UndoRecipientItem'];
export type UndoResult = components['schemas']['UndoResult'];
export type UndoTransaction = components['schemas']['UndoTransaction'];
export type UndoneAction = components['schemas']['UndoneAction'];
export type UndoneTransaction = components['schemas']['UndoneTransaction'];
export type UsedAddress = components['schemas']['UsedAddress'];
export type UsedAddressPage = components['schemas']['UsedAddressPage'];
export type User = components['schemas']['User'];
export type UserHits = components['schemas']['UserHits'];
export type UserPage = components['schemas']['UserPage'];
export type UserVariable = components['schemas']['UserVariable'];
export type ValidatePassword = components['schemas']['ValidatePassword'];
export type VariableEntry = components['schemas']['VariableEntry'];
export type VariableEntryPage = components['schemas']['VariableEntryPage'];
export type VariableValue = components['schemas']['VariableValue'];
export type VisitBank = components['schemas']['VisitBank'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Webhooks = components['schemas']['Webhooks'];
export type Whoami = components['schemas']['Whoami'];
export type $defs = Record<string, never>;
export interface operations {
    get_api_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiInfo"];
                };
            };
        };
    };
    list_api_versions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    list_actions: {
        parameters: {
            query?: {
                /** @description Only what this one did: `key:<id>`, `user:<id>`, `cli:<name>` or `system`; or a name, for all who have it: an account, a key, somebody at the command line. */
                actor?: string;
                /** @description Only what was done to this character: its name or id. */
                player?: string;
                /** @description Only what was done to this account: its name or id. */
                user?: string;
                /** @description Only actions of this kind, `items.give` for example. */
                kind?: string;
                /** @description Only what was done with this item: its id. */
                item?: string;
                /** @description Only actions whose reason contains this, in any letter case; at most 100 characters. */
                reason?: string;
                /** @description Only what was done at this instant or later, `2026-03-14T18:00:00Z` for example. */
                from?: string;
                /** @description Only what was done at this instant or earlier. */
                to?: string;
                /** @description Go on where a list ended: the `Next` of its answer. */
                cursor?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
                /** @description Whether to show names beside the ids of items and characters, and of accounts for callers with the scope `users.query`. */
                names?: boolean;
                /** @description Whether to show how many of each item came and went by each action, as `Items`. */
                items?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogPage"];
                };
            };
        };
    };
    export_actions: {
        parameters: {
            query?: {
                /** @description Only what this one did: `key:<id>`, `user:<id>`, `cli:<name>` or `system`; or a name, for all who have it: an account, a key, somebody at the command line. */
                actor?: string;
                /** @description Only what was done to this character: its name or id. */
                player?: string;
                /** @description Only what was done to this account: its name or id. */
                user?: string;
                /** @description Only actions of this kind, `items.give` for example. */
                kind?: string;
                /** @description Only what was done with this item: its id. */
                item?: string;
                /** @description Only actions whose reason contains this, in any letter case; at most 100 characters. */
                reason?: string;
                /** @description Only what was done at this instant or later, `2026-03-14T18:00:00Z` for example. */
                from?: string;
                /** @description Only what was done at this instant or earlier. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    undo_actor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UndoActor"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkUndoResult"];
                };
            };
        };
    };
    get_action: {
        parameters: {
            query?: {
                /** @description Whether to show names beside the ids of items and characters, and of accounts for callers with the scope `users.query`. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description The action's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogEntry"];
                };
            };
        };
    };
    undo_action: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The action's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UndoAction"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoResult"];
                };
            };
        };
    };
    list_appeals: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only these: `open`, `lifted`, `kept`, or `closed` because the sanction was over before anybody decided. */
                state?: "open" | "lifted" | "kept" | "closed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppealPage"];
                };
            };
        };
    };
    submit_appeal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitAppeal"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppealStatus"];
                };
            };
        };
    };
    find_appeal_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindAppealStatus"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppealStatus"];
                };
            };
        };
    };
    get_appeal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The appeal's id, from the queue. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Appeal"];
                };
            };
        };
    };
    decide_appeal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The appeal's id, from the queue. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideAppeal"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Appeal"];
                };
            };
        };
    };
    list_approvals: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only requests in this state: `pending`, `approved`, `rejected` or `expired`. */
                state?: "pending" | "approved" | "rejected" | "expired";
                /** @description Whether to show the name of the character a change is about, and of the account for callers with the scope `users.query`. */
                names?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
        };
    };
    get_approval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request for approval. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approve_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request for approval. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    reject_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request for approval. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DecisionBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    list_catalog_classes: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that contain this, in any letter case; 2 to 64 characters. */
                search?: string;
                /** @description Only these: at most 100 ids, separated by commas. Unknown ones are left out. */
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassEntryPage"];
                };
            };
        };
    };
    get_catalog_class: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The class's id. */
                class_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassEntry"];
                };
            };
        };
    };
    list_catalog_items: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that contain this, in any letter case; 2 to 64 characters. */
                search?: string;
                /** @description Only these: at most 100 ids, separated by commas. Unknown ones are left out. */
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemEntryPage"];
                };
            };
        };
    };
    get_catalog_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemEntry"];
                };
            };
        };
    };
    get_catalog_icon: {
        parameters: {
            query?: {
                /** @description The beginning of the picture's SHA-256, as in the item's `Icon`: then the answer may be kept for good. */
                v?: string;
            };
            header?: never;
            path: {
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": Blob;
                };
            };
        };
    };
    list_catalog_spells: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that contain this, in any letter case; 2 to 64 characters. */
                search?: string;
                /** @description Only these: at most 100 ids, separated by commas. Unknown ones are left out. */
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpellEntryPage"];
                };
            };
        };
    };
    get_catalog_spell: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The spell's id. */
                spell_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpellEntry"];
                };
            };
        };
    };
    list_catalog_variables: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that contain this, in any letter case; 2 to 64 characters. */
                search?: string;
                /** @description Only these: at most 100 ids, separated by commas. Unknown ones are left out. */
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableEntryPage"];
                };
            };
        };
    };
    get_catalog_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The variable's id. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableEntry"];
                };
            };
        };
    };
    send_chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendChat"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentChat"];
                };
            };
        };
    };
    send_direct_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a character that is online, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendChat"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentDirectChat"];
                };
            };
        };
    };
    send_global_chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendChat"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentChat"];
                };
            };
        };
    };
    send_proximity_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The map's id. */
                map_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendChat"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentProximityChat"];
                };
            };
        };
    };
    get_command: {
        parameters: {
            query?: {
                /** @description Hold the response back until the command is done, failed or expired, at most so many seconds; 30 at most. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The command's id. */
                command_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameCommand"];
                };
            };
        };
    };
    list_economy: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemSupplyPage"];
                };
            };
        };
    };
    get_economy: {
        parameters: {
            query?: {
                /** @description How many, 1 to 366, today included; out of range, the nearest is taken. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemEconomy"];
                };
            };
        };
    };
    list_item_movements: {
        parameters: {
            query?: {
                /** @description How many days, 1 to 92, including today. */
                days?: number;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemMovements"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description Go on after this event: the `Next` of a page, or the last `Seq`. `latest` begins with what happens from now on; without it, the oldest event still told is the first. A header `Last-Event-ID` counts more. */
                after?: string;
                /** @description Only events of these kinds, with commas: `items.give,items.take`. */
                kinds?: string;
                /** @description Only what is done to this character: its name or id. */
                player?: string;
                /** @description Only what is done to the characters on this game server: its id. */
                server?: string;
                /** @description How many seconds to wait for something to tell, 0 to 30. */
                wait?: number;
                /** @description How many, 1 to 1000; out of range, the nearest is taken. */
                limit?: number;
                /** @description Whether to show names beside the ids of items and characters, and of accounts for callers with the scope `users.query`. */
                names?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventEntries"];
                };
            };
        };
    };
    get_day_cycle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    list_game_objects: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many on a page, 5 to 100. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `animation`, `class`, `crafts`, `crafttables`, `event`, `guildvariable`, `item`, `map`, `npc`, `playervariable`, `projectile`, `quest`, `resource`, `servervariable`, `shop`, `spell`, `tileset` or `uservariable`, in any letter case. */
                object_type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonObjectPage"];
                };
            };
        };
    };
    list_game_objects_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `animation`, `class`, `crafts`, `crafttables`, `event`, `guildvariable`, `item`, `map`, `npc`, `playervariable`, `projectile`, `quest`, `resource`, `servervariable`, `shop`, `spell`, `tileset` or `uservariable`, in any letter case. */
                object_type: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ObjectPaging"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegacyObjectEntryPage"];
                };
            };
        };
    };
    list_game_object_names: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `animation`, `class`, `crafts`, `crafttables`, `event`, `guildvariable`, `item`, `map`, `npc`, `playervariable`, `projectile`, `quest`, `resource`, `servervariable`, `shop`, `spell`, `tileset` or `uservariable`, in any letter case. */
                object_type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectNames"];
                };
            };
        };
    };
    list_game_object_names_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `animation`, `class`, `crafts`, `crafttables`, `event`, `guildvariable`, `item`, `map`, `npc`, `playervariable`, `projectile`, `quest`, `resource`, `servervariable`, `shop`, `spell`, `tileset` or `uservariable`, in any letter case. */
                object_type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
        };
    };
    get_game_object: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `animation`, `class`, `crafts`, `crafttables`, `event`, `guildvariable`, `item`, `map`, `npc`, `playervariable`, `projectile`, `quest`, `resource`, `servervariable`, `shop`, `spell`, `tileset` or `uservariable`, in any letter case. */
                object_type: string;
                /** @description The object's id. */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    list_guilds: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that begin with this or, if none does, contain it or, if none does, resemble it; 2 to 64 characters. */
                search?: string;
                /** @description Guilds: `name`, `foundingdate` or `members`. Members: `name`, `level` or `guildrank`. Anything else is the name. */
                sortBy?: string;
                /** @description `Ascending` or `Descending`. */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuildCountPage"];
                };
            };
        };
    };
    list_guilds_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LegacyPaging"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegacyGuildCountPage"];
                };
            };
        };
    };
    delete_guild_by_query: {
        parameters: {
            query?: {
                /** @description Whether what is in the bank may be lost. */
                force?: boolean;
                /** @description The guild's id. */
                id?: string;
                /** @description The same as `id`. */
                guildId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guild"];
                };
            };
        };
    };
    create_guild: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGuild"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guild"];
                };
            };
        };
    };
    get_guild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guild"];
                };
            };
        };
    };
    delete_guild: {
        parameters: {
            query?: {
                /** @description Whether what is in the bank may be lost. */
                force?: boolean;
            };
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guild"];
                };
            };
        };
    };
    list_guild_bank: {
        parameters: {
            query?: {
                /** @description Whether to show the names of items too. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Slot"][];
                };
            };
        };
    };
    deposit_to_guild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveBankItems"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankedItems"];
                };
            };
        };
    };
    withdraw_from_guild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveBankItems"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankedItems"];
                };
            };
        };
    };
    kick_guild_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    list_guild_members: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that begin with this or, if none does, contain it or, if none does, resemble it; 2 to 64 characters. */
                search?: string;
                /** @description Guilds: `name`, `foundingdate` or `members`. Members: `name`, `level` or `guildrank`. Anything else is the name. */
                sortBy?: string;
                /** @description `Ascending` or `Descending`. */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuildMemberPage"];
                };
            };
        };
    };
    add_guild_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JoinGuild"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    remove_guild_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    rename_guild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameGuild"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guild"];
                };
            };
        };
    };
    set_guild_rank: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetGuildRank"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    transfer_guild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    list_guild_variables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuildVariable"][];
                };
            };
        };
    };
    get_guild_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description The variable's id. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuildVariable"];
                };
            };
        };
    };
    set_guild_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description The variable's id. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetGuildVariable"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuildVariable"];
                };
            };
        };
    };
    get_guild_variable_value: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
                /** @description The variable's id. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuildVariableValue"];
                };
            };
        };
    };
    get_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameInfo"];
                };
            };
        };
    };
    get_authorized: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Authorized"];
                };
            };
        };
    };
    get_config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameConfig"];
                };
            };
        };
    };
    list_stat_names: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    get_game_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    get_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameStats"];
                };
            };
        };
    };
    list_keys: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only keys in this state: `live`, `expired` or `revoked`. */
                state?: "live" | "expired" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRecordPage"];
                };
            };
        };
    };
    create_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKey"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
        };
    };
    list_key_scopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyScopes"];
                };
            };
        };
    };
    get_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRecord"];
                };
            };
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRecord"];
                };
            };
        };
    };
    list_chat: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
                /** @description 0 local, 1 party, 2 global, 3 pm, 4 admin, 5 guild. */
                messageType?: number;
                /** @description Only what this account's characters said. */
                userId?: string;
                /** @description Only what this character said. */
                playerId?: string;
                /** @description What was said to this guild. */
                guildId?: string;
                /** @description A part of the message, in any letter case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedMessagePage"];
                };
            };
        };
    };
    list_guild_activity: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path: {
                /** @description The guild's id. */
                guild_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuildActivityPage"];
                };
            };
        };
    };
    list_player_activity: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                player: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityPage"];
                };
            };
        };
    };
    list_private_messages: {
        parameters: {
            query: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
                /** @description The id of one of the two characters. */
                player1Id: string;
                /** @description The id of the other one. */
                player2Id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedMessagePage"];
                };
            };
        };
    };
    list_trades: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
                /** @description Only trades of this account's characters. */
                userId?: string;
                /** @description Only trades of this character. */
                playerId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradePage"];
                };
            };
        };
    };
    list_user_activity: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityPage"];
                };
            };
        };
    };
    list_user_addresses: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsedAddressPage"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Whoami"];
                };
            };
        };
    };
    list_factors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factors"];
                };
            };
        };
    };
    add_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedFactor"];
                };
            };
        };
    };
    begin_passkey_enrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    begin_totp_enrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TotpBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpEnrolment"];
                };
            };
        };
    };
    confirm_totp_enrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpConfirmation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedFactor"];
                };
            };
        };
    };
    remove_factor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The second factor's id. */
                factor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorRecord"];
                };
            };
        };
    };
    make_recovery_codes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    list_own_sessions: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSessionRecordPage"];
                };
            };
        };
    };
    end_other_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
        };
    };
    end_own_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
        };
    };
    get_overview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameOverview"];
                };
            };
        };
    };
    list_players: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that begin with this or, if none does, contain it or, if none does, resemble it; 2 to 64 characters. */
                search?: string;
                /** @description The order: `name`; of characters also `level`, `creationdate` or `playtime`; of those online also `level` or `onlinetime`; of accounts also `registrationdate`, and `email` for callers who see emails. Anything else is `name`. */
                sortBy?: string;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerPage"];
                };
            };
        };
    };
    list_players_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LegacyPaging"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegacyPlayerPage"];
                };
            };
        };
    };
    get_bag: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description The bag's id, from the `BagId` of an inventory slot. */
                bag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bag"];
                };
            };
        };
    };
    follow_bag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The bag's id, from the `BagId` of an inventory slot. */
                bag_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trail"];
                };
            };
        };
    };
    list_online_players: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that begin with this or, if none does, contain it or, if none does, resemble it; 2 to 64 characters. */
                search?: string;
                /** @description The order: `name`; of characters also `level`, `creationdate` or `playtime`; of those online also `level` or `onlinetime`; of accounts also `registrationdate`, and `email` for callers who see emails. Anything else is `name`. */
                sortBy?: string;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerPage"];
                };
            };
        };
    };
    list_online_players_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LegacyPaging"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegacyPlayerPage"];
                };
            };
        };
    };
    count_online_players: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnlineCount"];
                };
            };
        };
    };
    list_online_history: {
        parameters: {
            query?: {
                /** @description `minute` (kept for 8 days), `hour` (2 years) or `day` (always). */
                span?: string;
                /** @description The first instant, `2026-03-14T18:00:00Z` for example. */
                from?: string;
                /** @description The last instant; by default now. */
                to?: string;
                /** @description Whether to show a curve for each game server, too. */
                servers?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnlineHistory"];
                };
            };
        };
    };
    rank_players: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that begin with this or, if none does, contain it or, if none does, resemble it; 2 to 64 characters. */
                search?: string;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerPage"];
                };
            };
        };
    };
    search_players: {
        parameters: {
            query: {
                /** @description Any part of a name, 2 to 64 characters, `lyra` for example. If no name has it, names with one mistake less are found. */
                search: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerHits"];
                };
            };
        };
    };
    get_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    delete_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeletePlayer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    act_on_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
                /** @description `ban`, `unban`, `mute` or `unmute`, in any letter case. */
                action: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AdminActionBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    change_class: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeClass"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    list_player_commands: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only those in this state. */
                state?: "waiting" | "delivered" | "done" | "failed" | "expired";
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameCommandPage"];
                };
            };
        };
    };
    send_player_command: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendPlayerCommand"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameCommand"];
                };
            };
        };
    };
    list_history: {
        parameters: {
            query?: {
                /** @description Go on where a timeline ended: the `Next` of its answer. */
                cursor?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    list_items: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarriedItems"];
                };
            };
        };
    };
    list_bank: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Slot"][];
                };
            };
        };
    };
    list_item_changes: {
        parameters: {
            query: {
                /** @description The first of the two instants, `2026-03-14T18:00:00Z` for example. */
                from: string;
                /** @description The second of the two instants; by default now. */
                to?: string;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemChanges"];
                };
            };
        };
    };
    give_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveItem"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GivenItem"];
                };
            };
        };
    };
    list_inventory: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Slot"][];
                };
            };
        };
    };
    restore_items: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreItems"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreResult"];
                };
            };
        };
    };
    take_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TakeItem"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TakenItem"];
                };
            };
        };
    };
    follow_item: {
        parameters: {
            query: {
                /** @description The instant to begin with, `2026-03-14T18:00:00Z` for example. */
                from: string;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trail"];
                };
            };
        };
    };
    set_level: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetLevel"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    list_moments: {
        parameters: {
            query?: {
                /** @description Only what was done at this instant or later, `2026-03-14T18:00:00Z` for example. */
                from?: string;
                /** @description Only what was done at this instant or earlier. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Moments"];
                };
            };
        };
    };
    rename_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenamePlayer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    list_player_sanctions: {
        parameters: {
            query?: {
                /** @description Only this kind: `ban`, `mute`, `trade_lock`, `warning` or `note`. */
                kind?: "ban" | "mute" | "trade_lock" | "warning" | "note";
                /** @description Only those in force now, or only those that are not. */
                inForce?: boolean;
                /** @description Go on where a list ended: the `Next` of its answer. */
                cursor?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sanctions"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                /** @description Only what began before this instant. */
                before?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sessions"];
                };
            };
        };
    };
    list_session_days: {
        parameters: {
            query?: {
                /** @description The last day is the one of this instant in UTC; by default today. */
                to?: string;
                /** @description How many days, 1 to 366; out of range, the nearest is taken. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayedDays"];
                };
            };
        };
    };
    get_sheet: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sheet"];
                };
            };
        };
    };
    save_sheet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SheetBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sheet"];
                };
            };
        };
    };
    list_spells: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownSpell"][];
                };
            };
        };
    };
    forget_spell: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpellLesson"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpellLearned"];
                };
            };
        };
    };
    teach_spell: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpellLesson"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpellLearned"];
                };
            };
        };
    };
    list_variables: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
                /** @description Whether to show names beside the ids of items, spells and variables. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerVariable"][];
                };
            };
        };
    };
    get_variable: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
                /** @description The variable's id. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerVariable"];
                };
            };
        };
    };
    set_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
                /** @description The variable's id. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetVariable"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerVariable"];
                };
            };
        };
    };
    get_variable_value: {
        parameters: {
            query?: {
                /** @description An instant with its offset, such as `2026-03-14T18:22:05.5Z`: show what was then. What happened at exactly that instant counts as done; the future is like now. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description A character's name, in any letter case, or its id. */
                key: string;
                /** @description The variable's id. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableValue"];
                };
            };
        };
    };
    list_roles: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleRecordPage"];
                };
            };
        };
    };
    create_role: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRole"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleRecord"];
                };
            };
        };
    };
    get_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The role's name. */
                role: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleRecord"];
                };
            };
        };
    };
    delete_role: {
        parameters: {
            query?: {
                /** @description Whether to withdraw it from everybody who has it. */
                withdraw?: boolean;
            };
            header?: never;
            path: {
                /** @description The role's name. */
                role: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleRecord"];
                };
            };
        };
    };
    change_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The role's name. */
                role: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeRole"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleRecord"];
                };
            };
        };
    };
    list_sanctions: {
        parameters: {
            query?: {
                /** @description Only this kind: `ban`, `mute`, `trade_lock`, `warning` or `note`. */
                kind?: "ban" | "mute" | "trade_lock" | "warning" | "note";
                /** @description Only those on this account and its characters, by name or id. */
                user?: string;
                /** @description Only those on this character itself, by name or id. */
                player?: string;
                /** @description Only those imposed by this actor, by name or id. */
                actor?: string;
                /** @description Only those imposed from this template. */
                template?: string;
                /** @description Only those in force now, or only those that are not. */
                inForce?: boolean;
                /** @description Go on where a list ended: the `Next` of its answer. */
                cursor?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sanctions"];
                };
            };
        };
    };
    impose_sanction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImposeSanction"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImposedSanction"];
                };
            };
        };
    };
    list_sanction_templates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SanctionTemplates"];
                };
            };
        };
    };
    get_sanction_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SanctionTemplate"];
                };
            };
        };
    };
    put_sanction_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutTemplate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SanctionTemplate"];
                };
            };
        };
    };
    remove_sanction_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's name. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SanctionTemplate"];
                };
            };
        };
    };
    get_sanction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sanction's id, or the code that the player quotes. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sanction"];
                };
            };
        };
    };
    lift_sanction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sanction's id, or the code that the player quotes. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LiftSanction"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sanction"];
                };
            };
        };
    };
    search_everything: {
        parameters: {
            query: {
                /** @description A part of a name or, for callers that see emails, of an email; an id; the code of a sanction or its first half; the first 8 digits or more of an action's id. 2 to 64 characters, `lyra` for example. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
        };
    };
    list_servers: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerPage"];
                };
            };
        };
    };
    register_server: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterServer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lease"];
                };
            };
        };
    };
    visit_bank: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisitBank"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresenceResult"];
                };
            };
        };
    };
    report_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportChat"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredMessages"];
                };
            };
        };
    };
    list_server_commands: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only those in this state. */
                state?: "waiting" | "delivered" | "done" | "failed" | "expired";
            };
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameCommandPage"];
                };
            };
        };
    };
    send_server_command: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendCommand"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameCommand"];
                };
            };
        };
    };
    answer_commands: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerCommands"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerOutcomes"];
                };
            };
        };
    };
    fetch_commands: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FetchCommands"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchedCommands"];
                };
            };
        };
    };
    answer_command: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
                /** @description The command's id. */
                command_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerCommand"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnsweredCommand"];
                };
            };
        };
    };
    renew_lease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FenceBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lease"];
                };
            };
        };
    };
    join_server: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlayersOfServer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinResult"];
                };
            };
        };
    };
    leave_server: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlayersOfServer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresenceResult"];
                };
            };
        };
    };
    stop_server: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The server's id, from its registration. */
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FenceBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedServer"];
                };
            };
        };
    };
    sign_in_with_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStatus"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
        };
    };
    sign_in_with_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStatus"];
                };
            };
        };
    };
    verify_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssertionBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStatus"];
                };
            };
        };
    };
    begin_passkey_verification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    verify_recovery_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStatus"];
                };
            };
        };
    };
    verify_totp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStatus"];
                };
            };
        };
    };
    list_staff: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only those who have this role. */
                role?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMemberPage"];
                };
            };
        };
    };
    reset_factors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetFactors"];
                };
            };
        };
    };
    grant_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
                /** @description The role's name. */
                role: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMember"];
                };
            };
        };
    };
    withdraw_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
                /** @description The role's name. */
                role: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMember"];
                };
            };
        };
    };
    list_staff_sessions: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSessionRecordPage"];
                };
            };
        };
    };
    end_staff_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
        };
    };
    end_staff_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                user: string;
                /** @description The session's id. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
        };
    };
    execute_transactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Transactions"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionOutcomes"];
                };
            };
        };
    };
    get_transaction: {
        parameters: {
            query?: {
                /** @description Whether to show names beside the ids of items and characters, and of accounts for callers with the scope `users.query`. */
                names?: boolean;
            };
            header?: never;
            path: {
                /** @description The transaction's id: the `Id` of its outcome, or `transaction` in an action's `After`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionRecord"];
                };
            };
        };
    };
    undo_transaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transaction's id: the `Id` of its outcome, or `transaction` in an action's `After`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UndoTransaction"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoneTransaction"];
                };
            };
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
                /** @description Only names that begin with this or, if none does, contain it or, if none does, resemble it; 2 to 64 characters. */
                search?: string;
                /** @description The order: `name`; of characters also `level`, `creationdate` or `playtime`; of those online also `level` or `onlinetime`; of accounts also `registrationdate`, and `email` for callers who see emails. Anything else is `name`. */
                sortBy?: string;
                /** @description Which way to sort. Understood in any letter case, and as `0` (ascending) or `1` (descending). */
                sortDirection?: "Ascending" | "Descending";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
        };
    };
    list_users_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LegacyPaging"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegacyUserPage"];
                };
            };
        };
    };
    complete_password_reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteReset"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    register_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Register"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredUser"];
                };
            };
        };
    };
    search_users: {
        parameters: {
            query: {
                /** @description Any part of a name, 2 to 64 characters, `lyra` for example. If no name has it, names with one mistake less are found. */
                search: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserHits"];
                };
            };
        };
    };
    get_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    act_on_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
                /** @description `ban`, `unban`, `mute` or `unmute`, in any letter case. */
                action: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AdminActionBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    change_email: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmail"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedUser"];
                };
            };
        };
    };
    manage_email: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManageEmail"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedUser"];
                };
            };
        };
    };
    manage_password: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManagePassword"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    rename_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameUser"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    request_password_reset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetStatus"];
                };
            };
        };
    };
    validate_password: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidatePassword"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    list_users_players: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"][];
                };
            };
        };
    };
    create_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlayer"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    get_users_player: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
                /** @description A character's name, id, or index among the account's characters: from 0, oldest first. */
                player: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Player"];
                };
            };
        };
    };
    list_user_sanctions: {
        parameters: {
            query?: {
                /** @description Only this kind: `ban`, `mute`, `trade_lock`, `warning` or `note`. */
                kind?: "ban" | "mute" | "trade_lock" | "warning" | "note";
                /** @description Only those in force now, or only those that are not. */
                inForce?: boolean;
                /** @description Go on where a list ended: the `Next` of its answer. */
                cursor?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sanctions"];
                };
            };
        };
    };
    list_sign_ins: {
        parameters: {
            query?: {
                /** @description Go on where a list ended: the `Next` of its answer. */
                cursor?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIns"];
                };
            };
        };
    };
    list_user_variables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserVariable"][];
                };
            };
        };
    };
    get_user_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
                /** @description The id of an account variable. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserVariable"];
                };
            };
        };
    };
    set_user_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
                /** @description The id of an account variable. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetVariable"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserVariable"];
                };
            };
        };
    };
    get_user_variable_value: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                key: string;
                /** @description The id of an account variable. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableValue"];
                };
            };
        };
    };
    list_game_variables: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameVariablePage"];
                };
            };
        };
    };
    list_global_variables: {
        parameters: {
            query?: {
                /** @description The number of the page, from 0. Out of range, the nearest number in range is taken; past the end there are no records. */
                page?: number;
                /** @description How many records make a page. Out of 1 to 100, the nearest of them is taken, and the answer's `PageSize` says which. */
                pageSize?: number;
                /** @description Shows only so many records of the page; the pages stay as they are. By default as many as `pageSize`, and never more. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameVariablePage"];
                };
            };
        };
    };
    list_global_variables_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LegacyPaging"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LegacyGameVariablePage"];
                };
            };
        };
    };
    get_global_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a variable of the game. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameVariable"];
                };
            };
        };
    };
    set_global_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a variable of the game. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetVariable"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameVariable"];
                };
            };
        };
    };
    get_global_variable_value: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a variable of the game. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableValue"];
                };
            };
        };
    };
    get_game_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a variable of the game. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameVariable"];
                };
            };
        };
    };
    set_game_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a variable of the game. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetVariable"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameVariable"];
                };
            };
        };
    };
    get_game_variable_value: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a variable of the game. */
                variable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableValue"];
                };
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    remove_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    change_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeWebhook"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    list_deliveries: {
        parameters: {
            query?: {
                /** @description Go on where a list ended: the `Next` of its answer. */
                cursor?: string;
                /** @description How many, 1 to 100; out of range, the nearest is taken. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
        };
    };
    get_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
                /** @description The delivery's id. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
        };
    };
    replay_deliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayDeliveries"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResult"];
                };
            };
        };
    };
    renew_webhook_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    issue_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenAnswer"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenRevocation"];
                };
            };
        };
    };
    end_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedTokens"];
                };
            };
        };
    };
    end_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                username: string;
                /** @description The `token_id` that came with the token. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedToken"];
                };
            };
        };
    };
    end_sign_ins: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSignIns"];
                };
            };
        };
    };
    end_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A username, in any letter case, or a user id. */
                username: string;
                /** @description The `token_id` of the sign-in, or its refresh token. */
                sign_in: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSignIn"];
                };
            };
        };
    };
    check_liveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    check_readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
}

/** The operations that take an `Idempotency-Key`. */
export const takesKey: ReadonlySet<string> = new Set([
    "post /api/v1/actions/undo",
    "post /api/v1/actions/{id}/undo",
    "post /api/v1/appeals/{id}/decide",
    "post /api/v1/approvals/{id}/approve",
    "post /api/v1/approvals/{id}/reject",
    "delete /api/v1/guilds",
    "post /api/v1/guilds/create",
    "delete /api/v1/guilds/{guild_id}",
    "post /api/v1/guilds/{guild_id}/bank/deposit",
    "post /api/v1/guilds/{guild_id}/bank/withdraw",
    "post /api/v1/guilds/{guild_id}/kick/{key}",
    "post /api/v1/guilds/{guild_id}/members/{key}",
    "delete /api/v1/guilds/{guild_id}/members/{key}",
    "post /api/v1/guilds/{guild_id}/name",
    "post /api/v1/guilds/{guild_id}/rank/{key}",
    "post /api/v1/guilds/{guild_id}/transfer/{key}",
    "post /api/v1/guilds/{guild_id}/variables/{variable_id}",
    "post /api/v1/keys",
    "delete /api/v1/keys/{id}",
    "delete /api/v1/me/sessions",
    "delete /api/v1/me/sessions/{session_id}",
    "delete /api/v1/players/{key}",
    "post /api/v1/players/{key}/admin/{action}",
    "post /api/v1/players/{key}/class",
    "post /api/v1/players/{key}/commands",
    "post /api/v1/players/{key}/items/give",
    "post /api/v1/players/{key}/items/restore",
    "post /api/v1/players/{key}/items/take",
    "post /api/v1/players/{key}/level",
    "post /api/v1/players/{key}/name",
    "post /api/v1/players/{key}/sheet",
    "post /api/v1/players/{key}/spells/forget",
    "post /api/v1/players/{key}/spells/teach",
    "post /api/v1/players/{key}/variables/{variable_id}",
    "post /api/v1/roles",
    "patch /api/v1/roles/{role}",
    "delete /api/v1/roles/{role}",
    "post /api/v1/sanctions",
    "put /api/v1/sanctions/templates/{name}",
    "delete /api/v1/sanctions/templates/{name}",
    "post /api/v1/sanctions/{key}/lift",
    "post /api/v1/servers",
    "post /api/v1/servers/{server_id}/bank",
    "post /api/v1/servers/{server_id}/chat",
    "post /api/v1/servers/{server_id}/commands",
    "post /api/v1/servers/{server_id}/commands/{command_id}/answer",
    "post /api/v1/servers/{server_id}/heartbeat",
    "post /api/v1/servers/{server_id}/join",
    "post /api/v1/servers/{server_id}/leave",
    "post /api/v1/servers/{server_id}/stop",
    "delete /api/v1/staff/{user}/factors",
    "put /api/v1/staff/{user}/roles/{role}",
    "delete /api/v1/staff/{user}/roles/{role}",
    "delete /api/v1/staff/{user}/sessions",
    "delete /api/v1/staff/{user}/sessions/{session_id}",
    "post /api/v1/transactions/{id}/undo",
    "post /api/v1/users/register",
    "delete /api/v1/users/{key}",
    "post /api/v1/users/{key}/admin/{action}",
    "post /api/v1/users/{key}/email/change",
    "post /api/v1/users/{key}/manage/email/change",
    "post /api/v1/users/{key}/manage/password/change",
    "post /api/v1/users/{key}/name",
    "post /api/v1/users/{key}/password/change",
    "post /api/v1/users/{key}/players",
    "post /api/v1/users/{key}/variables/{variable_id}",
    "post /api/v1/variables/global/{variable_id}",
    "post /api/v1/variables/{variable_id}",
    "post /api/v1/webhooks",
    "patch /api/v1/webhooks/{id}",
    "delete /api/v1/webhooks/{id}",
    "post /api/v1/webhooks/{id}/replay",
    "post /api/v1/webhooks/{id}/secret",
    "post /api/v1/webhooks/{id}/test"
]);
