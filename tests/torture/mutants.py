"""
The tests, tested: bugs planted one by one in a copy of the package, each caught by a named test.

A mutant is a replacement in one file. The named tests must pass on the copy as it
is and fail on it with the bug; a mutant that no longer fits the source, or that
lives, makes this program fail. Run it with `just mutants`; words given after it
choose the mutants whose names hold them. `just mutants --random 300` makes mutants
instead (`tests/mutation`).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests import processes
from tests.clusters import cluster
from tests.mutation import runs

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "gamekeeper"
TEST_TIMEOUT_SECONDS = 300

INTERLEAVED = (
    "tests/torture/test_interleavings.py::test_any_order_of_statements_is_one_after_the_other[{}]"
)
MODEL = (
    "tests/torture/test_model.py::"
    "test_every_reply_is_the_models_and_the_books_are_right_after_each_run"
)

WHOLE = "tests/undo/test_transactions.py::{}"
GUILDS = "tests/undo/test_guilds.py::{}"
ORDERS = "tests/orders/test_orders.py::{}"
LETTERS = "tests/mailbox/test_letters.py::{}"
LETTER_UNDO = "tests/mailbox/test_letter_undo.py::{}"


class Mutant(Struct, frozen=True):
    bug: str
    file: str
    good: str
    bad: str
    test: str


MUTANTS = [
    Mutant(
        "lock dropped",
        "players/state.py",
        "ORDER BY id FOR NO KEY UPDATE {how})",
        "ORDER BY id)",
        INTERLEAVED.format("give and take"),
    ),
    Mutant(
        "last writer wins the slots: read before the lock",
        "players/state.py",
        """        found, known = await _lock_and_find_items(writer, keys, needs.items)
        who = {key: player for key, player in zip(keys, found, strict=True) if player}
        return await cls.load(writer, who, needs, known)
""",
        """        found = await unique_names.find(writer, IDS, keys)
        known = await items.find_items(writer, needs.items)
        who = {key: player for key, player in zip(keys, found, strict=True) if player}
        state = await cls.load(writer, who, needs, known)
        await lock_all(writer, keys)
        return state
""",
        INTERLEAVED.format("give and give"),
    ),
    Mutant(
        "reply before commit",
        "db/database.py",
        """    async def write(
        self, work: Callable[[Writer], Awaitable[T]], *, wait_for_locks: bool = True
    ) -> T:
""",
        """    async def write(self, work, *, wait_for_locks=True):
        answered = asyncio.get_running_loop().create_future()

        async def early(writer):
            result = await work(writer)
            answered.done() or answered.set_result(result)
            await asyncio.sleep(0.03)
            return result

        task = asyncio.ensure_future(self._written(early, wait_for_locks=wait_for_locks))
        await asyncio.wait([task, answered], return_when=asyncio.FIRST_COMPLETED)
        return answered.result() if answered.done() else task.result()

    async def _written(self, work: Callable[[Writer], Awaitable[T]], *, wait_for_locks: bool) -> T:
""",
        MODEL,
    ),
    Mutant(
        "conflict swallowed: a taken key is thought ours",
        "db/idempotency.py",
        """    if name in stored:
        return _answer_to(key, stored[name])
""",
        "",
        "tests/db/test_batched_requests.py::test_a_key_in_other_hands_holds_up_nobody_else",
    ),
    Mutant(
        "key without its caller",
        "api/audit_context.py",
        "key = IdempotencyKey(by.actor, name,",
        'key = IdempotencyKey("anybody", name,',
        "tests/db/test_idempotency.py::test_two_callers_may_use_the_same_key",
    ),
    Mutant(
        "fingerprint ignored",
        "db/idempotency.py",
        'if row["fingerprint"] != key.fingerprint:',
        "if False:",
        "tests/db/test_idempotency.py::test_another_body_under_the_key_is_refused",
    ),
    Mutant(
        "key claimed after the work",
        "db/operations.py",
        """        known = await idempotency.claim(writer, entries)
        fresh = [""",
        """        before = await self._step(writer, [submission.order for submission in wanted])
        known = await idempotency.claim(writer, entries)
        return await idempotency.store(writer, entries, [a or b for a, b in zip(known, before)])
        fresh = [""",
        INTERLEAVED.format("give once and give once"),
    ),
    Mutant(
        "reply not kept",
        "db/idempotency.py",
        "(key.caller, key.key, key.fingerprint, status, body)",
        "(key.caller, key.key, key.fingerprint, status, None)",
        "tests/db/test_idempotency.py::"
        "test_the_same_request_again_gives_the_same_bytes_and_changes_nothing",
    ),
    Mutant(
        "twins in one list both carried out",
        "db/idempotency.py",
        "    return None if first == position else DuplicateInBatch(first)",
        "    return None",
        "tests/db/test_idempotency.py::test_two_orders_with_one_key_in_one_batch_are_one",
    ),
    Mutant(
        "ledger row skipped",
        "players/state.py",
        "await actions.write(writer, self._actions, postings)",
        "await actions.write(writer, self._actions, postings[:1])",
        MODEL,
    ),
    Mutant(
        "action skipped",
        "players/state.py",
        "await actions.write(writer, self._actions, postings)",
        "await actions.write(writer, self._actions[1:], postings)",
        MODEL,
    ),
    Mutant(
        "head not advanced",
        "ledger/actions.py",
        "SET seq = old.seq + excluded.seq",
        "SET seq = old.seq",
        "tests/ledger/test_postings.py::test_numbers_have_no_gap_and_time_never_runs_backwards",
    ),
    Mutant(
        "overflow not all or nothing",
        "players/rules.py",
        "        if left or (came and",
        "        if (came and",
        MODEL,
    ),
    Mutant(
        "taking more than is held",
        "players/rules.py",
        "    if not wanted or held < wanted:",
        "    if not wanted or not held:",
        MODEL,
    ),
    Mutant(
        "a refused order leaves its changes",
        "players/state.py",
        "        except Problem as refusal:\n            self.rollback(savepoint)\n",
        "        except Problem as refusal:\n",
        "tests/transactions/test_transactions.py::test_a_trade_is_both_or_neither",
    ),
    Mutant(
        "a refused order leaves its actions",
        "players/state.py",
        "        del self._actions[savepoint.actions :]\n",
        "",
        "tests/players/test_state.py::test_what_is_rolled_back_leaves_nothing",
    ),
    Mutant(
        "a bag that is moved loses its inside",
        "players/inventory.py",
        "if self._gone_bags.get(bag) == player:",
        "if self._gone_bags.get(bag) != player:",
        "tests/transactions/test_transactions.py::"
        "test_a_filled_bag_stays_with_its_owner_and_an_empty_one_changes_hands",
    ),
    Mutant(
        "what an undo could not do stays lost for the next",
        "history/undo/execute.py",
        "parts = [self._state, self._losses,",
        "parts = [self._state,",
        "tests/undo/test_undo.py::test_a_refused_undo_leaves_all_to_the_next_of_its_list",
    ),
    Mutant(
        "true is taken for one",
        "players/overlay.py",
        "if (type(now[key]), now[key]) != (type(stored.get(key)), stored.get(key))",
        "if now[key] != stored.get(key)",
        "tests/players/test_state.py::test_true_is_not_one",
    ),
    Mutant(
        "undo of an undone action",
        "history/undo/execute.py",
        "if by := self._undos.of_action(undone.id):",
        "if (by := self._undos.of_action(undone.id)) and order.partial:",
        "tests/undo/test_undo.py::test_an_action_is_undone_once_until_its_undo_is_undone",
    ),
    Mutant(
        "undo swallows what is in its way",
        "history/undo/execute.py",
        "if result.obstacles and not (order.partial and result.changes):",
        "if result.obstacles and not result.changes:",
        "tests/undo/test_undo.py::test_what_is_no_longer_there_is_in_the_way",
    ),
    Mutant(
        "undos read before the lock",
        "history/undo/execute.py",
        """        existing = await (targets.find if dry_run else targets.lock)(writer, named)
        # Loaded after locking, to see what was undone while we waited for the lock.
        commands_by = [order.by for order in orders]
        loaded = await load(writer, named, existing, commands_by, dry_run=dry_run)
""",
        """        from gamekeeper.ledger.undoable import Undos
        early = await Undos.of(writer, named.named)
        existing = await (targets.find if dry_run else targets.lock)(writer, named)
        commands_by = [order.by for order in orders]
        loaded = await load(writer, named, existing, commands_by, dry_run=dry_run)
        loaded = replace(loaded, undos=early)
""",
        INTERLEAVED.format("undo and undo"),
    ),
    Mutant(
        "what came back is not counted as returned",
        "ledger/losses.py",
        """            self.change(row["loss_id"], kind, row["quantity"])
            return
""",
        """            return
""",
        "tests/security/test_sequences.py::test_the_search_reaches_what_was_doubled_once",
    ),
    Mutant(
        "a restore brings back gifts that were undone",
        "ledger/losses.py",
        """        if row["is_other"]:
""",
        """        if row["is_other"] and quantity < 0:
""",
        "tests/history/test_restore.py::test_what_an_undo_took_back_is_not_lost",
    ),
    Mutant(
        "a gift joins a stack with buffs",
        "players/rules.py",
        "(one.item_id, one.stat_buffs) == (other.item_id, other.stat_buffs)",
        "one.item_id == other.item_id",
        "tests/players/test_items.py::test_a_gift_never_joins_a_stack_with_buffs",
    ),
    Mutant(
        "restore copies what is still held",
        "history/restore_rules.py",
        "        self._kinds.subtract(now)\n",
        "",
        "tests/history/test_restore.py::"
        "test_what_the_player_has_again_in_another_slot_is_not_missing",
    ),
    Mutant(
        "cursor by time only",
        "ledger/audit_log.py",
        '        return UUID(bytes=base64.b64decode(cursor + "==", altchars=b"-_", validate=True))',
        '        bytes_ = base64.b64decode(cursor + "==", altchars=b"-_", validate=True)\n'
        "        whole = UUID(bytes=bytes_)\n"
        "        return UUID(int=whole.int >> 80 << 80)",
        "tests/torture/test_cursors.py::test_actions_of_one_instant_are_each_shown_once",
    ),
    Mutant(
        "a wait is answered as a success",
        "db/idempotency.py",
        "    except asyncpg.LockNotAvailableError:\n        raise StillRunning from None\n"
        "    except asyncpg.UniqueViolationError as late:",
        "    except asyncpg.LockNotAvailableError:\n        return\n"
        "    except asyncpg.UniqueViolationError as late:",
        "tests/db/test_idempotency.py::test_one_still_running_is_waited_for_two_seconds",
    ),
    Mutant(
        "a merged list waits for a player in other hands",
        "players/state.py",
        '_LOCK.replace("{how}", "SKIP LOCKED")',
        '_LOCK.replace("{how}", "")',
        "tests/db/test_batched_requests.py::test_a_player_in_other_hands_holds_up_nobody_else",
    ),
    Mutant(
        "a merged list waits for a key in other hands",
        "db/idempotency.py",
        "    if writer.wait_for_locks:\n        await _hold",
        "    if True:\n        await _hold",
        "tests/db/test_batched_requests.py::test_a_key_in_other_hands_holds_up_nobody_else",
    ),
    Mutant(
        "the fault of one is the fault of all",
        "db/batching.py",
        "if isinstance(fault, Unavailable) or len(orders) == 1:",
        "if True:",
        "tests/db/test_batched_requests.py::test_refused_and_poisoned_orders_fail_alone",
    ),
    Mutant(
        "what may have been committed is sent again",
        "db/batching.py",
        "isinstance(fault, Unavailable) or len(orders) == 1",
        "len(orders) == 1",
        "tests/db/test_batching.py::"
        "test_when_the_database_is_away_all_hear_it_and_nothing_is_sent_twice",
    ),
    Mutant(
        "a connection whose call was cancelled is lent again",
        "db/connection_pool.py",
        "is_refused or isinstance(fault, (*UNCERTAIN, *LOST)) or connection.is_in_transaction()",
        "is_refused or isinstance(fault, LOST) or connection.is_in_transaction()",
        "tests/db/test_pools.py::test_a_connection_whose_call_was_cancelled_is_not_lent_again",
    ),
    Mutant(
        "an open transaction is passed on",
        "db/connection_pool.py",
        "is_refused or isinstance(fault, (*UNCERTAIN, *LOST)) or connection.is_in_transaction()",
        "is_refused or isinstance(fault, (*UNCERTAIN, *LOST))",
        "tests/db/test_pools.py::test_an_open_transaction_is_not_passed_on",
    ),
    Mutant(
        "a character locked by another transaction counts as missing",
        "players/state.py",
        "if len(there) < len(wanted) and not writer.wait_for_locks:",
        "if False:",
        "tests/db/test_batched_requests.py::test_a_player_in_other_hands_holds_up_nobody_else",
    ),
    Mutant(
        "a caller who goes away is served all the same",
        "db/batching.py",
        "            if caller.answer.done():\n                continue\n",
        "",
        "tests/db/test_batching.py::test_a_caller_who_goes_away_harms_nobody",
    ),
    Mutant(
        "no bound to a list",
        "db/batching.py",
        "while self._waiting and len(callers) < self._largest:",
        "while self._waiting:",
        "tests/db/test_batching.py::test_no_list_is_longer_than_the_largest_and_the_first_come_first",
    ),
    Mutant(
        "the last come is served first",
        "db/batching.py",
        "self._waiting.popleft()",
        "self._waiting.pop()",
        "tests/db/test_batching.py::test_no_list_is_longer_than_the_largest_and_the_first_come_first",
    ),
    Mutant(
        "the replica is believed without being asked how far it is",
        "db/replicas.py",
        "if await self.standby.is_level():",
        "if self.standby:",
        "tests/db/test_replicas.py::test_a_replica_that_stands_still_is_not_believed",
    ),
    Mutant(
        "a promoted replica is taken for one",
        "db/replicas.py",
        "CASE WHEN pg_is_in_recovery() THEN",
        "CASE WHEN true THEN",
        "tests/db/test_replicas.py::test_a_promoted_replica_is_left",
    ),
    Mutant(
        "replies are looked for on the replica",
        "app.py",
        "self._providers(callers, database, vault)",
        'self._providers(callers, __import__("types").SimpleNamespace(reader=reader), vault)',
        "tests/db/test_replicas.py::test_events_tokens_and_replies_are_read_from_the_primary",
    ),
    Mutant(
        "webhooks wait for each other",
        "events/webhooks/dispatcher.py",
        """                outcome = await self._post.attempt(found, letter)
""",
        """                async with self.__dict__.setdefault("one", asyncio.Lock()):
                    outcome = await self._post.attempt(found, letter)
""",
        "tests/webhooks/test_lag.py::test_one_dead_target_of_many_holds_up_no_other[silent]",
    ),
    Mutant(
        "webhooks to names that lead inside in part",
        "egress/targets.py",
        "not target.named and not all(",
        "not target.named and not any(",
        "tests/webhooks/test_targets.py::test_what_is_not_public_is_not_called",
    ),
    Mutant(
        "webhooks look a name up again after it was looked at",
        "egress/connection_pool.py",
        """        partial(HttpConnection, max_body),
        address,
""",
        """        partial(HttpConnection, max_body),
        target.host,
""",
        "tests/webhooks/test_targets.py::test_a_name_that_changes_its_mind_gains_nothing",
    ),
    Mutant(
        "webhooks take what comes unasked for an answer",
        "egress/connection.py",
        """        if self._is_complete:
            self._is_reusable = False
""",
        """        if self._is_complete:
            pass
""",
        "tests/webhooks/test_connection_pool.py::test_what_comes_unasked_is_never_taken_for_an_answer",
    ),
    Mutant(
        "everybody leads",
        "db/leader.py",
        "not stop.is_set() and not await is_leader(connection, duty)",
        "not (stop.is_set() or await is_leader(connection, duty) or True)",
        "tests/db/test_leader.py::test_of_many_one_leads_until_it_stops_and_then_another",
    ),
    Mutant(
        "a frozen leader leads for ever",
        "db/leader.py",
        "                **duty.session,\n",
        "",
        "tests/db/test_leader.py::test_who_is_frozen_is_followed",
    ),
    Mutant(
        "webhooks to anybody with a certificate",
        "egress/connection_pool.py",
        "    return ssl.create_default_context()",
        """    context = ssl.create_default_context()
    context.check_hostname = False
    return context""",
        "tests/webhooks/test_tls.py::test_who_does_not_prove_it_is_sent_nothing",
    ),
    Mutant(
        "webhooks signed with the new secret only",
        "events/webhooks/attempts.py",
        "[webhook.secret, *([webhook.old_secret] if webhook.old_secret else [])]",
        "[webhook.secret]",
        "tests/webhooks/test_deliveries.py::test_while_a_secret_is_replaced_both_sign",
    ),
    Mutant(
        "webhooks moved on by a courier that was frozen",
        "events/webhooks/attempts.py",
        " AND position = was_at AND attempts = had_made",
        "",
        "tests/webhooks/test_deliveries.py::"
        "test_what_a_frozen_courier_says_later_counts_for_nothing",
    ),
    Mutant(
        "webhooks outlive the key that made them",
        "events/webhooks/owners.py",
        "actor IS NULL OR revoked_at IS NOT NULL",
        "actor IS NULL",
        "tests/webhooks/test_owners.py::test_a_webhook_dies_with_its_key",
    ),
    Mutant(
        "a retry that cannot be read is sent empty",
        "events/webhooks/dispatcher.py",
        """        except DeliveryNotFound:
""",
        """        except Unavailable:
            return WebhookMessage(message="", seq=seq, kind="", body=b"{}", waiting=waiting)
        except DeliveryNotFound:
""",
        "tests/webhooks/test_deliveries.py::"
        "test_a_retry_waits_for_the_database_and_then_sends_the_whole_event",
    ),
    Mutant(
        "any key speaks for any game server",
        "servers/owners.py",
        "if owner is None or by.actor in (owner, COMMAND_LINE.actor):",
        "if by:",
        "tests/security/test_ownership.py::test_a_server_belongs_to_the_key_that_registered_it",
    ),
    Mutant(
        "transaction undone twice",
        "history/undo/transactions.py",
        "_in_order([part for part in parts if not self._undos.of_action(part.id)])",
        "_in_order(parts)",
        MODEL,
    ),
    Mutant(
        "transaction undone in part: what was done stays when something is in the way",
        "history/undo/transactions.py",
        """            rollback()
            return UndoConflict(None, in_the_way=obstacles)
""",
        """            return UndoConflict(None, in_the_way=obstacles)
""",
        WHOLE.format("test_what_was_handed_on_is_in_the_way_and_named"),
    ),
    Mutant(
        "transaction undone on one side: its undo can be undone alone",
        "ledger/undoable.py",
        """        return self.kind == "items.move" or any(
            posting.against == "move" for posting in self.postings
        )""",
        """        return self.kind == "items.move\"""",
        WHOLE.format("test_the_undo_is_in_the_log_as_a_transaction"),
    ),
    Mutant(
        "transaction undone as far as it goes, without a word",
        "history/undo/moved_items.py",
        "obstacles=sides[part.id].obstacles(),",
        "obstacles=(),",
        MODEL,
    ),
    Mutant(
        "transaction undone with what was handed on counted as lost",
        "ledger/losses.py",
        """                and posting.quantity < 0
                and posting.against not in TRANSFERS
""",
        """                and posting.quantity < 0
""",
        WHOLE.format("test_what_was_handed_on_does_not_add_to_what_was_used_up"),
    ),
    Mutant(
        "transaction undone though half of its postings were dropped",
        "history/undo/moved_items.py",
        "return flows.is_whole() and passed == empty",
        "return True",
        WHOLE.format("test_postings_that_are_no_longer_kept_are_a_clear_refusal"),
    ),
    Mutant(
        "transaction undone by who may undo its first change",
        "history/undo/transactions.py",
        "        for part in parts:\n            if refusal",
        "        for part in parts[:1]:\n            if refusal",
        WHOLE.format("test_each_scope_alone_is_not_enough"),
    ),
    Mutant(
        "transaction undone with its neighbours of the same call",
        "ledger/transactions.py",
        'found.setdefault(UUID(row["transaction"]), []).append(row["id"])',
        'found.setdefault(UUID(rows[0]["transaction"]), []).append(row["id"])',
        WHOLE.format("test_one_of_many_transactions_of_a_call_is_undone_alone"),
    ),
    Mutant(
        "transaction undone in the order in which it was done",
        "history/undo/transactions.py",
        "*(part for part in reversed(parts) if part not in items)",
        "*(part for part in parts if part not in items)",
        WHOLE.format("test_all_kinds_of_changes_are_undone_together"),
    ),
    Mutant(
        "transaction undone takes once, before it gives",
        "history/undo/moved_items.py",
        """side.give() for side in sides.values()]):
        pass
""",
        """side.give() for side in sides.values()]):
        break
""",
        WHOLE.format("test_what_was_made_and_used_up_on_the_way_comes_back_right"),
    ),
    Mutant(
        "the undo of a withdrawal gives and does not take",
        "history/undo/guild_bank.py",
        "        self._take(there, given)\n",
        "        self._take(there, 0)\n",
        GUILDS.format("test_a_withdrawal_goes_back_into_its_slot_and_forth_again"),
    ),
    Mutant(
        "the undo of a deposit returns what others withdrew",
        "history/undo/guild_bank.py",
        "        quantity = min(wanted, found)\n",
        "        quantity = wanted\n",
        GUILDS.format(
            "test_what_others_took_out_since_is_in_the_way_and_with_partial_the_rest_comes_back"
        ),
    ),
    Mutant(
        "a filled bag goes back into the guild's bank",
        "history/undo/guild_bank.py",
        "if stack.bag_id in bags and not stack.bag_filled:",
        "if stack.bag_id in bags:",
        GUILDS.format("test_buffs_and_bags_stay_what_they_are"),
    ),
    Mutant(
        "a guild comes back without its owner",
        "history/undo/disbanded_guilds.py",
        "if any(one.rank == OWNER for one in archived.kept.members if one.player_id in missing):",
        "if not members:",
        GUILDS.format("test_without_its_owner_it_does_not_come_back"),
    ),
    Mutant(
        "deposits since go with a guild that is disbanded again",
        "history/undo/disbanded_guilds.py",
        "if more := self._deposited_since(bank):",
        "if (more := self._deposited_since(bank)) < 0:",
        GUILDS.format("test_deposits_since_are_in_the_way_of_disbanding_it_again"),
    ),
    Mutant(
        "a kicked member is taken out of another guild",
        "history/undo/guilds.py",
        "        if now is None:\n            return None\n        reason",
        "        if not is_member:\n            return None\n        reason",
        GUILDS.format("test_a_kicked_member_of_another_guild_stays_there"),
    ),
    Mutant(
        "one list makes a character the owner and deletes it",
        "history/undo/loaded_state.py",
        "        guilds.is_deleted, lifecycle.owns_guild = lifecycle.is_deleted, guilds.owns\n",
        "        pass\n",
        GUILDS.format("test_one_list_cannot_make_a_character_the_owner_and_delete_it"),
    ),
    Mutant(
        "a disbanded guild leaves no archive",
        "guilds/lifecycle.py",
        "    await archive.add(writer, "
        "[doomed_guild.archived for doomed_guild in doomed.values()])\n",
        "",
        GUILDS.format("test_a_disbanded_guild_comes_back_whole_and_goes_again"),
    ),
    Mutant(
        "guilds take a name before another gives it up",
        "history/undo/guild_state.py",
        "        await writer.run("
        '"UPDATE guilds SET name_key = id::text WHERE id = ANY($1)", stored)\n',
        "",
        GUILDS.format("test_two_guilds_exchange_their_names_in_one_list"),
    ),
    Mutant(
        "a variable of a guild counts as one of the game",
        "ledger/states.py",
        "\n                   AND NOT after ? 'guild_id'",
        "",
        GUILDS.format("test_a_variable_gets_its_former_value"),
    ),
    Mutant(
        "a repeated order is delivered again",
        "orders/intake.py",
        "    is_new = order.content_tag is None\n",
        "    is_new = True\n",
        ORDERS.format("test_the_same_order_again_gets_the_same_answer"),
    ),
    Mutant(
        "the row of an order is not locked by a claim",
        "orders/storage.py",
        "FROM orders WHERE id = $1 FOR UPDATE",
        "FROM orders WHERE id = $1",
        "tests/orders/test_claims.py::test_many_claims_at_once_deliver_once",
    ),
    Mutant(
        "a refund that comes before its order is forgotten",
        "orders/states.py",
        "        order.is_refunded = True\n",
        "        pass\n",
        ORDERS.format("test_a_refund_before_its_order_is_remembered"),
    ),
    Mutant(
        "a refund takes a part of a line",
        "orders/returns.py",
        "        if quantity:\n            raise NotEnoughItems\n",
        "",
        ORDERS.format("test_a_refund_takes_what_was_claimed_whole_lines_only"),
    ),
    Mutant(
        "a restore returns what a refund took",
        "orders/returns.py",
        'PostingContext(action.id, "refund")',
        'PostingContext(action.id, "removal")',
        ORDERS.format("test_refunded_items_are_not_restored"),
    ),
    Mutant(
        "a dispute holds nothing",
        "players/mailbox/rows.py",
        "AND orders.dispute = 'open') AS is_held",
        "AND orders.dispute = 'none') AS is_held",
        ORDERS.format("test_a_dispute_holds_and_a_won_one_releases"),
    ),
    Mutant(
        "a second verdict replaces the first",
        "orders/states.py",
        'if order.dispute in ("won", "lost") or order.dispute == verdict:',
        "if order.dispute == verdict:",
        ORDERS.format("test_a_dispute_holds_and_a_won_one_releases"),
    ),
    Mutant(
        "an order that was claimed is given to another account",
        "orders/changes.py",
        "if order is None or order.user_id not in (None, command.user_id):",
        "if order is None:",
        "tests/orders/test_claims.py::test_a_code_gives_its_order_to_one_account",
    ),
    Mutant(
        "a webhook with any signature is accepted",
        "orders/shops/signatures.py",
        "    return any(found)\n",
        "    return True\n",
        "tests/orders/test_webhooks.py::test_forged_and_old_events_change_nothing",
    ),
    Mutant(
        "an old webhook is accepted",
        "orders/shops/signatures.py",
        "<= TOLERANCE_SECONDS",
        "<= 1_000_000",
        "tests/orders/test_webhooks.py::test_forged_and_old_events_change_nothing",
    ),
    Mutant(
        "letters: a claim locks nothing",
        "players/mailbox/changes.py",
        "    state = await State.lock(writer, keys, Needs(inventory=True))\n",
        """    from gamekeeper.players.lookup import find_player_ids
    there = zip(keys, await find_player_ids(writer, keys), strict=True)
    who = {key: player for key, player in there if player}
    state = await State.load(writer, who, Needs(inventory=True))
""",
        LETTERS.format("test_claims_in_two_processes_claim_it_once"),
    ),
    Mutant(
        "letters: a claim is doubled after its undo, which leaves the items in the inventory",
        "history/undo/items.py",
        "                self._state.inventory.set_slot("
        "(self._player, place, number), stack, context)\n                self._taken(",
        """                if not self._undone.letter_id:
                    self._state.inventory.set_slot((self._player, place, number), stack, context)
                self._taken(""",
        LETTER_UNDO.format("test_a_claimed_letter_is_undone_only_after_its_claim"),
    ),
    Mutant(
        "letters: a claim that is redone leaves its letter open",
        "history/undo/letters.py",
        "replace(letter, state=before, ended_at=ended)",
        'replace(letter, state="open", ended_at=None)',
        LETTER_UNDO.format("test_a_claimed_letter_is_undone_only_after_its_claim"),
    ),
    Mutant(
        "letters: an expiry returns the items twice, as they stay in the letter",
        "players/mailbox/letters.py",
        """        things = self._emptied(letter, PostingContext(action.id, "move"))
        returned =""",
        """        slots = self._state.inventory.at(letter.player_id, InLetter(letter.id))
        things = [slots[number] for number in sorted(slots)]
        returned =""",
        LETTERS.format("test_expired_items_return_to_the_sender_or_are_destroyed"),
    ),
    Mutant(
        "letters: the archive of a deleted character forgets them",
        "players/archive.py",
        "WHERE letter_slots.player_id = players.id),",
        "WHERE letter_slots.player_id = players.id AND false),",
        LETTER_UNDO.format("test_a_deleted_character_comes_back_with_its_letters"),
    ),
    Mutant(
        "letters: verify ignores them",
        "ledger/verify_ledger.py",
        "*states.OF_PLAYERS, *mailboxes.OF_PLAYERS):",
        "*states.OF_PLAYERS):",
        LETTERS.format("test_verification_finds_a_forged_letter"),
    ),
    Mutant(
        "letters: an account reads those of all characters",
        "players/mailbox/lists.py",
        "WHERE players.user_id = $1))",
        "WHERE players.user_id = $1 OR true))",
        "tests/mailbox/test_my_mailbox.py::test_the_letters_of_others_do_not_exist",
    ),
    Mutant(
        "letters: a gift by mail is in no sum of gifts",
        "ledger/action_counts.py",
        "WHERE kind = 'mail.send' AND {is_gift}",
        "WHERE kind = 'mail.send' AND false",
        "tests/mailbox/test_gifts_by_mail.py::"
        "test_the_sums_of_gifts_count_letters_and_what_had_room",
    ),
    Mutant(
        "letters: a claim in a transaction keeps what the inventory gets to itself",
        "servers/letter_moves.py",
        'letters.claim(by, player, letter, transaction, contexts(player, "move"))',
        "letters.claim(by, player, letter, transaction)",
        "tests/mailbox/test_letter_moves.py::"
        "test_items_that_are_claimed_and_passed_on_go_back_to_the_letter",
    ),
]


class Verdict(Struct, frozen=True):
    caught: bool
    words: str
    seconds: float


def main(chosen: list[str]) -> int:
    """Print what became of each mutant; how many were not caught is what is wrong."""
    mutants = [m for m in MUTANTS if not chosen or any(word in m.bug for word in chosen)]
    console = Console(width=160)
    with cluster() as postgres, tempfile.TemporaryDirectory(prefix="gamekeeper-mutants-") as made:
        bench = Bench(Path(made), str(postgres.settings.database_url).rpartition("/")[0] + "/{}")
        tests = list(dict.fromkeys(mutant.test for mutant in mutants))
        sound = bench.tried(None, tests)
        console.print(f"without a bug: {sound.words} ({sound.seconds:.0f} s)")
        verdicts = []
        for mutant in mutants:
            verdicts.append(bench.tried(mutant, [mutant.test]))
            console.print(f"{verdicts[-1].words}: {mutant.bug}", markup=False)
    console.print(_table(mutants, verdicts))
    alive = sum(not verdict.caught for verdict in verdicts)
    console.print(f"{len(mutants)} mutants, {len(mutants) - alive} caught")
    return 0 if alive == 0 and sound.words == "passed" else 1


def _table(mutants: list[Mutant], verdicts: list[Verdict]) -> Table:
    table = Table("planted bug", "in", "test", "", "s")
    for mutant, verdict in zip(mutants, verdicts, strict=True):
        name = escape(mutant.test.rpartition("::")[2])
        table.add_row(mutant.bug, mutant.file, name, verdict.words, f"{verdict.seconds:.0f}")
    return table


class Bench:
    """Where copies are made and tried, on a PostgreSQL of their own."""

    def __init__(self, directory: Path, server: str) -> None:
        self._directory = directory
        self._server = server

    def tried(self, mutant: Mutant | None, tests: list[str]) -> Verdict:
        """Run tests on a copy of the package with the bug in it."""
        copy = self._directory / "gamekeeper"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if mutant is not None:
            file = copy / mutant.file
            source = file.read_text()
            if source.count(mutant.good) != 1:
                return Verdict(False, "no longer fits", 0)
            file.write_text(source.replace(mutant.good, mutant.bad))
        begun = time.monotonic()
        words = self._run(tests)
        return Verdict(words == "caught", words, time.monotonic() - begun)

    def _run(self, tests: list[str]) -> str:
        path = os.pathsep.join([str(self._directory), str(ROOT)])
        ours = {"PYTHONPATH": path, "GAMEKEEPER_TEST_SERVER": self._server}
        env = {"TORTURE_STEPS": "1000", "TEST_PATIENCE": "30"} | os.environ | ours
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-x", "-rf", *tests]
        try:
            done = processes.run(
                command, cwd=ROOT, env=env, timeout=TEST_TIMEOUT_SECONDS * len(tests)
            )
        except subprocess.TimeoutExpired:
            return "did not end"
        if done.returncode == 0:
            return "passed"
        # A test that could not even begin has caught nothing.
        return "caught" if done.returncode == 1 and "\nFAILED " in done.stdout else "broke"


HELP = """
Without --random: plants the bugs listed in tests/torture/mutants.py, and each must be caught by
the test named there.

With --random: makes mutants of the core modules. A mutant has one small change: a comparison, a
boundary, a number, `and` and `or`, a dropped statement; in SQL also a dropped condition or lock,
UNION, the order, the clock. Each is written into a copy of the tree and tried with the tests that
are likely to notice it, then with more. A mutant is killed if a test fails or hangs. For one that
survives, either write a test beside those of its module, or add it to
tests/mutation/equivalents.toml with the reason why no test can tell the difference.

examples:
  just mutants                             the planted bugs
  just mutants lock                        those with "lock" in their names
  just mutants --random 300 --seed 7       the same 300 while the code is the same
  just mutants --random 20 undo/ losses    only in modules with such names
"""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="just mutants",
        description="Check that the tests notice bugs.",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", help="parts of the names of planted bugs or of modules")
    parser.add_argument("--random", type=int, metavar="N", help="make N mutants by chance")
    parser.add_argument("--seed", type=int, default=1, help="which of them (default: 1)")
    parser.add_argument(
        "--processes", type=int, choices=(1, 2), default=2, help="how many at once (default: 2)"
    )
    parser.add_argument("--json", action="store_true", help="print the mutants of --random as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    given = _arguments()
    if given.random is None:
        sys.exit(main(given.words))
    chosen = runs.Options(given.random, given.seed, given.words, given.processes, given.json)
    sys.exit(runs.main(chosen))
