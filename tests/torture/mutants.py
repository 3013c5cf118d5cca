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
PLANS = "tests/schedules/test_plans.py::{}"
RUNS = "tests/schedules/test_schedule_runs.py::{}"
CAMPAIGNS = "tests/campaigns/test_runs.py::{}"
REVERSALS = "tests/campaigns/test_reversals.py::{}"
ORDERS = "tests/orders/test_orders.py::{}"
JOINS = "tests/campaigns/test_lazy_letters.py::{}"
REPLAYS = "tests/orders/test_replays.py::{}"
CONDITIONS = "tests/segments/test_conditions.py::{}"
LETTERS = "tests/mailbox/test_letters.py::{}"
REDEMPTIONS = "tests/codes/test_redemptions.py::{}"
SOURCES = "tests/identities/test_sources.py::{}"
LINKS = "tests/identities/test_links.py::{}"
PROVIDER = "tests/provider/{}"
ID_TOKENS = "tests/identities/test_id_tokens.py::{}"
VERIFICATIONS = "tests/contract/test_email_verification.py::{}"
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
        "a repeated local time runs twice",
        "campaigns/schedules/plans.py",
        "        if instant > after.astimezone(UTC):\n            yield instant",
        "        yield instant",
        PLANS.format("test_between_two_equal_times_the_next_run_is_of_the_next_day"),
    ),
    Mutant(
        "local times are compared without their offsets",
        "campaigns/schedules/plans.py",
        "instant > after.astimezone(UTC)",
        "match > after",
        PLANS.format("test_between_two_equal_times_the_next_run_is_of_the_next_day"),
    ),
    Mutant(
        "runs are planned in UTC",
        "campaigns/schedules/plans.py",
        '_matches(self.cron, "cron", after.astimezone(ZoneInfo(self.time_zone)))',
        '_matches(self.cron, "cron", after)',
        PLANS.format("test_an_event_over_a_weekend_ends_at_the_same_local_time"),
    ),
    Mutant(
        "two workers make two runs",
        "campaigns/schedules/storage.py",
        "FROM schedules WHERE id = $1 FOR UPDATE",
        "FROM schedules WHERE id = $1",
        RUNS.format("test_two_workers_at_once_make_one_run"),
    ),
    Mutant(
        "a run is made again",
        "campaigns/schedules/runner.py",
        "    if latest in stored:\n",
        "    if False:\n",
        RUNS.format("test_a_skipped_run_that_is_the_only_one_does_not_happen"),
    ),
    Mutant(
        "all missed runs are made up for",
        "campaigns/schedules/runner.py",
        "    missed = due if _is_too_late(found, latest, now) else due[:-1]\n",
        "    missed = due if _is_too_late(found, latest, now) else []\n",
        RUNS.format("test_after_an_outage_one_run_catches_up_and_the_others_are_missed"),
    ),
    Mutant(
        "no grace period ends",
        "campaigns/schedules/runner.py",
        "    return now > planned + grace or (ends_at",
        "    return (ends_at",
        RUNS.format("test_after_the_grace_period_a_run_is_missed"),
    ),
    Mutant(
        "a run starts although its end has passed",
        "campaigns/schedules/runner.py",
        " or (ends_at is not None and ends_at <= now)",
        "",
        RUNS.format("test_a_run_whose_end_has_passed_is_missed"),
    ),
    Mutant(
        "an author without the scope of the work gives",
        "campaigns/schedules/runner.py",
        "    needed = (MANAGE, SCOPES[schedule.shown.work.kind])\n",
        "    needed = (MANAGE,)\n",
        "tests/approvals/test_schedules.py::"
        "test_the_run_of_an_author_without_rights_is_refused_and_listed",
    ),
    Mutant(
        "the runs of a schedule count against no limits",
        "campaigns/schedules/runner.py",
        "allowance=None if approver else author.allowance,",
        "allowance=None,",
        "tests/approvals/test_schedules.py::test_within_the_limits_each_run_counts_against_them",
    ),
    Mutant(
        "an approved schedule reaches any number of recipients",
        "campaigns/schedules/runner.py",
        "    if found.recipients > schedule.shown.max_recipients:\n",
        "    if False:\n",
        "tests/approvals/test_schedules.py::test_an_approval_holds_for_so_many_recipients_only",
    ),
    Mutant(
        "a campaign gives to players who left the segment",
        "campaigns/runner.py",
        "    present = await members.still_members(\n"
        "        writer, campaign.definition, players, started=campaign.created_at\n    )\n",
        "    present = list(players)\n",
        CAMPAIGNS.format("test_who_leaves_is_skipped_and_who_enters_is_not_included"),
    ),
    Mutant(
        "a batch is more than the work of a second",
        "campaigns/runner.py",
        "    most = limit or found.shown.per_second\n",
        "    most = limit or BATCH\n",
        CAMPAIGNS.format("test_a_batch_is_at_most_the_work_of_a_second"),
    ),
    Mutant(
        "the row of a campaign is not locked",
        "campaigns/storage.py",
        "FROM campaigns WHERE id = $1 FOR UPDATE",
        "FROM campaigns WHERE id = $1",
        CAMPAIGNS.format("test_runners_at_once_do_nothing_twice"),
    ),
    Mutant(
        "a reversal takes all that a character has of an item",
        "players/take_back.py",
        "    taken = min(most, sum(held.quantity for held in found.values()))\n",
        "    taken = sum(held.quantity for held in found.values())\n",
        REVERSALS.format("test_a_reversal_takes_no_more_than_the_campaign_gave"),
    ),
    Mutant(
        "a restore returns what a reversal took",
        "campaigns/reversal.py",
        'PostingContext(action.id, "refund")',
        'PostingContext(action.id, "removal")',
        REVERSALS.format("test_what_a_reversal_took_is_not_restored"),
    ),
    Mutant(
        "the items of an expired letter count as kept",
        "campaigns/reversal.py",
        "    if _has_ended(outcome):\n",
        "    if False:\n",
        REVERSALS.format("test_an_expired_letter_leaves_nothing_to_take"),
    ),
    Mutant(
        "a campaign has no end",
        "campaigns/changes.py",
        '    if campaign.state == "finished":\n'
        "        return campaign.done > 0 and not campaign.on_join\n",
        "",
        RUNS.format("test_a_campaign_ends_by_its_reversal"),
    ),
    Mutant(
        "two joins at once send a letter on joining twice",
        "campaigns/joins.py",
        "campaign: [player for player in players if marks.get((campaign, player)) in UNMARKED]",
        "campaign: list(players)",
        JOINS.format("test_joins_on_two_servers_at_once_and_the_worker_send_one_letter"),
    ),
    Mutant(
        "a stop does not wait for joins that deliver",
        "campaigns/counts.py",
        "UPDATE campaign_counts SET open = $2 WHERE campaign_id = $1",
        "UPDATE campaign_counts SET open = $2 WHERE campaign_id = $1 AND $2",
        JOINS.format("test_a_stop_waits_for_joins_that_deliver"),
    ),
    Mutant(
        "a join delivers although it has waited for a stop",
        "campaigns/counts.py",
        "     WHERE campaign_id = $1 AND open AND room > 0\n     ORDER BY room >= $2 DESC",
        "     WHERE campaign_id = $1 AND room > 0\n     ORDER BY room >= $2 DESC",
        JOINS.format("test_a_join_that_waited_for_a_stop_sends_nothing"),
    ),
    Mutant(
        "more letters on joining than the bound",
        "campaigns/joins.py",
        "            players = due[campaign.id][:room]\n",
        "            players = due[campaign.id]\n",
        JOINS.format("test_no_more_than_the_bound_are_sent"),
    ),
    Mutant(
        "letters on joining after the end",
        "campaigns/storage.py",
        "     WHERE on_join AND state = 'running' AND ends_at > statement_timestamp()\n",
        "     WHERE on_join AND state = 'running'\n",
        JOINS.format("test_after_its_end_nothing_is_sent_even_without_a_worker"),
    ),
    Mutant(
        "new characters get letters on joining",
        "campaigns/joins.py",
        " AND players.created_at <= campaign.created_at\n",
        "\n",
        JOINS.format("test_a_character_created_after_the_campaign_gets_none"),
    ),
    Mutant(
        "a fault of a letter keeps players out of the game",
        "campaigns/joins.py",
        '        await writer.run("ROLLBACK TO SAVEPOINT letters")\n',
        "        raise\n",
        JOINS.format("test_a_fault_of_a_letter_keeps_nobody_out_of_the_game"),
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
        "a repeated refund does not try lost lines again",
        "orders/changes.py",
        "    if is_new or states.to_refund(order, command.lines):\n",
        "    if is_new:\n",
        ORDERS.format("test_a_refund_takes_what_was_claimed_whole_lines_only"),
    ),
    Mutant(
        "a repeated order does not try waiting lines again",
        "orders/intake.py",
        "    elif not order.waits:\n",
        "    else:\n",
        ORDERS.format("test_a_waiting_order_is_delivered_when_it_is_sent_again"),
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
        "what a reversal could not take back is not listed",
        "campaigns/reversal.py",
        '    if work.kind not in ("letter", "give"):\n',
        "    if True:\n",
        REVERSALS.format("test_what_was_claimed_and_used_is_listed_to_the_piece"),
    ),
    Mutant(
        "a letter that was undone before counts as kept",
        "campaigns/reversal.py",
        "isinstance(outcome, Problem) and not isinstance(outcome, AlreadyUndone)",
        "isinstance(outcome, Problem)",
        REVERSALS.format("test_a_letter_that_was_undone_before_is_not_kept"),
    ),
    Mutant(
        "segments: a negated condition is not negated",
        "segments/statements.py",
        '    return f"NOT ({met})" if condition.negate else f"({met})"',
        '    return f"({met})"',
        CONDITIONS.format("test_random_conditions_find_the_same_as_python"),
    ),
    Mutant(
        "segments: any of several conditions is all of them",
        "segments/statements.py",
        '"any": " OR "}',
        '"any": " AND "}',
        CONDITIONS.format("test_random_conditions_find_the_same_as_python"),
    ),
    Mutant(
        "segments: a variable that was never set meets no condition",
        "segments/statements.py",
        "    if _is_met(condition, DEFAULTS[variable.type], variable):\n",
        "    if False:\n",
        CONDITIONS.format("test_each_field_alone_finds_the_same_as_python"),
    ),
    Mutant(
        "segments: a condition on a variable that was deleted matches everybody",
        "segments/statements.py",
        '        return "false"\n',
        '        return "true"\n',
        CONDITIONS.format("test_a_deleted_variable_or_a_changed_type_matches_no_character"),
    ),
    Mutant(
        "a session of Stripe that is not paid is delivered",
        "orders/shops/stripe.py",
        '            if text_at(found, "payment_status") not in PAID:\n',
        "            if False:\n",
        "tests/orders/test_webhooks.py::test_unknown_events_are_accepted_and_do_nothing",
    ),
    Mutant(
        "refunds of Stripe are of another order than the payment",
        "orders/shops/stripe.py",
        'text_at(session, "payment_intent") or required(session, "id")',
        'required(session, "id")',
        REPLAYS.format("test_each_order_is_delivered_once_and_refunded_once"),
    ),
    Mutant(
        "the signature of Tebex is of any body",
        "orders/shops/signatures.py",
        "    signed = hashlib.sha256(raw).hexdigest().encode()\n",
        """    signed = headers.get("x-signature", "").encode()
    return bool(signed) and len(secrets) > 0
""",
        REPLAYS.format("test_each_order_is_delivered_once_and_refunded_once"),
    ),
    Mutant(
        "a recorded webhook is accepted later",
        "orders/shops/signatures.py",
        "    if len(times) != 1 or not _is_recent(times[0], now):\n",
        "    if len(times) != 1:\n",
        REPLAYS.format("test_a_recorded_delivery_expires_and_a_retry_of_the_shop_does_not"),
    ),
    Mutant(
        "codes: a code is not locked, and used more often than it can be",
        "codes/storage.py",
        "FROM codes WHERE hash = $1 FOR NO KEY UPDATE",
        "FROM codes WHERE hash = $1",
        REDEMPTIONS.format("test_many_at_once_redeem_a_code_as_often_as_it_can_be[7]"),
    ),
    Mutant(
        "codes: the code is checked only before its lock",
        "codes/redemption.py",
        "    check_code(batch, locked)\n",
        "",
        REDEMPTIONS.format("test_many_at_once_redeem_a_code_as_often_as_it_can_be[7]"),
    ),
    Mutant(
        "codes: a second code of a campaign at the same time gives a second letter",
        "codes/redemption.py",
        "    if not inserted:\n        await _check_first(writer, command, batch, code)\n",
        "",
        REDEMPTIONS.format("test_many_codes_at_once_give_one_account_one_letter"),
    ),
    Mutant(
        "codes: the end of a batch does not matter",
        "codes/redemption.py",
        "if batch.expires_at and now >= batch.expires_at:",
        "if batch.expires_at and now < batch.created_at:",
        REDEMPTIONS.format("test_a_code_before_its_start_and_after_its_end"),
    ),
    Mutant(
        "codes: a revoked code is redeemed",
        "codes/redemption.py",
        "    if code.revoked_at is not None:\n        raise CodeRevoked\n",
        "",
        REDEMPTIONS.format("test_a_revoked_code_and_a_revoked_batch"),
    ),
    Mutant(
        "codes: those of a replaced download count",
        "codes/generation.py",
        "    while await database.write(lambda writer: _delete_some(writer, download)):\n"
        "        pass\n",
        "",
        "tests/codes/test_batches.py::test_a_second_download_replaces_the_codes_of_the_first",
    ),
    Mutant(
        "codes: a batch that is not activated is redeemed",
        "codes/redemption.py",
        'if batch.state != "active":',
        'if batch.state == "draft":',
        "tests/codes/test_batches.py::test_a_batch_from_its_creation_to_its_activation",
    ),
    Mutant(
        "codes: a wrong guess is refunded",
        "codes/redemption.py",
        "        subjects = []\n        raise\n",
        "        raise\n",
        "tests/codes/test_throttles.py::test_an_account_guesses_ten_times",
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
    Mutant(
        "a token of another audience",
        "users/identities/sources/id_tokens.py",
        '"aud": expected.client_id in audiences,',
        '"aud": True,',
        SOURCES.format("test_7_a_wrong_claim_is_refused[the audience]"),
    ),
    Mutant(
        "a token for two without azp",
        "users/identities/sources/id_tokens.py",
        "(party is None and len(audiences) == 1)",
        "party is None",
        SOURCES.format("test_7_a_wrong_claim_is_refused[audiences without azp]"),
    ),
    Mutant(
        "a token with another azp",
        "users/identities/sources/id_tokens.py",
        "party == expected.client_id or (party is None",
        "party is not None or (party is None",
        SOURCES.format("test_7_a_wrong_claim_is_refused[azp]"),
    ),
    Mutant(
        "a token of another issuer",
        "users/identities/sources/id_tokens.py",
        '"iss": issuer is not None and claims.get("iss") == issuer,',
        '"iss": True,',
        SOURCES.format("test_7_a_wrong_claim_is_refused[the issuer]"),
    ),
    Mutant(
        "a token without a nonce check",
        "users/identities/sources/id_tokens.py",
        "compare_digest(nonce.encode(), expected.nonce.encode())",
        "True",
        SOURCES.format("test_7_a_wrong_claim_is_refused[the nonce]"),
    ),
    Mutant(
        "an expired token",
        "users/identities/sources/id_tokens.py",
        'claims["exp"] > now - SKEW_SECONDS',
        'claims["exp"] > 0',
        SOURCES.format("test_7_a_wrong_claim_is_refused[expired]"),
    ),
    Mutant(
        "a token of tomorrow",
        "users/identities/sources/id_tokens.py",
        'claims["iat"] < now + SKEW_SECONDS',
        'claims["iat"] > 0',
        SOURCES.format("test_7_a_wrong_claim_is_refused[of tomorrow]"),
    ),
    Mutant(
        "a token that is not yet valid",
        "users/identities/sources/id_tokens.py",
        'claims["nbf"] < now + SKEW_SECONDS',
        'claims["nbf"] > 0',
        SOURCES.format("test_7_a_wrong_claim_is_refused[not yet valid]"),
    ),
    Mutant(
        "a token with any algorithm",
        "users/identities/sources/id_tokens.py",
        "if algorithm not in expected.algorithms:",
        'if algorithm not in (*expected.algorithms, "RS512"):',
        SOURCES.format("test_7_an_algorithm_that_is_not_allowed_is_refused"),
    ),
    Mutant(
        "the key of a token from its header",
        "users/identities/sources/id_tokens.py",
        '_key(keys, header.get("kid"), str(algorithm))',
        'header.get("jwk") or _key(keys, header.get("kid"), str(algorithm))',
        SOURCES.format("test_7_the_key_never_comes_from_the_header"),
    ),
    Mutant(
        "keys fetched for every unknown one",
        "users/identities/sources/oidc.py",
        "await self._keys.get(REFRESH_SECONDS)",
        "await self._keys.get(0)",
        SOURCES.format("test_7_rotated_keys_are_fetched_again_but_not_at_any_time"),
    ),
    Mutant(
        "keys never fetched again",
        "users/identities/sources/oidc.py",
        "await self._keys.get(REFRESH_SECONDS)",
        "await self._keys.get(CACHE_SECONDS)",
        SOURCES.format("test_7_rotated_keys_are_fetched_again_but_not_at_any_time"),
    ),
    Mutant(
        "an answer of another issuer",
        "users/identities/sources/oidc.py",
        "        if sent != self._source.issuer:",
        "        if not sent:",
        SOURCES.format("test_5_an_answer_of_another_issuer_is_refused"),
    ),
    Mutant(
        "an answer without the announced iss",
        "users/identities/sources/oidc.py",
        "if sent is None and not configuration.authorization_response_iss_parameter_supported:",
        "if sent is None:",
        SOURCES.format("test_5_an_issuer_that_announces_iss_must_send_it"),
    ),
    Mutant(
        "a configuration of another issuer",
        "users/identities/sources/oidc.py",
        "        if found.issuer != self._source.issuer:",
        "        if not found.issuer:",
        SOURCES.format("test_5_the_configuration_must_name_the_configured_issuer"),
    ),
    Mutant(
        "PKCE without its verifier",
        "users/identities/sources/discord.py",
        '"code_verifier": flow.verifier,',
        '"code_verifier": flow.state,',
        SOURCES.format("test_a_link_and_a_sign_in_by_each_source[discord-80351110224678912]"),
    ),
    Mutant(
        "the same PKCE verifier for all",
        "users/identities/sources/proofs.py",
        'f"sign-in verifier:{state}"',
        '"sign-in verifier"',
        SOURCES.format("test_2_every_request_has_a_challenge_and_a_state_of_its_own[discord]"),
    ),
    Mutant(
        "a return address by its beginning",
        "users/identities/flows.py",
        "if return_to not in sign_in_sources.returns(database.settings.sign_in_returns):",
        "if not return_to.startswith(tuple(database.settings.sign_in_returns.split(', '))):",
        SOURCES.format("test_1_a_return_address_is_compared_as_an_exact_string"),
    ),
    Mutant(
        "an answer in any browser",
        "users/identities/flows.py",
        "WHERE state_hash = $1 AND source = $2 AND browser_hash = $3\n",
        "WHERE state_hash = $1 AND source = $2 AND $3::bytea IS NOT NULL\n",
        SOURCES.format("test_6_an_answer_counts_only_in_the_browser_that_began"),
    ),
    Mutant(
        "an answer at the address of any source",
        "users/identities/flows.py",
        "WHERE state_hash = $1 AND source = $2 AND browser_hash = $3\n",
        "WHERE state_hash = $1 AND $2::text IS NOT NULL AND browser_hash = $3\n",
        SOURCES.format("test_5_each_source_has_an_address_of_its_own"),
    ),
    Mutant(
        "a state used twice",
        "users/identities/flows.py",
        "UPDATE identity_flows SET state_hash = NULL\n",
        "UPDATE identity_flows SET state_hash = state_hash\n",
        SOURCES.format("test_3_an_answer_and_a_result_are_used_once"),
    ),
    Mutant(
        "a flow finished without its result",
        "users/identities/flows.py",
        "AND result_hash = $3\n",
        "AND $3::bytea IS NOT NULL AND issuer IS NOT NULL\n",
        SOURCES.format("test_6_who_sends_a_link_to_somebody_gets_no_result"),
    ),
    Mutant(
        "a flow finished without its secret",
        "users/identities/flows.py",
        "WHERE id = $1 AND secret_hash = $2 AND",
        "WHERE id = $1 AND $2::bytea IS NOT NULL AND",
        SOURCES.format("test_6_who_sends_a_link_to_somebody_gets_no_result"),
    ),
    Mutant(
        "a flow finished by another account",
        "users/identities/flows.py",
        "AND user_id IS NOT DISTINCT FROM $4 AND",
        "AND ($4::uuid IS NULL OR TRUE) AND",
        SOURCES.format("test_6_who_sends_a_link_to_somebody_gets_no_result"),
    ),
    Mutant(
        "a sign-in of a banned account by an identity",
        "users/identities/sign_ins.py",
        "if await banned_accounts(writer, [user]):",
        "if not user:",
        SOURCES.format("test_a_ban_holds_on_every_way_in[discord]"),
    ),
    Mutant(
        "a proof accepted twice",
        "users/identities/flows.py",
        "*(_digest(result), person.replay_key),",
        "*(_digest(result), None),",
        SOURCES.format("test_steam_a_nonce_is_accepted_once"),
    ),
    Mutant(
        "an answer by POST for any source",
        "api/sign_in_pages.py",
        "    if not sources.source(source).is_posted:\n",
        "    if not sources.source(source).label:\n",
        SOURCES.format("test_an_answer_by_post_counts_only_for_form_post"),
    ),
    Mutant(
        "a parameter that comes twice",
        "api/sign_in_pages.py",
        "if len({name for name, _ in pairs}) != len(pairs):",
        "if not pairs:",
        SOURCES.format("test_a_parameter_that_comes_twice_is_refused"),
    ),
    Mutant(
        "the address of a flow sent on",
        "api/sign_in_pages.py",
        '("Referrer-Policy", "no-referrer"),',
        '("Referrer-Policy", "unsafe-url"),',
        SOURCES.format("test_9_nothing_leaks_from_the_addresses_on_the_way"),
    ),
    Mutant(
        "no SameSite=None for form_post",
        "api/sign_in_pages.py",
        '"; SameSite=None" if is_posted',
        '"; SameSite=Lax" if is_posted',
        SOURCES.format("test_9_nothing_leaks_from_the_addresses_on_the_way"),
    ),
    Mutant(
        "a link without the password",
        "api/v1/identities.py",
        "await passwords.prove_or_refuse(database, vault, str(me), secret, source=source)\n",
        "await passwords._account(database.reader, str(me))\n",
        SOURCES.format("test_6_a_link_needs_the_password"),
    ),
    Mutant(
        "Steam without a check of its mode",
        "users/identities/sources/steam.py",
        'answer.get("openid.mode") == "id_res",',
        "True,",
        SOURCES.format("test_steam_every_field_is_checked_though_it_is_signed[mode]"),
    ),
    Mutant(
        "Steam without a check of its namespace",
        "users/identities/sources/steam.py",
        'answer.get("openid.ns") == NAMESPACE,',
        "True,",
        SOURCES.format("test_steam_every_field_is_checked_though_it_is_signed[namespace]"),
    ),
    Mutant(
        "Steam without a check of its endpoint",
        "users/identities/sources/steam.py",
        'answer.get("openid.op_endpoint") == ENDPOINT,',
        "True,",
        SOURCES.format("test_steam_every_field_is_checked_though_it_is_signed[endpoint]"),
    ),
    Mutant(
        "Steam without a check of its identity",
        "users/identities/sources/steam.py",
        'answer.get("openid.claimed_id") == answer.get("openid.identity"),',
        "True,",
        SOURCES.format("test_steam_every_field_is_checked_though_it_is_signed[identity]"),
    ),
    Mutant(
        "Steam without a check of its unsigned identity",
        "users/identities/sources/steam.py",
        'answer.get("openid.signed") == SIGNED,',
        "True,",
        SOURCES.format("test_steam_every_field_is_checked_though_it_is_signed[unsigned identity]"),
    ),
    Mutant(
        "Steam without a check of its return_to of another flow",
        "users/identities/sources/steam.py",
        'answer.get("openid.return_to") == _return_to(flow),',
        "True,",
        SOURCES.format("test_steam_every_field_is_checked_though_it_is_signed[another flow]"),
    ),
    Mutant(
        "Steam without a check of its old nonce",
        "users/identities/sources/steam.py",
        '_is_recent(answer.get("openid.response_nonce", ""), now),',
        "True,",
        SOURCES.format("test_steam_every_field_is_checked_though_it_is_signed[old nonce]"),
    ),
    Mutant(
        "Steam confirms by a substring",
        "users/identities/sources/steam.py",
        "if confirmed.status != 200 or not _is_valid(confirmed.body):",
        'if confirmed.status != 200 or b"is_valid:true" not in confirmed.body:',
        SOURCES.format("test_steam_must_confirm_in_key_values"),
    ),
    Mutant(
        "Steam is not asked",
        "users/identities/sources/steam.py",
        "if confirmed.status != 200 or not _is_valid(confirmed.body):",
        "if confirmed.status != 200:",
        SOURCES.format("test_steam_what_it_did_not_say_is_refused"),
    ),
    Mutant(
        "a Steam identity by its beginning",
        "users/identities/sources/steam.py",
        "found = IDENTITY.fullmatch(",
        "found = IDENTITY.match(",
        SOURCES.format("test_steam_the_identity_is_matched_as_a_whole"),
    ),
    Mutant(
        "a Steam ticket for another service",
        "users/identities/sources/steam.py",
        '"identity": self._source.identity,',
        '"identity": "another service",',
        SOURCES.format("test_steam_a_ticket_for_another_service_is_refused"),
    ),
    Mutant(
        "a Steam ticket of a borrowed game",
        "users/identities/sources/steam.py",
        "if owner not in (None, subject) or params",
        "if params",
        SOURCES.format("test_steam_tickets"),
    ),
    Mutant(
        "an identity of a banned account moves",
        "users/identities/links.py",
        "    if await _is_of_banned(writer, command):\n",
        "    if False:\n",
        LINKS.format("test_an_identity_does_not_carry_a_banned_person_to_another_account"),
    ),
    Mutant(
        "the last way to sign in is unlinked",
        "users/identities/links.py",
        "    if not await _has_another_way_in(writer, command):\n",
        "    if await _has_another_way_in(writer, command) is None:\n",
        LINKS.format("test_the_last_way_to_sign_in_stays"),
    ),
    Mutant(
        "a trojan identifier stays",
        "users/resets.py",
        "    await links.remove_unproven(writer, {user: good[user].by for user in proven})\n",
        "",
        LINKS.format("test_the_first_proof_of_an_address_drops_identities_linked_before"),
    ),
    Mutant(
        "a link code used twice",
        "users/identities/codes.py",
        '        await writer.run("DELETE FROM link_codes WHERE hash = ANY($1)", hashes)\n',
        "        pass\n",
        LINKS.format("test_a_code_is_used_once"),
    ),
    Mutant(
        "a link code that never expires",
        "users/identities/codes.py",
        "WHERE hash = ANY($1) AND expires_at > statement_timestamp()",
        "WHERE hash = ANY($1) AND expires_at IS NOT NULL",
        LINKS.format("test_a_code_expires_and_a_new_one_replaces_it"),
    ),
    Mutant(
        "sign-ins outlive their identity",
        "users/identities/links.py",
        "identity_id = gone.id\n",
        "identity_id = gone.user_id\n",
        LINKS.format("test_unlinking_ends_the_sign_ins_and_keeps_a_record"),
    ),
    Mutant(
        "identities of accounts with more permissions",
        "users/identities/links.py",
        "Management(command.manager, command.user_id, takes_over=True)",
        "Management(None, command.user_id, takes_over=True)",
        LINKS.format("test_who_manages_identities_takes_over_no_account_with_more_permissions"),
    ),
    Mutant(
        "a redirect URI by its beginning",
        "provider/redirects.py",
        "    if uri in registered:",
        "    if any(uri.startswith(known) for known in registered):",
        PROVIDER.format("test_attacks.py::test_a_browser_is_never_sent_to_another_address"),
    ),
    Mutant(
        "a loopback address with any path",
        "provider/redirects.py",
        """    return f"{found[1]}{found[3] or ''}"\n""",
        "    return found[1]\n",
        PROVIDER.format("test_attacks.py::test_only_the_port_of_a_loopback_address_varies"),
    ),
    Mutant(
        "any redirect URI can be registered",
        "provider/redirects.py",
        '    if not host or not (parts.scheme == "https" or is_local):',
        "    if False:",
        PROVIDER.format("test_attacks.py::test_an_address_that_is_not_safe_cannot_be_registered"),
    ),
    Mutant(
        "PKCE is optional",
        "provider/authorization.py",
        '        return not request.client.requires_pkce and "code_challenge_method" not in fields',
        '        return "code_challenge_method" not in fields',
        PROVIDER.format("test_attacks.py::test_a_wrong_request_is_refused_with_state_and_issuer"),
    ),
    Mutant(
        "plain challenges",
        "provider/authorization.py",
        '    is_s256 = fields.get("code_challenge_method") == "S256"',
        "    is_s256 = True",
        PROVIDER.format("test_attacks.py::test_a_wrong_request_is_refused_with_state_and_issuer"),
    ),
    Mutant(
        "a verifier without a challenge",
        "provider/sign_ins.py",
        '        return row["challenge"] is None and command.verifier is None',
        '        return row["challenge"] is None',
        PROVIDER.format("test_attacks.py::test_a_verifier_without_a_challenge_is_refused"),
    ),
    Mutant(
        "a code for any verifier",
        "provider/sign_ins.py",
        '    return compare_digest(row["challenge"], challenge_of(command.verifier))',
        "    return True",
        PROVIDER.format("test_attacks.py::test_a_code_is_bound_to_what_it_was_made_for"),
    ),
    Mutant(
        "a code for any redirect URI",
        "provider/sign_ins.py",
        '    if row["redirect_uri"] != command.redirect_uri:',
        "    if False:",
        PROVIDER.format("test_attacks.py::test_a_code_is_bound_to_what_it_was_made_for"),
    ),
    Mutant(
        "a code for any client",
        "provider/sign_ins.py",
        "FROM openid_sign_ins WHERE code_hash = $1 AND client_id = $2\n",
        "FROM openid_sign_ins WHERE code_hash = $1 AND $2::text IS NOT NULL\n",
        PROVIDER.format("test_attacks.py::test_a_code_of_one_client_is_nothing_to_another"),
    ),
    Mutant(
        "a replayed code ends nothing",
        "provider/sign_ins.py",
        """        # Two parties have it (RFC 6749, 4.1.2): what the first got is void.
        await end(writer, row["id"])
""",
        "",
        PROVIDER.format("test_attacks.py::test_a_code_that_is_used_twice_ends_what_it_began"),
    ),
    Mutant(
        "a code is exchanged without a lock",
        "provider/sign_ins.py",
        """FROM openid_sign_ins WHERE code_hash = $1 AND client_id = $2
           FOR UPDATE
""",
        "FROM openid_sign_ins WHERE code_hash = $1 AND client_id = $2\n",
        PROVIDER.format("test_validity.py::test_a_code_is_exchanged_once_by_two_at_the_same_time"),
    ),
    Mutant(
        "a code lives for an hour",
        "provider/sign_ins.py",
        "CODE_SECONDS = 60",
        "CODE_SECONDS = 3600",
        PROVIDER.format("test_attacks.py::test_a_code_expires_after_a_minute"),
    ),
    Mutant(
        "codes without a bound",
        "provider/sign_ins.py",
        "    await writer.run(DROP_CODES, command.user_id, command.client_id, MAX_CODES)\n",
        "",
        PROVIDER.format("test_bounds.py::test_unused_codes_of_one_account_are_bounded"),
    ),
    Mutant(
        "a code lives as long as a sign-in",
        "provider/sign_ins.py",
        "now() + make_interval(secs => $10), now() + make_interval(secs => $10)",
        "now() + make_interval(secs => $10), now() + interval '60 days'",
        PROVIDER.format(
            "test_bounds.py::test_a_code_that_nobody_exchanges_is_gone_after_its_minute"
        ),
    ),
    Mutant(
        "sign-ins without a bound",
        "provider/sign_ins.py",
        "    await _trim(writer, row)\n",
        "",
        PROVIDER.format("test_bounds.py::test_sign_ins_of_one_session_are_bounded"),
    ),
    Mutant(
        "sign-ins end without a notice",
        "provider/sign_ins.py",
        'if old["session_id"] not in left]',
        "if not old]",
        PROVIDER.format("test_bounds.py::test_the_oldest_sign_ins_at_a_client_end_with_a_notice"),
    ),
    Mutant(
        "a reused refresh token ends nothing",
        "provider/refreshes.py",
        """        # Two parties have it, one of them a thief (RFC 9700, 4.14.2).
        await end(writer, row["id"])
""",
        "",
        PROVIDER.format("test_refresh.py::test_a_reuse_after_the_grace_period_ends_the_sign_in"),
    ),
    Mutant(
        "a refresh token without a grace period",
        "provider/refreshes.py",
        "GRACE_SECONDS = 15",
        "GRACE_SECONDS = 0",
        PROVIDER.format("test_refresh.py::test_a_repetition_within_the_grace_period_gets_the_same"),
    ),
    Mutant(
        "a repetition begins a second branch",
        "api/openid/token.py",
        "refreshes.successor(vault, body.refresh_token)",
        'refreshes.successor(vault, str(credentials.new_credential("gkor")))',
        PROVIDER.format(
            "test_refresh.py::test_a_repetition_gets_the_same_although_its_successor_was_used"
        ),
    ),
    Mutant(
        "a refresh token for any client",
        "provider/refreshes.py",
        "WHERE hash = $1 AND kind = 'refresh' AND client_id = $2\n",
        "WHERE hash = $1 AND kind = 'refresh' AND $2::text IS NOT NULL\n",
        PROVIDER.format("test_refresh.py::test_a_refresh_token_belongs_to_its_client"),
    ),
    Mutant(
        "refused scopes use up the refresh token",
        "provider/refreshes.py",
        """    if not command.scopes <= set(row["scopes"]):
        return ScopeNotGranted()
""",
        "",
        PROVIDER.format("test_refresh.py::test_a_scope_that_was_not_granted_is_refused"),
    ),
    Mutant(
        "refreshes without a bound",
        "provider/refreshes.py",
        ">= MAX_REFRESHES_PER_HOUR:",
        "< 0:",
        PROVIDER.format("test_refresh.py::test_the_refreshes_of_a_sign_in_are_bounded"),
    ),
    Mutant(
        "no issuer in the answer",
        "provider/authorization.py",
        '{**given, "iss": self.issuer}',
        "given",
        PROVIDER.format("test_attacks.py::test_a_wrong_request_is_refused_with_state_and_issuer"),
    ),
    Mutant(
        "a token of any client is revoked",
        "provider/bearers.py",
        '    revoked = [row for row in rows if (row["hash"], row["client_id"]) in own]',
        "    revoked = rows",
        PROVIDER.format("test_refresh.py::test_a_refresh_token_belongs_to_its_client"),
    ),
    Mutant(
        "a confidential client without its secret",
        "api/openid/token.py",
        '    elif not client.knows(secret or ""):',
        "    elif secret and not client.knows(secret):",
        PROVIDER.format("test_attacks.py::test_a_confidential_client_needs_its_secret"),
    ),
    Mutant(
        "a public client becomes weaker",
        "provider/client_commands.py",
        "    if before.is_public and (weakens or command.secret):",
        "    if before.is_public and command.secret:",
        PROVIDER.format("test_attacks.py::test_a_public_client_stays_public"),
    ),
    Mutant(
        "a public client gets a secret",
        "provider/client_commands.py",
        "    if before.is_public and (weakens or command.secret):",
        "    if before.is_public and weakens:",
        PROVIDER.format("test_attacks.py::test_a_public_client_stays_public"),
    ),
    Mutant(
        "staff let a client ask for addresses that they cannot see",
        "provider/client_commands.py",
        "    if _exceeds(command.caller, command.scopes):",
        "    if _exceeds(None, command.scopes):",
        PROVIDER.format(
            "test_client_endpoints.py::test_nobody_lets_a_client_ask_for_what_they_cannot_read"
        ),
    ),
    Mutant(
        "staff send addresses that they cannot see elsewhere",
        "provider/client_commands.py",
        "{*before.scopes, *(command.scopes or ())}",
        "{*(command.scopes or ())}",
        PROVIDER.format(
            "test_client_endpoints.py::test_nobody_lets_a_client_ask_for_what_they_cannot_read"
        ),
    ),
    Mutant(
        "the secret of a client is stored with its reply",
        "api/v1/openid_clients.py",
        "return CreatedOpenIdClient(**structs.asdict(client), secret=None)",
        'return CreatedOpenIdClient(**structs.asdict(client), secret="gkox_0")',
        PROVIDER.format(
            "test_client_endpoints.py::test_the_secret_is_shown_once_and_stored_nowhere"
        ),
    ),
    Mutant(
        "a launcher is trusted",
        "provider/authorization.py",
        """        if redirects.is_loopback_ip(self.redirect_uri):
            return True
""",
        "",
        PROVIDER.format("test_attacks.py::test_a_launcher_always_asks_on_a_loopback_address"),
    ),
    Mutant(
        "a page of another site decides",
        "api/openid/authorize.py",
        "    same_origin.check(request, is_safe=False)\n",
        "",
        PROVIDER.format("test_attacks.py::test_a_page_of_another_site_changes_nothing"),
    ),
    Mutant(
        "a page of another site signs in",
        "api/openid/sign_in.py",
        "    same_origin.check(request, is_safe=False)\n",
        "",
        PROVIDER.format("test_attacks.py::test_a_page_of_another_site_changes_nothing"),
    ),
    Mutant(
        "a page of another site signs out",
        "api/openid/sign_out.py",
        "    same_origin.check(request, is_safe=False)\n",
        "",
        PROVIDER.format("test_attacks.py::test_a_page_of_another_site_changes_nothing"),
    ),
    Mutant(
        "a decision for another account",
        "api/openid/authorize.py",
        " or client_records.subject_of(session.user_id) != body.account:",
        ":",
        PROVIDER.format("test_attacks.py::test_another_tab_signed_in_as_somebody_else"),
    ),
    Mutant(
        "consent by an account that is not the hinted one",
        "api/openid/authorize.py",
        """    if wanted.subject is not None and wanted.subject != body.account:
        raise StaleRequest
""",
        "",
        PROVIDER.format("test_hints.py::test_consent_is_given_only_by_the_hinted_account"),
    ),
    Mutant(
        "the cookie stays the same",
        "provider/sessions.py",
        "               SET hash = $2, address",
        "               SET address",
        PROVIDER.format("test_attacks.py::test_a_sign_in_changes_the_cookie"),
    ),
    Mutant(
        "redirects send a referrer",
        "api/openid/answers.py",
        '("Referrer-Policy", "no-referrer"), *headers]',
        "*headers]",
        PROVIDER.format("test_code_flow.py::test_the_second_sign_in_asks_nothing"),
    ),
    Mutant(
        "a form is copied into a header",
        "api/openid/answers.py",
        '        query = urlencode(authorization.fields_of(request.raw_body.decode("latin-1")))',
        '        query = request.raw_body.decode("latin-1")',
        PROVIDER.format("test_attacks.py::test_a_form_adds_no_header"),
    ),
    Mutant(
        "line ends in headers",
        "http/responses.py",
        "        if not LINE_ENDS.isdisjoint(value):",
        "        if False:",
        "tests/http/test_response_headers.py::test_a_line_end_in_a_header_is_refused",
    ),
    Mutant(
        "hints of another issuer",
        "provider/authorization.py",
        '    return subject if is_ours and isinstance(subject, str) else ""',
        '    return subject if isinstance(subject, str) else ""',
        PROVIDER.format(
            "test_hints.py::test_a_hint_that_was_not_signed_here_is_refused[_other_issuer]"
        ),
    ),
    Mutant(
        "logouts by a hint of another issuer",
        "provider/logout.py",
        """        if claims.get("iss") != settings.openid_issuer:
            raise InvalidLogout
""",
        "",
        PROVIDER.format(
            "test_hints.py::test_a_hint_that_was_not_signed_here_is_refused[_other_issuer]"
        ),
    ),
    Mutant(
        "hints that name no key",
        "provider/keys.py",
        ' or found.header.get("kid") is None:',
        ":",
        PROVIDER.format("test_hints.py::test_a_hint_that_was_not_signed_here_is_refused[_no_kid]"),
    ),
    Mutant(
        "hints of another type",
        "provider/keys.py",
        '    if found.header.get("typ") != kind or',
        "    if",
        PROVIDER.format(
            "test_hints.py::test_a_hint_that_was_not_signed_here_is_refused[_other_type]"
        ),
    ),
    Mutant(
        "hints without a signature",
        "provider/keys.py",
        'KeySet.import_key_set({"keys": known}), algorithms=[ALGORITHM])',
        'KeySet.import_key_set({"keys": known}), algorithms=[ALGORITHM, "none"])',
        PROVIDER.format("test_hints.py::test_a_hint_that_was_not_signed_here_is_refused[_none]"),
    ),
    Mutant(
        "a logout to any address",
        "provider/logout.py",
        """        if client is None or address not in client.logout_uris:
            raise InvalidLogout
""",
        "",
        PROVIDER.format("test_ends.py::test_a_sign_out_leads_to_no_other_address"),
    ),
    Mutant(
        "a logout by a link",
        "api/openid/sign_out.py",
        "    if wanted.subject != client_records.subject_of(session.user_id):",
        "    if False:",
        PROVIDER.format("test_ends.py::test_a_link_alone_signs_nobody_out"),
    ),
    Mutant(
        "keys are cached longer than they are announced",
        "api/openid/discovery.py",
        "KEYS_SECONDS = 300",
        "KEYS_SECONDS = 86_400",
        PROVIDER.format("test_hints.py::test_clients_fetch_a_new_key_before_it_signs"),
    ),
    Mutant(
        "a new key signs at once",
        "provider/keys.py",
        "            await _insert(writer, new, NOTICE)",
        "            await _insert(writer, new, timedelta())",
        PROVIDER.format("test_code_flow.py::test_the_keys_rotate_with_an_overlap"),
    ),
    Mutant(
        "two first keys",
        "provider/keys.py",
        """        # One at a time: the others take the key of the first.
        await writer.rows("SELECT pg_advisory_xact_lock($1)", LOCK)
""",
        "",
        PROVIDER.format("test_hints.py::test_two_processes_make_one_first_key"),
    ),
    Mutant(
        "keys keep their old password key",
        "provider/keys.py",
        "        await _reseal(writer, vault)\n",
        "",
        PROVIDER.format("test_hints.py::test_keys_are_encrypted_with_the_current_password_key"),
    ),
    Mutant(
        "an unverified address is shared",
        "provider/claims.py",
        "    SELECT name, CASE WHEN {IS_VERIFIED} THEN email END AS email,",
        "    SELECT name, email,",
        PROVIDER.format("test_code_flow.py::test_a_player_signs_in_at_a_website"),
    ),
    Mutant(
        "no email_verified",
        "provider/claims.py",
        '        claims["email_verified"] = account["email"] is not None\n',
        "",
        PROVIDER.format("test_code_flow.py::test_a_player_signs_in_at_a_website"),
    ),
    Mutant(
        "banned accounts exchange codes",
        "provider/sign_ins.py",
        '_fits(row, command) or not await is_allowed(writer, row["id"]):',
        "_fits(row, command):",
        PROVIDER.format("test_validity.py::test_a_client_that_no_longer_admits_banned_accounts"),
    ),
    Mutant(
        "banned accounts refresh",
        "provider/refreshes.py",
        '    if not row["is_live"] or not await is_allowed(writer, row["id"]):',
        '    if not row["is_live"]:',
        PROVIDER.format("test_validity.py::test_a_client_that_no_longer_admits_banned_accounts"),
    ),
    Mutant(
        "banned accounts use access tokens",
        "provider/bearers.py",
        " AND {LIVE} AND {ALLOWED}",
        " AND {LIVE}",
        PROVIDER.format("test_validity.py::test_a_client_that_no_longer_admits_banned_accounts"),
    ),
    Mutant(
        "banned accounts get codes",
        "api/openid/authorize.py",
        "not client.admits_banned and bool(await banned_accounts(",
        "False and bool(await banned_accounts(",
        PROVIDER.format("test_ends.py::test_a_banned_account_cannot_sign_in_again"),
    ),
    Mutant(
        "sessions survive a new password",
        "provider/validity.py",
        "AND passwords.changed_at > {table}.authenticated_at)",
        "AND false)",
        PROVIDER.format(
            "test_validity.py::test_a_password_that_an_older_version_replaced_ends_them"
        ),
    ),
    Mutant(
        "sessions survive a ban that is over",
        "provider/validity.py",
        "AND starts_at <= statement_timestamp()",
        "AND false",
        PROVIDER.format("test_validity.py::test_a_ban_that_is_over_ended_what_began_before_it"),
    ),
    Mutant(
        "sessions survive an access ban",
        "provider/validity.py",
        "WHERE network >>= {table}.address AND",
        "WHERE false AND",
        PROVIDER.format("test_validity.py::test_an_access_ban_stops_what_began_there"),
    ),
    Mutant(
        "an access ban stops no sign-in",
        "api/openid/sign_in.py",
        "        await client_traces.check(database.reader, trace)\n",
        "        pass\n",
        PROVIDER.format("test_validity.py::test_an_access_ban_stops_what_began_there"),
    ),
    Mutant(
        "an import ends no sign-in at websites",
        "transfer/account_changes.py",
        "    await replaced_passwords.end_access(writer, dict.fromkeys(sealed, by))",
        "    return",
        PROVIDER.format("test_validity.py::test_an_imported_password_ends_them"),
    ),
    Mutant(
        "a reset of factors ends no sign-in at websites",
        "users/staff/second_factors.py",
        "    await openid_sessions.end_all(writer, [user])\n",
        "",
        PROVIDER.format("test_validity.py::test_a_reset_of_the_second_factor_ends_them"),
    ),
    Mutant(
        "a ban ends no sign-in at websites",
        "servers/commands/bans.py",
        "    await openid_sessions.end_all(writer, users)\n",
        "",
        PROVIDER.format("test_ends.py::test_a_ban_ends_it_and_the_client_is_told"),
    ),
    Mutant(
        "staff sign in without a second factor",
        "api/openid/sign_in.py",
        '    elif account.is_staff and settings.staff_second_factor == "required":',
        "    elif False:",
        PROVIDER.format("test_validity.py::test_staff_without_a_second_factor_cannot_sign_in"),
    ),
    Mutant(
        "a code is granted beside a ban",
        "provider/sign_ins.py",
        '        "SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR SHARE",',
        '        "SELECT FROM users WHERE id = ANY($1) ORDER BY id",',
        PROVIDER.format("test_validity.py::test_no_code_is_granted_beside_a_ban"),
    ),
    Mutant(
        "the account of the former session is not locked",
        "provider/sessions.py",
        '        [*users, *(row["user_id"] for row in former)],',
        "        users,",
        PROVIDER.format(
            "test_validity.py::test_no_code_is_granted_beside_the_sign_in_of_another_player"
        ),
    ),
    Mutant(
        "a trimmed session keeps its sign-ins",
        "provider/sessions.py",
        '        await openid_sessions.end_session(writer, user, row["id"])\n',
        """        sql = "UPDATE openid_sessions SET ended_at = now() WHERE id = $1"
        await writer.run(sql, row["id"])
""",
        PROVIDER.format("test_bounds.py::test_sessions_of_one_account_are_bounded"),
    ),
    Mutant(
        "a session without an end",
        "provider/validity.py",
        "{table}.ended_at IS NULL AND {table}.expires_at > statement_timestamp()",
        "{table}.ended_at IS NULL",
        PROVIDER.format("test_validity.py::test_a_session_expires"),
    ),
    Mutant(
        "notices wait for a client that hangs",
        "provider/logout.py",
        "            self._slow.add(notice.client_id)\n",
        "            pass\n",
        PROVIDER.format("test_notices.py::test_a_client_that_hangs_gets_one_notice_at_a_time"),
    ),
    Mutant(
        "a notice waits for fifteen seconds",
        "provider/logout.py",
        "content_type=FORM, seconds=SECONDS)",
        "content_type=FORM)",
        PROVIDER.format("test_notices.py::test_a_client_that_hangs_gets_one_notice_at_a_time"),
    ),
    Mutant(
        "a notice is lost by an exception",
        "provider/logout.py",
        "            outcome = Outcome(fault=type(fault).__name__)\n",
        "            outcome = None\n",
        PROVIDER.format("test_notices.py::test_a_fault_of_the_database_loses_no_notice"),
    ),
    Mutant(
        "all sign-ins end in one transaction",
        "auth/openid_sessions.py",
        "END_BATCH = 500",
        "END_BATCH = 1_000_000",
        PROVIDER.format("test_bounds.py::test_all_sign_ins_at_a_client_end_in_short_transactions"),
    ),
    Mutant(
        "a client is deleted in one transaction",
        "provider/clients.py",
        "    for statement in OWNED:",
        "    for statement in OWNED[:0]:",
        PROVIDER.format(
            "test_bounds.py::test_a_client_with_many_sign_ins_is_deleted_in_short_statements"
        ),
    ),
    Mutant(
        "a forum's request without its signature",
        "provider/discourse.py",
        '_signature(secret, sso).encode(), fields.get("sig", "").encode()',
        'b"", b""',
        PROVIDER.format("test_discourse.py::test_a_request_needs_the_signature_of_the_forum"),
    ),
    Mutant(
        "a forum sends the browser anywhere",
        "provider/discourse.py",
        '    if asked.get("return_sso_url") not in client.redirect_uris:',
        '    if "return_sso_url" not in asked:',
        PROVIDER.format("test_discourse.py::test_a_browser_is_sent_only_to_the_forum"),
    ),
    Mutant(
        "a forum trusts addresses that are not verified",
        "provider/discourse.py",
        '"false" if account["is_verified"] else "true"',
        '"false"',
        PROVIDER.format("test_discourse.py::test_a_forum_confirms_an_address_that_is_not_verified"),
    ),
    Mutant(
        "secrets of forums can be copied",
        "provider/discourse.py",
        '    return f"openid discourse {client}"',
        '    return "openid discourse"',
        PROVIDER.format("test_discourse.py::test_the_secret_of_one_forum_is_nothing_to_another"),
    ),
    Mutant(
        "a trojan identifier stays after a click",
        "users/verified_emails.py",
        "            OR (excluded.method = 'reset' AND former.method <> 'reset')\n",
        "",
        LINKS.format("test_a_reset_drops_identities_though_the_address_was_verified_by_a_click"),
    ),
    Mutant(
        "a link code survives a new password",
        "users/replaced_passwords.py",
        '    await writer.run("DELETE FROM link_codes WHERE user_id = ANY($1)", users)\n',
        "",
        LINKS.format("test_a_new_password_voids_codes"),
    ),
    Mutant(
        "a flow to link survives a new password",
        "users/replaced_passwords.py",
        '    await writer.run("DELETE FROM identity_flows WHERE user_id = ANY($1)", users)\n',
        "",
        SOURCES.format("test_12_a_flow_to_link_ends_with_a_new_password"),
    ),
    Mutant(
        "a link code by a password that was replaced",
        "users/identities/codes.py",
        "account is None or await passwords.is_current(writer, account.id, account.sealed)",
        "account is None or account.sealed is not None",
        LINKS.format("test_a_password_that_was_replaced_after_its_check_adds_no_way_in"),
    ),
    Mutant(
        "a flow by a password that was replaced",
        "users/identities/flows.py",
        "if not await passwords.is_current(writer, account.id, account.sealed):",
        "if account.sealed is None:",
        LINKS.format("test_a_password_that_was_replaced_after_its_check_adds_no_way_in"),
    ),
    Mutant(
        "a slow source takes the slots of all anonymous requests",
        "http/application.py",
        "limiter = self._anonymous.outgoing if route.calls_out else self._anonymous.work",
        "limiter = self._anonymous.work",
        SOURCES.format("test_a_slow_source_delays_nobody_else"),
    ),
    Mutant(
        "a slow source lowers the concurrency limit",
        "http/application.py",
        "        if request.caller is not None and route.calls_out:\n",
        "        if request.caller is not None and not route.calls_out:\n",
        SOURCES.format("test_a_slow_source_delays_nobody_else"),
    ),
    Mutant(
        "an issuer that fails is asked at every sign-in",
        "users/identities/sources/oidc.py",
        "                self._failed_at = monotonic()\n",
        "                pass\n",
        SOURCES.format("test_a_source_that_failed_is_not_asked_again_at_once"),
    ),
    Mutant(
        "an erasure forgets the identities of a banned account",
        "users/identities/links.py",
        "UNION SELECT user_id FROM erased_identities WHERE tag = ANY($3)",
        "UNION SELECT user_id FROM erased_identities WHERE tag = ANY($3) AND user_id IS NULL",
        LINKS.format("test_an_erasure_is_no_way_around_a_ban"),
    ),
    Mutant(
        "a flow forgets the identities of erased accounts",
        "users/identities/flows.py",
        "        tags=proven.tags,\n",
        "",
        SOURCES.format("test_an_identity_of_an_erased_and_banned_account_is_not_linked"),
    ),
    Mutant(
        "erased accounts without sanctions leave their identities",
        "users/erasure.py",
        "for _, account in removed_accounts if account.sanctions]",
        "for _, account in removed_accounts]",
        LINKS.format("test_an_erasure_of_an_account_without_sanctions_keeps_no_trace"),
    ),
    Mutant(
        "a ban evaded through a third account",
        "users/identities/links.py",
        "        SELECT user_id FROM former_identities WHERE issuer = $1 AND subject = $2\n",
        """        (SELECT user_id FROM former_identities WHERE issuer = $1 AND subject = $2
          ORDER BY unlinked_at DESC LIMIT 1)
""",
        LINKS.format("test_nor_by_a_third_account_that_had_it_meanwhile"),
    ),
    Mutant(
        "a sign-in by an identity leaves no trace",
        "users/identities/sign_ins.py",
        "    await client_traces.note(writer, [(user, trace)])\n",
        "",
        SOURCES.format("test_a_sign_in_leaves_the_traces_of_one_by_password"),
    ),
    Mutant(
        "a nonce forgotten with its flow",
        "users/identities/flows.py",
        "    UPDATE identity_flows SET result_hash = NULL\n",
        "    UPDATE identity_flows SET result_hash = NULL, replay_key = NULL\n",
        SOURCES.format("test_steam_a_nonce_is_accepted_once"),
    ),
    Mutant(
        "a browser stranded at a source that fails",
        "api/sign_in_pages.py",
        "        return _returned(source, opened.visit, refusal)\n",
        "        raise refusal\n",
        SOURCES.format("test_5_the_configuration_must_name_the_configured_issuer"),
    ),
    Mutant(
        "link codes without a limit",
        "users/identities/codes.py",
        """    await database.write(lambda writer: login_throttle.charge_all(writer, subjects))
    symbols = typed_codes.spell""",
        "    symbols = typed_codes.spell",
        LINKS.format("test_link_codes_are_limited"),
    ),
    Mutant(
        "sign-ins by one identity without a limit",
        "users/identities/sign_ins.py",
        "    await writer.run(END_OLDEST, user, identity, MAX_SIGN_INS - 1)\n",
        "",
        SOURCES.format("test_one_identity_has_a_limited_number_of_sign_ins"),
    ),
    Mutant(
        "a bot names any identity",
        "api/v1/identities.py",
        "if body.issuer not in sign_in_sources.split(settings.link_code_issuers):",
        "if not body.issuer:",
        LINKS.format("test_a_bot_names_only_identities_of_the_issuers_that_it_can_know"),
    ),
    Mutant(
        "an identity of no source counts as a way to sign in",
        "users/identities/links.py",
        'any(sign_in_sources.has_issuer(configured, row["issuer"]) for row in rows)',
        "bool(rows) or not configured",
        LINKS.format("test_an_identity_of_a_source_that_is_not_configured_is_no_way_to_sign_in"),
    ),
    Mutant(
        "an import mails everybody",
        "transfer/account_changes.py",
        "emails.write(writer, new, mails=False)",
        "emails.write(writer, new)",
        "tests/transfer/test_import.py::"
        "test_an_import_mails_nobody_though_it_changes_all_addresses",
    ),
    Mutant(
        "a token of any tenant of Microsoft",
        "users/identities/sources/id_tokens.py",
        "return expected.issuer.replace(TENANT, tenant) if isinstance(tenant, str) else None",
        'return claims["iss"]',
        ID_TOKENS.format("test_a_token_of_microsoft_names_its_tenant_in_both_claims"),
    ),
    Mutant(
        "a key for encryption verifies",
        "users/identities/sources/id_tokens.py",
        '        and key.get("use", "sig") == "sig"\n',
        "",
        ID_TOKENS.format("test_only_a_key_that_fits_verifies[for encryption]"),
    ),
    Mutant(
        "a key of another algorithm verifies",
        "users/identities/sources/id_tokens.py",
        '        and key.get("alg", algorithm) == algorithm\n',
        "",
        ID_TOKENS.format("test_only_a_key_that_fits_verifies[another algorithm]"),
    ),
    Mutant(
        "any of several keys verifies a token that names none",
        "users/identities/sources/id_tokens.py",
        "    if len(fit) != 1:\n",
        "    if not fit:\n",
        ID_TOKENS.format("test_a_token_that_names_no_key_needs_a_set_of_one"),
    ),
    Mutant(
        "a link verifies another address",
        "users/email_proofs.py",
        "WHERE users.id = user_id AND users.email = email_verifications.email\n",
        "WHERE users.id = user_id\n",
        VERIFICATIONS.format("test_a_change_by_the_version_before_voids_the_link_too"),
    ),
    Mutant(
        "verifications outlive a change of address",
        "users/emails.py",
        "    await email_verification.void(writer, new)\n",
        "",
        VERIFICATIONS.format("test_an_old_link_stays_void_when_the_account_gets_its_address_back"),
    ),
    Mutant(
        "a verification that never expires",
        "users/email_proofs.py",
        """           AND used_at IS NULL AND expires_at > statement_timestamp()
        RETURNING user_id, email_verifications.id
""",
        """           AND used_at IS NULL
        RETURNING user_id, email_verifications.id
""",
        VERIFICATIONS.format("test_after_a_day_link_and_code_are_void"),
    ),
    Mutant(
        "a verification used twice",
        "users/email_proofs.py",
        "UPDATE email_verifications SET used_at = now()\n",
        "UPDATE email_verifications SET used_at = NULL\n",
        VERIFICATIONS.format("test_the_link_verifies_the_address_once"),
    ),
    Mutant(
        "verification codes tried without end",
        "users/email_proofs.py",
        "               AND code_tries < $2\n",
        "               AND $2::int > 0\n",
        VERIFICATIONS.format("test_after_five_wrong_codes_only_the_link_is_valid"),
    ),
    Mutant(
        "verification codes tried from one address without a budget",
        "users/email_proofs.py",
        "        await login_throttle.charge_all(writer, [budget])\n",
        "",
        VERIFICATIONS.format("test_one_address_can_try_twenty_codes_and_then_waits"),
    ),
    Mutant(
        "the former address is not told of a change",
        "users/email_verification.py",
        "    await jobs.enqueue(writer, CHANGE_MAIL, noticed)\n",
        "",
        VERIFICATIONS.format("test_a_change_confirms_the_new_address_and_tells_the_old_one"),
    ),
    Mutant(
        "verifications use up the notices of changes",
        "users/email_verification.py",
        "count(former_email) >= $4 AS silent",
        "count(*) >= $4 AS silent",
        VERIFICATIONS.format("test_requests_cannot_use_up_the_notice_about_a_change"),
    ),
    Mutant(
        "a proof of another address counts",
        "users/verified_emails.py",
        "WHERE proof.user_id = users.id AND proof.email = users.email)\n",
        "WHERE proof.user_id = users.id)\n",
        "tests/users/test_verified_emails.py::"
        "test_an_address_that_the_version_before_changed_is_unverified",
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
