"""
What the service answers: the keys as on the wire, the attributes with Python names.

Written from the OpenAPI document by tests/clients/records.py; not by hand.
"""

from datetime import date, datetime
from typing import Any

from gamekeeper_client.fields import (
    Field,
    Record,
    as_day,
    as_http_date,
    as_instant,
    as_list,
    as_record,
)


class ApiInfo(Record):
    __slots__ = ()
    versions = Field[list[str]]("versions")


class AccessBan(Record):
    __slots__ = ()
    id = Field[str]("Id")
    code = Field[str]("Code")
    device = Field[str | None]("Device")
    network = Field[str | None]("Network")
    prefix_length = Field[int | None]("PrefixLength")
    ends_at = Field[datetime]("EndsAt", as_instant)
    in_force = Field[bool]("InForce")
    reason = Field[str]("Reason")
    message = Field[str]("Message")
    imposed_at = Field[datetime]("ImposedAt", as_instant)
    imposed_by = Field[str]("ImposedBy")
    imposed_by_name = Field[str]("ImposedByName")
    lifted_at = Field[datetime | None]("LiftedAt", as_instant)
    lifted_by = Field[str | None]("LiftedBy")
    lifted_by_name = Field[str | None]("LiftedByName")
    lift_reason = Field[str | None]("LiftReason")


class AffectedAccount(Record):
    __slots__ = ()
    user_id = Field[str]("UserId")
    user_name = Field[str]("UserName")
    last_seen = Field[datetime]("LastSeen", as_instant)
    is_banned = Field[bool]("IsBanned")
    is_staff = Field[bool]("IsStaff")


class ImposedAccessBan(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    code = Field[str | None]("Code")
    dry_run = Field[bool]("DryRun")
    device = Field[str | None]("Device")
    network = Field[str | None]("Network")
    ends_at = Field[datetime]("EndsAt", as_instant)
    accounts = Field[int]("Accounts")
    more_accounts = Field[bool]("MoreAccounts")
    affected = Field[list[AffectedAccount]]("Affected", as_list(AffectedAccount))


class ActionItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    item_name = Field[str | None]("ItemName", needed=False)


class AuditLogEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    item_id = Field[str | None]("ItemId")
    before = Field[Any]("Before")
    after = Field[Any]("After")
    reason = Field[str | None]("Reason")
    request_id = Field[str]("RequestId")
    address = Field[str | None]("Address")
    undoes = Field[str | None]("Undoes")
    undone_by = Field[str | None]("UndoneBy")
    approved_by = Field[str | None]("ApprovedBy")
    approved_by_name = Field[str | None]("ApprovedByName")
    item_name = Field[str | None]("ItemName", needed=False)
    player_name = Field[str | None]("PlayerName", needed=False)
    user_name = Field[str | None]("UserName", needed=False)
    items_ = Field[list[ActionItem] | None]("Items", as_list(ActionItem), needed=False)


class UndoCounts(Record):
    __slots__ = ()
    kind = Field[str]("Kind")
    found = Field[int]("Found")
    undone = Field[int]("Undone")
    partly = Field[int]("Partly")
    already_undone = Field[int]("AlreadyUndone")
    covered = Field[int]("Covered")
    left = Field[int]("Left")


class ItemOwner(Record):
    __slots__ = ()
    player_id = Field[str | None]("PlayerId")
    guild_id = Field[str | None]("GuildId")
    name = Field[str | None]("Name")


class HandedOn(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    stat_buffs = Field[list[int]]("StatBuffs")
    bag_id = Field[str | None]("BagId")
    quantity = Field[int]("Quantity")
    at = Field[datetime]("At", as_instant)
    action_id = Field[str]("ActionId")
    transaction_id = Field[str | None]("TransactionId")
    to = Field[list[ItemOwner]]("To", as_list(ItemOwner))


class TradeBlocker(Record):
    __slots__ = ()
    reason = Field[str]("Reason")
    what = Field[str]("What")
    id = Field[str | None]("Id")
    name = Field[str | None]("Name")
    place = Field[str | None]("Place")
    wanted = Field[int | None]("Wanted")
    possible = Field[int | None]("Possible")
    expected = Field[bool | int | float | str | None]("Expected")
    found = Field[bool | int | float | str | None]("Found")
    player_id = Field[str | None]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    guild_id = Field[str | None]("GuildId")
    handed_on = Field[list[HandedOn]]("HandedOn", as_list(HandedOn))


class UndoFailure(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    code = Field[str]("Code")
    message = Field[str]("Message")
    in_the_way = Field[list[TradeBlocker]]("InTheWay", as_list(TradeBlocker))


class UndoRecipientItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    item_name = Field[str]("ItemName")
    quantity = Field[int]("Quantity")
    returned = Field[int]("Returned")


class UndoRecipient(Record):
    __slots__ = ()
    player_id = Field[str | None]("PlayerId")
    name = Field[str | None]("Name")
    items_ = Field[list[UndoRecipientItem]]("Items", as_list(UndoRecipientItem))
    conflicts = Field[list[str]]("Conflicts")
    found = Field[int]("Found")
    undone = Field[int]("Undone")
    partly = Field[int]("Partly")
    already_undone = Field[int]("AlreadyUndone")
    left = Field[int]("Left")


class BulkUndoResult(Record):
    __slots__ = ()
    actor = Field[str | None]("Actor")
    dry_run = Field[bool]("DryRun")
    kinds = Field[list[UndoCounts]]("Kinds", as_list(UndoCounts))
    left = Field[list[UndoFailure]]("Left", as_list(UndoFailure))
    next = Field[str | None]("Next")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    recipients = Field[list[UndoRecipient]]("Recipients", as_list(UndoRecipient))


class UndoChange(Record):
    __slots__ = ()
    what = Field[str]("What")
    id = Field[str | None]("Id")
    name = Field[str | None]("Name")
    place = Field[str | None]("Place")
    slot = Field[int | None]("Slot")
    quantity = Field[int | None]("Quantity")
    before = Field[bool | int | float | str | None]("Before")
    after = Field[bool | int | float | str | None]("After")


class UndoBlocker(Record):
    __slots__ = ()
    reason = Field[str]("Reason")
    what = Field[str]("What")
    id = Field[str | None]("Id")
    name = Field[str | None]("Name")
    place = Field[str | None]("Place")
    wanted = Field[int | None]("Wanted")
    possible = Field[int | None]("Possible")
    expected = Field[bool | int | float | str | None]("Expected")
    found = Field[bool | int | float | str | None]("Found")


class UndoResult(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    undoes = Field[str]("Undoes")
    kind = Field[str]("Kind")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    dry_run = Field[bool]("DryRun")
    complete = Field[bool]("Complete")
    done = Field[list[UndoChange]]("Done", as_list(UndoChange))
    not_done = Field[list[UndoBlocker]]("NotDone", as_list(UndoBlocker))


class Sanction(Record):
    __slots__ = ()
    id = Field[str]("Id")
    code = Field[str]("Code")
    kind = Field[str]("Kind")
    user_id = Field[str]("UserId")
    user_name = Field[str]("UserName")
    player_id = Field[str | None]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    starts_at = Field[datetime]("StartsAt", as_instant)
    ends_at = Field[datetime | None]("EndsAt", as_instant)
    in_force = Field[bool]("InForce")
    reason = Field[str]("Reason")
    message = Field[str]("Message")
    template = Field[str | None]("Template")
    step = Field[int | None]("Step")
    evidence = Field[list[str]]("Evidence")
    excerpt_lines = Field[int]("ExcerptLines")
    case_id = Field[str | None]("CaseId")
    imposed_at = Field[datetime]("ImposedAt", as_instant)
    imposed_by = Field[str]("ImposedBy")
    imposed_by_name = Field[str]("ImposedByName")
    lifted_at = Field[datetime | None]("LiftedAt", as_instant)
    lifted_by = Field[str | None]("LiftedBy")
    lifted_by_name = Field[str | None]("LiftedByName")
    lift_reason = Field[str | None]("LiftReason")


class Appeal(Record):
    __slots__ = ()
    id = Field[str]("Id")
    state = Field[str]("State")
    text = Field[str]("Text")
    opened_at = Field[datetime]("OpenedAt", as_instant)
    decided_at = Field[datetime | None]("DecidedAt", as_instant)
    decided_by = Field[str | None]("DecidedBy")
    decided_by_name = Field[str | None]("DecidedByName")
    answer = Field[str | None]("Answer")
    reason = Field[str | None]("Reason")
    sanction = Field[Sanction]("Sanction", as_record(Sanction))
    imposed_by_you = Field[bool]("ImposedByYou")


class AppealOutcome(Record):
    __slots__ = ()
    state = Field[str]("State")
    opened_at = Field[datetime]("OpenedAt", as_instant)
    decided_at = Field[datetime | None]("DecidedAt", as_instant)
    answer = Field[str | None]("Answer")


class AppealStatus(Record):
    __slots__ = ()
    code = Field[str]("Code")
    kind = Field[str]("Kind")
    target = Field[str]("Target")
    state = Field[str]("State")
    starts_at = Field[datetime]("StartsAt", as_instant)
    until = Field[datetime | None]("Until", as_instant)
    message = Field[str]("Message")
    may_appeal = Field[bool]("MayAppeal")
    appeals_left = Field[int]("AppealsLeft")
    appeals = Field[list[AppealOutcome]]("Appeals", as_list(AppealOutcome))


class Exceeded(Record):
    __slots__ = ()
    limit = Field[str]("Limit")
    allowed = Field[int]("Allowed")
    used = Field[int]("Used")
    wanted = Field[int]("Wanted")


class Approval(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    state = Field[str]("State")
    change = Field[dict[str, Any]]("Change")
    exceeded = Field[Exceeded]("Exceeded", as_record(Exceeded))
    reason = Field[str | None]("Reason")
    requested_by = Field[str]("RequestedBy")
    requested_by_name = Field[str]("RequestedByName")
    requested_at = Field[datetime]("RequestedAt", as_instant)
    expires_at = Field[datetime]("ExpiresAt", as_instant)
    decided_by = Field[str | None]("DecidedBy")
    decided_by_name = Field[str | None]("DecidedByName")
    decided_at = Field[datetime | None]("DecidedAt", as_instant)
    decision_reason = Field[str | None]("DecisionReason")
    result = Field[Any]("Result")
    player_name = Field[str | None]("PlayerName", needed=False)
    user_name = Field[str | None]("UserName", needed=False)


class CampaignItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")


class CampaignWork(Record):
    __slots__ = ()
    kind = Field[str]("Kind")
    subject = Field[str | None]("Subject")
    text = Field[str | None]("Text")
    items_ = Field[list[CampaignItem]]("Items", as_list(CampaignItem))
    expires_in_days = Field[int | None]("ExpiresInDays")
    overflow_to_bank = Field[bool | None]("OverflowToBank")
    id = Field[str | None]("Id")
    value = Field[bool | int | float | str | None]("Value")
    color = Field[str | None]("Color")


class Campaign(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    segment = Field[str]("Segment")
    work = Field[CampaignWork]("Work", as_record(CampaignWork))
    reason = Field[str | None]("Reason")
    per_second = Field[int]("PerSecond")
    state = Field[str]("State")
    created_at = Field[datetime]("CreatedAt", as_instant)
    created_by_name = Field[str]("CreatedByName")
    started_at = Field[datetime | None]("StartedAt", as_instant)
    started_by_name = Field[str | None]("StartedByName")
    approved_by_name = Field[str | None]("ApprovedByName")
    reversed_by_name = Field[str | None]("ReversedByName")
    ended_at = Field[datetime | None]("EndedAt", as_instant)
    ends_at = Field[datetime | None]("EndsAt", as_instant)
    on_join = Field[bool]("OnJoin")
    max_recipients = Field[int | None]("MaxRecipients")
    schedule_id = Field[str | None]("ScheduleId")
    recipients = Field[int]("Recipients")
    done = Field[int]("Done")
    skipped = Field[int]("Skipped")
    refused = Field[int]("Refused")
    reversed = Field[int]("Reversed")
    kept = Field[int]("Kept")
    fault = Field[str | None]("Fault")


class DryRunRefusal(Record):
    __slots__ = ()
    code = Field[str]("Code")
    recipients = Field[int]("Recipients")


class DryRunItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    pieces = Field[int]("Pieces")
    supply = Field[int]("Supply")
    value = Field[int | None]("Value")


class DryRunSample(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    name = Field[str]("Name")
    before = Field[int | None]("Before")
    after = Field[int | None]("After")
    code = Field[str | None]("Code")


class CampaignDryRun(Record):
    __slots__ = ()
    recipients = Field[int]("Recipients")
    sampled = Field[int]("Sampled")
    possible = Field[int]("Possible")
    skipped = Field[int]("Skipped")
    refused = Field[list[DryRunRefusal]]("Refused", as_list(DryRunRefusal))
    items_ = Field[list[DryRunItem]]("Items", as_list(DryRunItem))
    samples = Field[list[DryRunSample]]("Samples", as_list(DryRunSample))


class KeptItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    wanted = Field[int]("Wanted")
    taken = Field[int]("Taken")


class CampaignRecipient(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    name = Field[str | None]("Name")
    state = Field[str]("State")
    code = Field[str | None]("Code")
    kept = Field[list[KeptItem]]("Kept", as_list(KeptItem))
    at = Field[datetime | None]("At", as_instant)


class Case(Record):
    __slots__ = ()
    id = Field[str]("Id")
    state = Field[str]("State")
    user_id = Field[str]("UserId")
    user_name = Field[str | None]("UserName")
    player_id = Field[str]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    category = Field[str]("Category")
    categories = Field[list[str]]("Categories")
    severity = Field[int]("Severity")
    reports = Field[int]("Reports")
    reporters = Field[int]("Reporters")
    priority = Field[int]("Priority")
    opened_at = Field[datetime]("OpenedAt", as_instant)
    last_report_at = Field[datetime]("LastReportAt", as_instant)
    claimed_at = Field[datetime | None]("ClaimedAt", as_instant)
    claimed_by = Field[str | None]("ClaimedBy")
    claimed_by_name = Field[str | None]("ClaimedByName")
    closed_at = Field[datetime | None]("ClosedAt", as_instant)
    closed_by = Field[str | None]("ClosedBy")
    closed_by_name = Field[str | None]("ClosedByName")
    outcome = Field[str | None]("Outcome")
    sanction_id = Field[str | None]("SanctionId")


class WaitingTime(Record):
    __slots__ = ()
    median = Field[float | None]("Median")
    p90 = Field[float | None]("P90")


class ModeratorCases(Record):
    __slots__ = ()
    actor = Field[str]("Actor")
    name = Field[str]("Name")
    closed = Field[int]("Closed")
    median_seconds = Field[float]("MedianSeconds")


class CaseStatistics(Record):
    __slots__ = ()
    since = Field[datetime]("Since", as_instant)
    until = Field[datetime]("Until", as_instant)
    open = Field[int]("Open")
    unclaimed = Field[int]("Unclaimed")
    oldest_open_at = Field[datetime | None]("OldestOpenAt", as_instant)
    opened = Field[int]("Opened")
    closed = Field[int]("Closed")
    until_claimed = Field[WaitingTime]("UntilClaimed", as_record(WaitingTime))
    until_closed = Field[WaitingTime]("UntilClosed", as_record(WaitingTime))
    outcomes = Field[dict[str, Any]]("Outcomes")
    moderators = Field[list[ModeratorCases]]("Moderators", as_list(ModeratorCases))


class PlayerReport(Record):
    __slots__ = ()
    id = Field[str]("Id")
    case_id = Field[str]("CaseId")
    category = Field[str]("Category")
    text = Field[str | None]("Text")
    player_id = Field[str]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    reporter_id = Field[str | None]("ReporterId")
    reporter_name = Field[str | None]("ReporterName")
    reporter_player_id = Field[str | None]("ReporterPlayerId")
    reporter_player_name = Field[str | None]("ReporterPlayerName")
    map_id = Field[str | None]("MapId")
    x = Field[int | None]("X")
    y = Field[int | None]("Y")
    server_id = Field[str | None]("ServerId")
    message_ids = Field[list[str]]("MessageIds")
    happened_at = Field[datetime]("HappenedAt", as_instant)
    filed_at = Field[datetime]("FiledAt", as_instant)
    times = Field[int]("Times")
    last_at = Field[datetime]("LastAt", as_instant)
    excerpt_lines = Field[int]("ExcerptLines")
    excerpt_sha256 = Field[str | None]("ExcerptSha256")


class CaseNote(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    by = Field[str]("By")
    by_name = Field[str]("ByName")
    text = Field[str | None]("Text")


class CaseDetails(Record):
    __slots__ = ()
    case = Field[Case]("Case", as_record(Case))
    closing_note = Field[str | None]("ClosingNote")
    reports = Field[list[PlayerReport]]("Reports", as_list(PlayerReport))
    notes = Field[list[CaseNote]]("Notes", as_list(CaseNote))
    appeal_ids = Field[list[str]]("AppealIds")
    earlier = Field[list[Case]]("Earlier", as_list(Case))


class FrozenLine(Record):
    __slots__ = ()
    id = Field[str]("Id")
    said_at = Field[datetime]("SaidAt", as_instant)
    channel = Field[str]("Channel")
    message = Field[str | None]("Message")
    is_erased = Field[bool]("IsErased")
    player_id = Field[str]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    user_id = Field[str]("UserId")
    target_id = Field[str | None]("TargetId")
    target_name = Field[str | None]("TargetName")
    server_id = Field[str]("ServerId")


class CaseLine(Record):
    __slots__ = ()
    line = Field[FrozenLine]("Line", as_record(FrozenLine))
    is_reported = Field[bool]("IsReported")
    report_ids = Field[list[str]]("ReportIds")
    added_at = Field[datetime | None]("AddedAt", as_instant)


class CaseChat(Record):
    __slots__ = ()
    entries = Field[list[CaseLine]]("Values", as_list(CaseLine))
    is_truncated = Field[bool]("IsTruncated")


class AddedChat(Record):
    __slots__ = ()
    added = Field[int]("Added")
    lines = Field[int]("Lines")
    sha256 = Field[str | None]("Sha256")


class CaseViewer(Record):
    __slots__ = ()
    actor = Field[str]("Actor")
    name = Field[str]("Name")
    seen_at = Field[datetime]("SeenAt", as_instant)


class CaseViewers(Record):
    __slots__ = ()
    entries = Field[list[CaseViewer]]("Values", as_list(CaseViewer))
    state = Field[str]("State")
    reports = Field[int]("Reports")
    claimed_by = Field[str | None]("ClaimedBy")
    claimed_by_name = Field[str | None]("ClaimedByName")


class ClassEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    base_vitals = Field[list[int]]("BaseVitals")
    vital_increases = Field[list[int]]("VitalIncreases")
    base_stats = Field[list[int]]("BaseStats")
    base_exp = Field[int]("BaseExp")
    exp_increase = Field[int]("ExpIncrease")
    max_level = Field[int]("MaxLevel")


class ItemEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    type = Field[str]("Type")
    stackable = Field[bool]("Stackable")
    inventory_stack = Field[int]("InventoryStack")
    bank_stack = Field[int]("BankStack")
    bag_slots = Field[int]("BagSlots")
    bankable = Field[bool]("Bankable")
    value = Field[int | None]("Value")
    icon = Field[str | None]("Icon")


class SpellEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    bound = Field[bool]("Bound")


class VariableEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    type = Field[str]("Type")
    owner = Field[str]("Owner")
    default = Field[bool | int | float | str]("Default")


class ChatColor(Record):
    __slots__ = ()
    a = Field[int]("A")
    r = Field[int]("R")
    g = Field[int]("G")
    b = Field[int]("B")


class ChatMessage(Record):
    __slots__ = ()
    message = Field[str]("Message")
    color = Field[ChatColor]("Color", as_record(ChatColor))
    target = Field[str | None]("Target")


class SentChat(Record):
    __slots__ = ()
    success = Field[bool]("success")
    chat_message = Field[ChatMessage]("chatMessage", as_record(ChatMessage))


class SentDirectChat(Record):
    __slots__ = ()
    success = Field[bool]("success")
    chat_message = Field[ChatMessage]("chatMessage", as_record(ChatMessage))
    lookup_key = Field[str]("lookupKey")


class ChatLine(Record):
    __slots__ = ()
    id = Field[str]("Id")
    said_at = Field[datetime]("SaidAt", as_instant)
    channel = Field[str]("Channel")
    message = Field[str]("Message")
    player_id = Field[str]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    user_id = Field[str]("UserId")
    target_id = Field[str | None]("TargetId")
    target_name = Field[str | None]("TargetName")
    server_id = Field[str]("ServerId")
    server_name = Field[str | None]("ServerName")
    address = Field[str | None]("Address")


class ChatLines(Record):
    __slots__ = ()
    entries = Field[list[ChatLine]]("Values", as_list(ChatLine))
    older = Field[str | None]("Older")
    newer = Field[str | None]("Newer")
    searched_to = Field[datetime | None]("SearchedTo", as_instant)


class SentProximityChat(Record):
    __slots__ = ()
    success = Field[bool]("success")
    chat_message = Field[ChatMessage]("chatMessage", as_record(ChatMessage))
    map_id = Field[str]("mapId")


class CodeItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")


class CodeBatch(Record):
    __slots__ = ()
    id = Field[str]("Id")
    campaign = Field[str]("Campaign")
    name = Field[str]("Name")
    prefix = Field[str | None]("Prefix")
    codes = Field[int]("Codes")
    uses = Field[int]("Uses")
    starts_at = Field[datetime | None]("StartsAt", as_instant)
    expires_at = Field[datetime | None]("ExpiresAt", as_instant)
    subject = Field[str]("Subject")
    text = Field[str]("Text")
    items_ = Field[list[CodeItem]]("Items", as_list(CodeItem))
    expires_in_days = Field[int]("ExpiresInDays")
    state = Field[str]("State")
    redeemed = Field[int]("Redeemed")
    created_at = Field[datetime]("CreatedAt", as_instant)
    created_by_name = Field[str]("CreatedByName")
    activated_at = Field[datetime | None]("ActivatedAt", as_instant)
    revoked_at = Field[datetime | None]("RevokedAt", as_instant)
    revoked_by_name = Field[str | None]("RevokedByName")


class CodeRedemption(Record):
    __slots__ = ()
    id = Field[str]("Id")
    batch_id = Field[str]("BatchId")
    user_id = Field[str | None]("UserId")
    player_id = Field[str | None]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    player_deleted = Field[bool]("PlayerDeleted")
    letter_id = Field[str]("LetterId")
    redeemed_at = Field[datetime]("RedeemedAt", as_instant)


class CodeFacts(Record):
    __slots__ = ()
    batch = Field[CodeBatch]("Batch", as_record(CodeBatch))
    used = Field[int]("Used")
    revoked_at = Field[datetime | None]("RevokedAt", as_instant)
    redemptions = Field[list[CodeRedemption]]("Redemptions", as_list(CodeRedemption))


class RedeemedCode(Record):
    __slots__ = ()
    id = Field[str]("Id")
    campaign = Field[str]("Campaign")
    player_id = Field[str]("PlayerId")
    letter_id = Field[str]("LetterId")
    subject = Field[str]("Subject")
    items_ = Field[list[CodeItem]]("Items", as_list(CodeItem))
    redeemed_at = Field[datetime]("RedeemedAt", as_instant)


class GameCommand(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    player_id = Field[str | None]("PlayerId")
    server_id = Field[str | None]("ServerId")
    payload = Field[dict[str, Any]]("Payload")
    state = Field[str]("State")
    reason = Field[str | None]("Reason")
    sent_by = Field[str]("SentBy")
    sent_by_name = Field[str]("SentByName")
    created_at = Field[datetime]("CreatedAt", as_instant)
    expires_at = Field[datetime]("ExpiresAt", as_instant)
    delivered_to = Field[str | None]("DeliveredTo")
    delivered_at = Field[datetime | None]("DeliveredAt", as_instant)
    answered_at = Field[datetime | None]("AnsweredAt", as_instant)
    answer = Field[str | None]("Answer")


class EconomyFinding(Record):
    __slots__ = ()
    id = Field[str]("Id")
    state = Field[str]("State")
    measure = Field[str]("Measure")
    rule = Field[str | None]("Rule")
    item_id = Field[str | None]("ItemId")
    item_name = Field[str | None]("ItemName")
    actor = Field[str | None]("Actor")
    actor_name = Field[str | None]("ActorName")
    user_id = Field[str | None]("UserId")
    began_at = Field[datetime]("BeganAt", as_instant)
    ended_at = Field[datetime]("EndedAt", as_instant)
    quantity = Field[int]("Quantity")
    usual = Field[int | None]("Usual")
    threshold = Field[int]("Threshold")
    found_at = Field[datetime]("FoundAt", as_instant)
    acknowledged_at = Field[datetime | None]("AcknowledgedAt", as_instant)
    acknowledged_by = Field[str | None]("AcknowledgedBy")
    acknowledged_by_name = Field[str | None]("AcknowledgedByName")
    note = Field[str | None]("Note")


class FindingDetails(Record):
    __slots__ = ()
    finding = Field[EconomyFinding]("Finding", as_record(EconomyFinding))
    actions = Field[list[str]]("Actions")


class ItemSupply(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    total = Field[int]("Total")
    inventories = Field[int]("Inventories")
    banks = Field[int]("Banks")
    bags = Field[int]("Bags")
    guilds = Field[int]("Guilds")
    mailboxes = Field[int]("Mailboxes")


class Flow(Record):
    __slots__ = ()
    day = Field[date]("Day", as_day)
    source = Field[str]("Source")
    came = Field[int]("Came")
    went = Field[int]("Went")


class Holder(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    name = Field[str | None]("Name")
    quantity = Field[int]("Quantity")


class ItemEconomy(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    total = Field[int]("Total")
    inventories = Field[int]("Inventories")
    banks = Field[int]("Banks")
    bags = Field[int]("Bags")
    guilds = Field[int]("Guilds")
    mailboxes = Field[int]("Mailboxes")
    flows = Field[list[Flow]]("Flows", as_list(Flow))
    holders = Field[list[Holder]]("Holders", as_list(Holder))


class ItemMovement(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    quantity = Field[int]("Quantity")
    source = Field[str]("Source")
    player_id = Field[str]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    action_id = Field[str]("ActionId")
    kind = Field[str | None]("Kind")


class ItemMovements(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    item_name = Field[str]("ItemName")
    since = Field[date]("Since", as_day)
    entries = Field[list[ItemMovement]]("Values", as_list(ItemMovement))


class EconomyRule(Record):
    __slots__ = ()
    name = Field[str]("Name")
    shape = Field[str]("Shape")
    item_id = Field[str | None]("ItemId")
    item_name = Field[str | None]("ItemName")
    more_than = Field[int]("MoreThan")
    days = Field[int | None]("Days")
    effect = Field[str]("Effect")
    changed_at = Field[datetime]("ChangedAt", as_instant)
    changed_by_name = Field[str]("ChangedByName")


class EconomyRules(Record):
    __slots__ = ()
    entries = Field[list[EconomyRule]]("Values", as_list(EconomyRule))


class EventEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    item_id = Field[str | None]("ItemId")
    before = Field[Any]("Before")
    after = Field[Any]("After")
    reason = Field[str | None]("Reason")
    request_id = Field[str]("RequestId")
    address = Field[str | None]("Address")
    undoes = Field[str | None]("Undoes")
    undone_by = Field[str | None]("UndoneBy")
    approved_by = Field[str | None]("ApprovedBy")
    approved_by_name = Field[str | None]("ApprovedByName")
    item_name = Field[str | None]("ItemName", needed=False)
    player_name = Field[str | None]("PlayerName", needed=False)
    user_name = Field[str | None]("UserName", needed=False)
    items_ = Field[list[ActionItem] | None]("Items", as_list(ActionItem), needed=False)
    seq = Field[int]("Seq")


class EventEntries(Record):
    __slots__ = ()
    entries = Field[list[EventEntry]]("Values", as_list(EventEntry))
    next = Field[int]("Next")


class ObjectEntry(Record):
    __slots__ = ()
    key = Field[str]("Key")
    value = Field[dict[str, Any]]("Value")


class ObjectNames(Record):
    __slots__ = ()
    total = Field[int]("Total")
    page = Field[int]("Page")
    page_size = Field[int]("PageSize")
    count = Field[int]("Count")
    entries = Field[list[str]]("Values")


class Party(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    name = Field[str | None]("Name")


class Guild(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    founding_date = Field[datetime]("FoundingDate", as_instant)
    bank_slots_count = Field[int]("BankSlotsCount")
    guild_instance_id = Field[str]("GuildInstanceId")
    updated_variables = Field[dict[str, Any]]("UpdatedVariables")
    owner = Field[Party | None]("Owner", as_record(Party), needed=False)
    members = Field[int | None]("Members", needed=False)
    bank_value = Field[int | None]("BankValue", needed=False)
    bank_slots_used = Field[int | None]("BankSlotsUsed", needed=False)


class GuildCount(Record):
    __slots__ = ()
    key = Field[Guild]("Key", as_record(Guild))
    value = Field[int]("Value")


class Slot(Record):
    __slots__ = ()
    slot = Field[int]("Slot")
    bag_id = Field[str | None]("BagId")
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    stat_buffs = Field[list[int]]("StatBuffs")
    item_name = Field[str | None]("ItemName", needed=False)


class BankedItems(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    inventory = Field[int]("Inventory")
    bank = Field[int]("Bank")


class Player(Record):
    __slots__ = ()
    name = Field[str]("Name")
    in_bank = Field[bool]("InBank")
    user_id = Field[str]("UserId")
    max_vitals = Field[list[int]]("MaxVitals")
    id = Field[str]("Id")
    class_id = Field[str]("ClassId")
    class_name = Field[str]("ClassName")
    gender = Field[int]("Gender")
    level = Field[int]("Level")
    exp = Field[int]("Exp")
    experience_to_next_level = Field[int]("ExperienceToNextLevel")
    stat_points = Field[int]("StatPoints")
    vitals = Field[list[int]]("Vitals")
    base_stats = Field[list[int]]("BaseStats")
    stat_point_allocations = Field[list[int]]("StatPointAllocations")
    equipment = Field[list[int]]("Equipment")
    map_id = Field[str]("MapId")
    map_name = Field[str]("MapName")
    x = Field[int]("X")
    y = Field[int]("Y")
    z = Field[int]("Z")
    dir = Field[int]("Dir")
    sprite = Field[str]("Sprite")
    face = Field[str]("Face")
    online = Field[bool]("Online")
    last_online = Field[datetime]("LastOnline", as_instant)
    creation_date = Field[datetime]("CreationDate", as_instant)
    play_time_seconds = Field[int]("PlayTimeSeconds")
    dead = Field[bool]("Dead")
    account_name = Field[str | None]("AccountName", needed=False)
    server_id = Field[str | None]("ServerId", needed=False)
    server_name = Field[str | None]("ServerName", needed=False)


class GuildMember(Record):
    __slots__ = ()
    name = Field[str]("Name")
    in_bank = Field[bool]("InBank")
    user_id = Field[str]("UserId")
    max_vitals = Field[list[int]]("MaxVitals")
    id = Field[str]("Id")
    class_id = Field[str]("ClassId")
    class_name = Field[str]("ClassName")
    gender = Field[int]("Gender")
    level = Field[int]("Level")
    exp = Field[int]("Exp")
    experience_to_next_level = Field[int]("ExperienceToNextLevel")
    stat_points = Field[int]("StatPoints")
    vitals = Field[list[int]]("Vitals")
    base_stats = Field[list[int]]("BaseStats")
    stat_point_allocations = Field[list[int]]("StatPointAllocations")
    equipment = Field[list[int]]("Equipment")
    map_id = Field[str]("MapId")
    map_name = Field[str]("MapName")
    x = Field[int]("X")
    y = Field[int]("Y")
    z = Field[int]("Z")
    dir = Field[int]("Dir")
    sprite = Field[str]("Sprite")
    face = Field[str]("Face")
    online = Field[bool]("Online")
    last_online = Field[datetime]("LastOnline", as_instant)
    creation_date = Field[datetime]("CreationDate", as_instant)
    play_time_seconds = Field[int]("PlayTimeSeconds")
    dead = Field[bool]("Dead")
    account_name = Field[str | None]("AccountName", needed=False)
    server_id = Field[str | None]("ServerId", needed=False)
    server_name = Field[str | None]("ServerName", needed=False)
    guild_id = Field[str]("GuildId")
    guild_rank = Field[int]("GuildRank")
    guild_join_date = Field[datetime]("GuildJoinDate", as_instant)


class GuildVariable(Record):
    __slots__ = ()
    variable_id = Field[str]("VariableId")
    value = Field[bool | int | float | str]("Value")
    variable_name = Field[str]("VariableName")


class GuildVariableValue(Record):
    __slots__ = ()
    value = Field[bool | int | float | str]("value")


class HealthFinding(Record):
    __slots__ = ()
    check = Field[str]("Check")
    state = Field[str]("State")
    message = Field[str]("Message")
    remedy = Field[str | None]("Remedy")


class RecordedBackup(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    by_name = Field[str]("ByName")
    bytes = Field[int | None]("Bytes")
    seconds = Field[float | None]("Seconds")
    old = Field[bool]("Old")


class HealthReport(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    state = Field[str]("State")
    findings = Field[list[HealthFinding]]("Findings", as_list(HealthFinding))
    backup = Field[RecordedBackup | None]("Backup", as_record(RecordedBackup))


class LinkCode(Record):
    __slots__ = ()
    code = Field[str]("Code")
    expires_at = Field[datetime]("ExpiresAt", as_instant)


class LinkedIdentity(Record):
    __slots__ = ()
    id = Field[str]("Id")
    issuer = Field[str]("Issuer")
    subject = Field[str]("Subject")
    display_name = Field[str | None]("DisplayName")
    linked_at = Field[datetime]("LinkedAt", as_instant)
    last_used_at = Field[datetime | None]("LastUsedAt", as_instant)


class GameInfo(Record):
    __slots__ = ()
    name = Field[str]("name")
    port = Field[int]("port")


class Authorized(Record):
    __slots__ = ()
    authorized = Field[bool]("authorized")


class PlayerLimits(Record):
    __slots__ = ()
    max_characters = Field[int]("MaxCharacters")
    max_inventory = Field[int]("MaxInventory")
    max_bank = Field[int]("MaxBank")
    initial_bankslots = Field[int]("InitialBankslots")
    max_level = Field[int]("MaxLevel")
    max_spells = Field[int]("MaxSpells")
    max_stat = Field[int]("MaxStat")


class GameConfig(Record):
    __slots__ = ()
    game_name = Field[str]("GameName")
    server_port = Field[int]("ServerPort")
    player = Field[PlayerLimits]("Player", as_record(PlayerLimits))


class GameStats(Record):
    __slots__ = ()
    uptime = Field[int]("uptime")
    cps = Field[int]("cps")
    connected_clients = Field[int]("connectedClients")
    online_count = Field[int]("onlineCount")


class KeyLimits(Record):
    __slots__ = ()
    pieces_per_day = Field[int | None]("PiecesPerDay")
    value_per_day = Field[int | None]("ValuePerDay")
    largest_gift = Field[int | None]("LargestGift")
    undos_per_day = Field[int | None]("UndosPerDay")


class KeyRecord(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    scopes = Field[list[str] | None]("Scopes")
    limits = Field[KeyLimits]("Limits", as_record(KeyLimits))
    rates = Field[str | None]("Rates")
    state = Field[str]("State")
    created_at = Field[datetime]("CreatedAt", as_instant)
    expires_at = Field[datetime | None]("ExpiresAt", as_instant)
    used_at = Field[datetime | None]("UsedAt", as_instant)
    revoked_at = Field[datetime | None]("RevokedAt", as_instant)


class CreatedKey(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    scopes = Field[list[str] | None]("Scopes")
    limits = Field[KeyLimits]("Limits", as_record(KeyLimits))
    rates = Field[str | None]("Rates")
    state = Field[str]("State")
    created_at = Field[datetime]("CreatedAt", as_instant)
    expires_at = Field[datetime | None]("ExpiresAt", as_instant)
    used_at = Field[datetime | None]("UsedAt", as_instant)
    revoked_at = Field[datetime | None]("RevokedAt", as_instant)
    key = Field[str | None]("Key")


class ScopeInWords(Record):
    __slots__ = ()
    scope = Field[str]("Scope")
    description = Field[str]("Description")
    grantable = Field[bool]("Grantable")


class KeyScopes(Record):
    __slots__ = ()
    entries = Field[list[ScopeInWords]]("Values", as_list(ScopeInWords))


class LawFaults(Record):
    __slots__ = ()
    law = Field[str]("Law")
    count = Field[int]("Count")
    truncated = Field[bool]("Truncated")


class LedgerVerification(Record):
    __slots__ = ()
    state = Field[str]("State")
    id = Field[str | None]("Id")
    requested_at = Field[datetime | None]("RequestedAt", as_instant)
    requested_by_name = Field[str | None]("RequestedByName")
    begun_at = Field[datetime | None]("BegunAt", as_instant)
    ended_at = Field[datetime | None]("EndedAt", as_instant)
    done = Field[int]("Done")
    total = Field[int]("Total")
    faults = Field[list[LawFaults]]("Faults", as_list(LawFaults))


class LoggedMessage(Record):
    __slots__ = ()
    id = Field[str]("Id")
    user_id = Field[str]("UserId")
    player_id = Field[str]("PlayerId")
    ip = Field[str]("Ip")
    time_stamp = Field[datetime]("TimeStamp", as_instant)
    message_type = Field[str]("MessageType")
    message_text = Field[str]("MessageText")
    target_id = Field[str | None]("TargetId")
    username = Field[str]("Username")
    player_name = Field[str]("PlayerName")
    target_name = Field[str]("TargetName")


class GuildActivity(Record):
    __slots__ = ()
    id = Field[str]("Id")
    guild_id = Field[str]("GuildId")
    user_id = Field[str | None]("UserId")
    player_id = Field[str | None]("PlayerId")
    ip = Field[str]("Ip")
    time_stamp = Field[datetime]("TimeStamp", as_instant)
    activity_type = Field[str]("ActivityType")
    meta = Field[str]("Meta")
    initiator_id = Field[str | None]("InitiatorId")
    username = Field[str]("Username")
    player_name = Field[str]("PlayerName")
    initiator_name = Field[str]("InitiatorName")


class Activity(Record):
    __slots__ = ()
    id = Field[str]("Id")
    time_stamp = Field[datetime]("TimeStamp", as_instant)
    user_id = Field[str]("UserId")
    player_id = Field[str | None]("PlayerId")
    action = Field[str]("Action")
    peer = Field[str]("Peer")
    ip = Field[str]("Ip")
    meta = Field[str]("Meta")


class TradedItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    bag_id = Field[str | None]("BagId")
    stat_buffs = Field[list[int]]("StatBuffs")


class Trade(Record):
    __slots__ = ()
    id = Field[str]("Id")
    trade_id = Field[str]("TradeId")
    user_id = Field[str | None]("UserId")
    player_id = Field[str]("PlayerId")
    ip = Field[str]("Ip")
    time_stamp = Field[datetime]("TimeStamp", as_instant)
    target_id = Field[str | None]("TargetId")
    items_ = Field[list[TradedItem]]("Items", as_list(TradedItem))
    target_items = Field[list[TradedItem]]("TargetItems", as_list(TradedItem))
    username = Field[str]("Username")
    player_name = Field[str]("PlayerName")
    target_name = Field[str]("TargetName")


class UsedAddress(Record):
    __slots__ = ()
    ip = Field[str]("Ip")
    last_used = Field[datetime]("LastUsed", as_instant)
    other_users = Field[dict[str, Any]]("OtherUsers")


class LimitsRecord(Record):
    __slots__ = ()
    pieces_per_day = Field[int | None]("PiecesPerDay")
    value_per_day = Field[int | None]("ValuePerDay")
    largest_gift = Field[int | None]("LargestGift")
    undos_per_day = Field[int | None]("UndosPerDay")


class SessionFacts(Record):
    __slots__ = ()
    id = Field[str]("Id")
    state = Field[str]("State")
    verified_at = Field[datetime | None]("VerifiedAt", as_instant)
    step_up_until = Field[datetime | None]("StepUpUntil", as_instant)


class Whoami(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    name = Field[str]("Name")
    user_id = Field[str | None]("UserId")
    roles = Field[list[str]]("Roles")
    scopes = Field[list[str]]("Scopes")
    limits = Field[LimitsRecord]("Limits", as_record(LimitsRecord))
    session = Field[SessionFacts | None]("Session", as_record(SessionFacts))


class EmailState(Record):
    __slots__ = ()
    email = Field[str]("Email")
    is_verified = Field[bool]("IsVerified")
    is_required = Field[bool]("IsRequired")
    verified_at = Field[datetime | None]("VerifiedAt", as_instant)
    method = Field[str | None]("Method")


class VerificationAsked(Record):
    __slots__ = ()
    delivery = Field[str]("Delivery")


class FactorRecord(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    name = Field[str]("Name")
    created_at = Field[datetime]("CreatedAt", as_instant)
    used_at = Field[datetime | None]("UsedAt", as_instant)


class Factors(Record):
    __slots__ = ()
    entries = Field[list[FactorRecord]]("Values", as_list(FactorRecord))
    recovery_codes_left = Field[int]("RecoveryCodesLeft")


class AddedFactor(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    name = Field[str]("Name")


class PasskeyOptions(Record):
    __slots__ = ()
    options = Field[dict[str, Any]]("Options")


class TotpEnrolment(Record):
    __slots__ = ()
    id = Field[str]("Id")
    secret = Field[str]("Secret")
    uri = Field[str]("Uri")
    qr_code = Field[str]("QrCode")


class SavedFilter(Record):
    __slots__ = ()
    id = Field[str]("Id")
    list = Field[str]("List")
    name = Field[str]("Name")
    query = Field[str]("Query")
    saved_at = Field[datetime]("SavedAt", as_instant)


class SavedFilters(Record):
    __slots__ = ()
    entries = Field[list[SavedFilter]]("Values", as_list(SavedFilter))


class OwnIdentities(Record):
    __slots__ = ()
    entries = Field[list[LinkedIdentity]]("Values", as_list(LinkedIdentity))


class BegunSignIn(Record):
    __slots__ = ()
    flow = Field[str]("Flow")
    secret = Field[str]("Secret")
    url = Field[str]("Url")
    expires_at = Field[datetime]("ExpiresAt", as_instant)


class LetterSender(Record):
    __slots__ = ()
    kind = Field[str]("Kind")
    id = Field[str | None]("Id")
    name = Field[str | None]("Name")


class LetterStack(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    stat_buffs = Field[list[int]]("StatBuffs")


class Letter(Record):
    __slots__ = ()
    id = Field[str]("Id")
    player_id = Field[str]("PlayerId")
    state = Field[str]("State")
    sender = Field[LetterSender]("Sender", as_record(LetterSender))
    subject = Field[str | None]("Subject")
    text = Field[str | None]("Text")
    items_ = Field[list[LetterStack]]("Items", as_list(LetterStack))
    sent_at = Field[datetime]("SentAt", as_instant)
    expires_at = Field[datetime]("ExpiresAt", as_instant)
    on_expiry = Field[str]("OnExpiry")
    read_at = Field[datetime | None]("ReadAt", as_instant)
    ended_at = Field[datetime | None]("EndedAt", as_instant)


class ProductItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")


class OrderLine(Record):
    __slots__ = ()
    number = Field[int]("Number")
    product = Field[str | None]("Product")
    quantity = Field[int]("Quantity")
    items_ = Field[list[ProductItem]]("Items", as_list(ProductItem))
    state = Field[str]("State")
    reason = Field[str | None]("Reason")
    delivered = Field[list[ProductItem]]("Delivered", as_list(ProductItem))
    player_id = Field[str | None]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    letter_id = Field[str | None]("LetterId")
    delivered_at = Field[datetime | None]("DeliveredAt", as_instant)
    claimed_at = Field[datetime | None]("ClaimedAt", as_instant)
    ended_at = Field[datetime | None]("EndedAt", as_instant)


class Order(Record):
    __slots__ = ()
    id = Field[str]("Id")
    shop = Field[str]("Shop")
    order_id = Field[str]("OrderId")
    state = Field[str]("State")
    user_id = Field[str | None]("UserId")
    user_name = Field[str | None]("UserName")
    player_id = Field[str | None]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    buyer_id = Field[str | None]("BuyerId")
    buyer_name = Field[str | None]("BuyerName")
    receiver = Field[str | None]("Receiver")
    amount = Field[str | None]("Amount")
    currency = Field[str | None]("Currency")
    dispute = Field[str | None]("Dispute")
    is_refunded = Field[bool]("IsRefunded")
    lines = Field[list[OrderLine]]("Lines", as_list(OrderLine))
    claim_code = Field[str | None]("ClaimCode")
    paid_at = Field[datetime | None]("PaidAt", as_instant)
    created_at = Field[datetime]("CreatedAt", as_instant)


class RecoveryCodes(Record):
    __slots__ = ()
    codes = Field[list[str]]("Codes")


class FiledReport(Record):
    __slots__ = ()
    id = Field[str]("Id")
    category = Field[str]("Category")
    player_id = Field[str]("PlayerId")
    times = Field[int]("Times")
    filed_at = Field[datetime]("FiledAt", as_instant)


class OwnPlayerReport(Record):
    __slots__ = ()
    id = Field[str]("Id")
    category = Field[str]("Category")
    text = Field[str | None]("Text")
    player_id = Field[str]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    filed_at = Field[datetime]("FiledAt", as_instant)
    times = Field[int]("Times")
    state = Field[str]("State")


class BrowserSessionRecord(Record):
    __slots__ = ()
    id = Field[str]("Id")
    is_current = Field[bool]("IsCurrent")
    method = Field[str]("Method")
    address = Field[str]("Address")
    user_agent = Field[str]("UserAgent")
    created_at = Field[datetime]("CreatedAt", as_instant)
    seen_at = Field[datetime]("SeenAt", as_instant)
    verified_at = Field[datetime]("VerifiedAt", as_instant)
    expires_at = Field[datetime]("ExpiresAt", as_instant)


class EndedSessions(Record):
    __slots__ = ()
    ended = Field[int]("Ended")


class SignedOut(Record):
    __slots__ = ()
    session_id = Field[str]("SessionId")


class HandedOutItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    pieces = Field[int]("Pieces")


class LimitUsage(Record):
    __slots__ = ()
    handed_out = Field[list[HandedOutItem]]("HandedOut", as_list(HandedOutItem))
    value = Field[int]("Value")
    undos = Field[int]("Undos")
    resets_at = Field[datetime]("ResetsAt", as_instant)


class OpenIdClient(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    is_public = Field[bool]("IsPublic")
    is_discourse = Field[bool]("IsDiscourse")
    redirect_uris = Field[list[str]]("RedirectUris")
    logout_uris = Field[list[str]]("LogoutUris")
    backchannel_uri = Field[str | None]("BackchannelUri")
    scopes = Field[list[str]]("Scopes")
    requires_pkce = Field[bool]("RequiresPkce")
    asks_consent = Field[bool]("AsksConsent")
    admits_banned = Field[bool]("AdmitsBanned")
    created_at = Field[datetime]("CreatedAt", as_instant)
    used_at = Field[datetime | None]("UsedAt", as_instant)
    sign_ins = Field[int]("SignIns")


class OpenIdClients(Record):
    __slots__ = ()
    issuer = Field[str | None]("Issuer")
    entries = Field[list[OpenIdClient]]("Values", as_list(OpenIdClient))


class CreatedOpenIdClient(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    is_public = Field[bool]("IsPublic")
    is_discourse = Field[bool]("IsDiscourse")
    redirect_uris = Field[list[str]]("RedirectUris")
    logout_uris = Field[list[str]]("LogoutUris")
    backchannel_uri = Field[str | None]("BackchannelUri")
    scopes = Field[list[str]]("Scopes")
    requires_pkce = Field[bool]("RequiresPkce")
    asks_consent = Field[bool]("AsksConsent")
    admits_banned = Field[bool]("AdmitsBanned")
    created_at = Field[datetime]("CreatedAt", as_instant)
    used_at = Field[datetime | None]("UsedAt", as_instant)
    sign_ins = Field[int]("SignIns")
    secret = Field[str | None]("Secret")


class Receipt(Record):
    __slots__ = ()
    document = Field[str]("Document")
    signature = Field[str]("Signature")
    public_key = Field[str]("PublicKey")


class OnlinePoint(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    average = Field[float]("Average")
    highest = Field[int]("Highest")


class OnlineNow(Record):
    __slots__ = ()
    now = Field[int]("Now")
    sampled_at = Field[datetime | None]("SampledAt", as_instant)
    curve = Field[list[OnlinePoint]]("Curve", as_list(OnlinePoint))


class Server(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    alive = Field[bool]("Alive")
    online = Field[int]("Online")
    registered_at = Field[datetime]("RegisteredAt", as_instant)
    lease_until = Field[datetime | None]("LeaseUntil", as_instant)


class ServersNow(Record):
    __slots__ = ()
    alive = Field[int]("Alive")
    stopped = Field[int]("Stopped")
    total = Field[int]("Total")
    entries = Field[list[Server]]("Values", as_list(Server))


class Newcomers(Record):
    __slots__ = ()
    accounts_day = Field[int | None]("AccountsDay")
    accounts_week = Field[int | None]("AccountsWeek")
    characters_day = Field[int]("CharactersDay")
    characters_week = Field[int]("CharactersWeek")
    complete = Field[bool]("Complete")


class ActionCount(Record):
    __slots__ = ()
    hour = Field[datetime]("Hour", as_instant)
    kind = Field[str]("Kind")
    count = Field[int]("Count")


class ActionHours(Record):
    __slots__ = ()
    since = Field[datetime]("Since", as_instant)
    counted_until = Field[datetime | None]("CountedUntil", as_instant)
    complete = Field[bool]("Complete")
    entries = Field[list[ActionCount]]("Values", as_list(ActionCount))


class SupplyChange(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    item_name = Field[str]("ItemName")
    came = Field[int]("Came")
    went = Field[int]("Went")
    change = Field[int]("Change")


class SupplyChanges(Record):
    __slots__ = ()
    since = Field[datetime]("Since", as_instant)
    complete = Field[bool]("Complete")
    entries = Field[list[SupplyChange]]("Values", as_list(SupplyChange))


class ChainState(Record):
    __slots__ = ()
    verified_at = Field[datetime | None]("VerifiedAt", as_instant)
    verified_through = Field[str | None]("VerifiedThrough")
    verified_through_at = Field[datetime | None]("VerifiedThroughAt", as_instant)
    breaches = Field[int | None]("Breaches")


class Alert(Record):
    __slots__ = ()
    code = Field[str]("Code")
    message = Field[str]("Message")
    since = Field[datetime | None]("Since", as_instant)
    target = Field[str]("Target")
    target_id = Field[str | None]("TargetId")
    target_name = Field[str | None]("TargetName")


class GameOverview(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    figures_at = Field[datetime]("FiguresAt", as_instant)
    shown = Field[list[str]]("Shown")
    online = Field[OnlineNow]("Online", as_record(OnlineNow))
    servers = Field[ServersNow]("Servers", as_record(ServersNow))
    newcomers = Field[Newcomers]("Newcomers", as_record(Newcomers))
    actions = Field[ActionHours]("Actions", as_record(ActionHours))
    supply = Field[SupplyChanges]("Supply", as_record(SupplyChanges))
    staff_actions = Field[list[AuditLogEntry]]("StaffActions", as_list(AuditLogEntry))
    chain = Field[ChainState]("Chain", as_record(ChainState))
    alerts = Field[list[Alert]]("Alerts", as_list(Alert))
    pending_approvals = Field[int | None]("PendingApprovals")
    open_appeals = Field[int | None]("OpenAppeals")
    claimed_cases = Field[int | None]("ClaimedCases")


class Bag(Record):
    __slots__ = ()
    id = Field[str]("Id")
    slot_count = Field[int]("SlotCount")
    slots = Field[list[Slot]]("Slots", as_list(Slot))


class Transfer(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    action_id = Field[str]("ActionId")
    transaction_id = Field[str | None]("TransactionId")
    quantity = Field[int]("Quantity")
    stat_buffs = Field[list[int]]("StatBuffs")
    giver = Field[ItemOwner]("Giver", as_record(ItemOwner))
    receivers = Field[list[ItemOwner]]("Receivers", as_list(ItemOwner))


class TrailHolder(Record):
    __slots__ = ()
    player_id = Field[str | None]("PlayerId")
    guild_id = Field[str | None]("GuildId")
    name = Field[str | None]("Name")
    quantity = Field[int]("Quantity")


class Trail(Record):
    __slots__ = ()
    is_exact = Field[bool]("IsExact")
    is_complete = Field[bool]("IsComplete")
    transfers = Field[list[Transfer]]("Transfers", as_list(Transfer))
    holders = Field[list[TrailHolder]]("Holders", as_list(TrailHolder))


class OnlineCount(Record):
    __slots__ = ()
    online_count = Field[int]("onlineCount")


class OnlineSample(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    average = Field[float]("Average")
    lowest = Field[int]("Lowest")
    highest = Field[int]("Highest")


class ServerCurve(Record):
    __slots__ = ()
    server_id = Field[str | None]("ServerId")
    server_name = Field[str | None]("ServerName")
    averages = Field[list[float]]("Averages")


class OnlineHistory(Record):
    __slots__ = ()
    span = Field[str]("Span")
    entries = Field[list[OnlineSample]]("Values", as_list(OnlineSample))
    servers = Field[list[ServerCurve] | None]("Servers", as_list(ServerCurve), needed=False)


class PlayerHits(Record):
    __slots__ = ()
    entries = Field[list[Player]]("Values", as_list(Player))
    more = Field[bool]("More")


class Message(Record):
    __slots__ = ()
    message = Field[str]("Message")


class Posting(Record):
    __slots__ = ()
    seq = Field[int]("Seq")
    place = Field[str]("Place")
    inside = Field[str | None]("Inside")
    slot = Field[int]("Slot")
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    against = Field[str]("Against")
    held_before = Field[int]("HeldBefore")
    held_after = Field[int]("HeldAfter")
    stat_buffs = Field[list[int]]("StatBuffs")
    bag_id = Field[str | None]("BagId")
    counterparties = Field[list[Party]]("Counterparties", as_list(Party))
    item_name = Field[str | None]("ItemName", needed=False)


class TimelineEntry(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    player_id = Field[str | None]("PlayerId")
    user_id = Field[str | None]("UserId")
    item_id = Field[str | None]("ItemId")
    before = Field[Any]("Before")
    after = Field[Any]("After")
    reason = Field[str | None]("Reason")
    request_id = Field[str]("RequestId")
    address = Field[str | None]("Address")
    undoes = Field[str | None]("Undoes")
    undone_by = Field[str | None]("UndoneBy")
    approved_by = Field[str | None]("ApprovedBy")
    approved_by_name = Field[str | None]("ApprovedByName")
    item_name = Field[str | None]("ItemName", needed=False)
    player_name = Field[str | None]("PlayerName", needed=False)
    user_name = Field[str | None]("UserName", needed=False)
    items_ = Field[list[ActionItem] | None]("Items", as_list(ActionItem), needed=False)
    postings = Field[list[Posting]]("Postings", as_list(Posting))


class CarriedItems(Record):
    __slots__ = ()
    inventory = Field[list[Slot]]("inventory", as_list(Slot))
    bank = Field[list[Slot]]("bank", as_list(Slot))


class ItemChange(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    place = Field[str]("Place")
    before = Field[int]("Before")
    after = Field[int]("After")
    change = Field[int]("Change")
    item_name = Field[str | None]("ItemName", needed=False)


class ItemChanges(Record):
    __slots__ = ()
    entries = Field[list[ItemChange]]("Values", as_list(ItemChange))


class Holding(Record):
    __slots__ = ()
    total = Field[int]("total")
    bank = Field[int]("bank")
    inventory = Field[int]("inventory")


class GiftLetter(Record):
    __slots__ = ()
    id = Field[str]("id")
    quantity = Field[int]("quantity")


class GivenItem(Record):
    __slots__ = ()
    id = Field[str]("id")
    quantity = Field[Holding]("quantity", as_record(Holding))
    letter = Field[GiftLetter | None]("letter", as_record(GiftLetter), needed=False)


class RestoredItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    place = Field[str]("Place")
    slot = Field[int]("Slot")
    from_place = Field[str]("FromPlace")
    from_slot = Field[int]("FromSlot")
    stat_buffs = Field[list[int]]("StatBuffs")


class RestoreResult(Record):
    __slots__ = ()
    action_id = Field[str | None]("ActionId")
    at = Field[datetime]("At", as_instant)
    dry_run = Field[bool]("DryRun")
    entries = Field[list[RestoredItem]]("Values", as_list(RestoredItem))
    handed_on = Field[list[HandedOn]]("HandedOn", as_list(HandedOn))


class TakenItem(Record):
    __slots__ = ()
    item_id = Field[str]("ItemId")
    quantity = Field[int]("Quantity")
    id = Field[str]("id")


class Moment(Record):
    __slots__ = ()
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    action_id = Field[str]("ActionId")


class Moments(Record):
    __slots__ = ()
    entries = Field[list[Moment]]("Values", as_list(Moment))
    is_complete = Field[bool]("IsComplete")


class Session(Record):
    __slots__ = ()
    server_id = Field[str]("ServerId")
    server_name = Field[str]("ServerName")
    joined_at = Field[datetime]("JoinedAt", as_instant)
    left_at = Field[datetime | None]("LeftAt", as_instant)


class Sessions(Record):
    __slots__ = ()
    entries = Field[list[Session]]("Values", as_list(Session))
    next = Field[datetime | None]("Next", as_instant)


class PlayedDay(Record):
    __slots__ = ()
    day = Field[date]("Day", as_day)
    seconds = Field[int]("Seconds")
    sessions = Field[int]("Sessions")


class PlayedDays(Record):
    __slots__ = ()
    from_ = Field[date]("From", as_day)
    to = Field[date]("To", as_day)
    entries = Field[list[PlayedDay]]("Values", as_list(PlayedDay))


class Sheet(Record):
    __slots__ = ()
    class_id = Field[str]("ClassId")
    gender = Field[int]("Gender")
    stat_points = Field[int]("StatPoints")
    vitals = Field[list[int]]("Vitals")
    max_vitals = Field[list[int]]("MaxVitals")
    base_stats = Field[list[int]]("BaseStats")
    stat_point_allocations = Field[list[int]]("StatPointAllocations")
    equipment = Field[list[int]]("Equipment")
    map_id = Field[str]("MapId")
    map_name = Field[str]("MapName")
    x = Field[int]("X")
    y = Field[int]("Y")
    z = Field[int]("Z")
    dir = Field[int]("Dir")
    sprite = Field[str]("Sprite")
    face = Field[str]("Face")
    name_color = Field[str]("NameColor")


class KnownSpell(Record):
    __slots__ = ()
    slot = Field[int]("Slot")
    spell_id = Field[str]("SpellId")
    spell_name = Field[str | None]("SpellName", needed=False)


class SpellLearned(Record):
    __slots__ = ()
    spell_id = Field[str]("SpellId")


class PlayerVariable(Record):
    __slots__ = ()
    variable_id = Field[str]("VariableId")
    value = Field[bool | int | float | str]("Value")
    variable_name = Field[str | None]("VariableName", needed=False)


class VariableValue(Record):
    __slots__ = ()
    value = Field[bool | int | float | str]("value")


class RoleRecord(Record):
    __slots__ = ()
    name = Field[str]("Name")
    description = Field[str]("Description")
    built_in = Field[bool]("BuiltIn")
    scopes = Field[list[str]]("Scopes")
    limits = Field[LimitsRecord]("Limits", as_record(LimitsRecord))
    members = Field[int]("Members")
    created_at = Field[datetime]("CreatedAt", as_instant)


class ImposedSanction(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    code = Field[str | None]("Code")
    dry_run = Field[bool]("DryRun")
    kind = Field[str]("Kind")
    user_id = Field[str]("UserId")
    player_id = Field[str | None]("PlayerId")
    starts_at = Field[datetime]("StartsAt", as_instant)
    ends_at = Field[datetime | None]("EndsAt", as_instant)
    message = Field[str]("Message")
    template = Field[str | None]("Template")
    step = Field[int | None]("Step")


class LadderStepShown(Record):
    __slots__ = ()
    kind = Field[str]("Kind")
    duration_seconds = Field[int | None]("DurationSeconds")


class SanctionTemplate(Record):
    __slots__ = ()
    name = Field[str]("Name")
    message = Field[str]("Message")
    steps = Field[list[LadderStepShown]]("Steps", as_list(LadderStepShown))
    changed_at = Field[datetime]("ChangedAt", as_instant)
    changed_by_name = Field[str]("ChangedByName")


class SanctionTemplates(Record):
    __slots__ = ()
    entries = Field[list[SanctionTemplate]]("Values", as_list(SanctionTemplate))


class SanctionExcerpt(Record):
    __slots__ = ()
    entries = Field[list[FrozenLine]]("Values", as_list(FrozenLine))
    sha256 = Field[str | None]("Sha256")


class CampaignSchedule(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    segment = Field[str | None]("Segment")
    work = Field[CampaignWork]("Work", as_record(CampaignWork))
    reason = Field[str | None]("Reason")
    per_second = Field[int]("PerSecond")
    starts_at = Field[datetime | None]("StartsAt", as_instant)
    cron = Field[str | None]("Cron")
    time_zone = Field[str]("TimeZone")
    ends_at = Field[datetime | None]("EndsAt", as_instant)
    ends_cron = Field[str | None]("EndsCron")
    on_join = Field[bool]("OnJoin")
    grace_minutes = Field[int]("GraceMinutes")
    max_recipients = Field[int]("MaxRecipients")
    state = Field[str]("State")
    next_at = Field[datetime | None]("NextAt", as_instant)
    created_at = Field[datetime]("CreatedAt", as_instant)
    created_by_name = Field[str]("CreatedByName")
    approved_by_name = Field[str | None]("ApprovedByName")


class NextRun(Record):
    __slots__ = ()
    planned_at = Field[datetime]("PlannedAt", as_instant)
    local_time = Field[str]("LocalTime")
    ends_at = Field[datetime | None]("EndsAt", as_instant)
    skipped = Field[bool]("Skipped")


class NextRuns(Record):
    __slots__ = ()
    entries = Field[list[NextRun]]("Values", as_list(NextRun))


class ScheduleRun(Record):
    __slots__ = ()
    planned_at = Field[datetime]("PlannedAt", as_instant)
    state = Field[str]("State")
    campaign_id = Field[str | None]("CampaignId")
    code = Field[str | None]("Code")
    at = Field[datetime]("At", as_instant)


class FoundPlayer(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    level = Field[int]("Level")
    class_name = Field[str]("ClassName")
    user_id = Field[str]("UserId")
    online = Field[bool]("Online")


class FoundUser(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    email = Field[str]("Email")


class FoundItem(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    type = Field[str]("Type")


class FoundSanction(Record):
    __slots__ = ()
    id = Field[str]("Id")
    code = Field[str]("Code")
    kind = Field[str]("Kind")
    user_id = Field[str]("UserId")
    player_id = Field[str | None]("PlayerId")
    imposed_at = Field[datetime]("ImposedAt", as_instant)
    in_force = Field[bool]("InForce")


class FoundAction(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    kind = Field[str]("Kind")
    actor_name = Field[str]("ActorName")


class FoundTransaction(Record):
    __slots__ = ()
    id = Field[str]("Id")
    actions = Field[int]("Actions")


class FoundOrder(Record):
    __slots__ = ()
    id = Field[str]("Id")
    shop = Field[str]("Shop")
    order_id = Field[str]("OrderId")
    state = Field[str]("State")


class SearchResult(Record):
    __slots__ = ()
    searched = Field[list[str]]("Searched")
    players = Field[list[FoundPlayer]]("Players", as_list(FoundPlayer))
    users = Field[list[FoundUser]]("Users", as_list(FoundUser))
    items_ = Field[list[FoundItem]]("Items", as_list(FoundItem))
    sanctions = Field[list[FoundSanction]]("Sanctions", as_list(FoundSanction))
    actions = Field[list[FoundAction]]("Actions", as_list(FoundAction))
    transactions = Field[list[FoundTransaction]]("Transactions", as_list(FoundTransaction))
    orders = Field[list[FoundOrder]]("Orders", as_list(FoundOrder))


class SegmentList(Record):
    __slots__ = ()
    name = Field[str]("Name")
    received = Field[int]("Received")
    matched = Field[int]("Matched")
    unmatched = Field[int]("Unmatched")
    changed_at = Field[datetime]("ChangedAt", as_instant)
    changed_by_name = Field[str]("ChangedByName")


class SegmentLists(Record):
    __slots__ = ()
    entries = Field[list[SegmentList]]("Values", as_list(SegmentList))


class UnmatchedNames(Record):
    __slots__ = ()
    entries = Field[list[str]]("Values")
    next = Field[str | None]("Next")


class Condition(Record):
    __slots__ = ()
    field = Field[str]("Field")
    negate = Field[bool]("Negate")
    at_least = Field[int | None]("AtLeast")
    at_most = Field[int | None]("AtMost")
    since = Field[datetime | None]("Since", as_instant)
    before = Field[datetime | None]("Before", as_instant)
    within_days = Field[int | None]("WithinDays")
    id = Field[str | None]("Id")
    equals = Field[bool | int | float | str | None]("Equals")
    kind = Field[str | None]("Kind")
    list = Field[str | None]("List")


class ConditionGroup(Record):
    __slots__ = ()
    match = Field[str]("Match")
    conditions = Field[list[Condition]]("Conditions", as_list(Condition))


class Segment(Record):
    __slots__ = ()
    name = Field[str]("Name")
    description = Field[str]("Description")
    match = Field[str]("Match")
    groups = Field[list[ConditionGroup]]("Groups", as_list(ConditionGroup))
    changed_at = Field[datetime]("ChangedAt", as_instant)
    changed_by_name = Field[str]("ChangedByName")


class Segments(Record):
    __slots__ = ()
    entries = Field[list[Segment]]("Values", as_list(Segment))


class SegmentMember(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    level = Field[int]("Level")
    class_id = Field[str]("ClassId")
    user_id = Field[str]("UserId")


class SegmentPreview(Record):
    __slots__ = ()
    count = Field[int]("Count")
    is_estimate = Field[bool]("IsEstimate")
    at_least = Field[int]("AtLeast")
    at_most = Field[int]("AtMost")
    samples = Field[list[SegmentMember]]("Samples", as_list(SegmentMember))


class Lease(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    fence = Field[int]("Fence")
    lease_until = Field[datetime]("LeaseUntil", as_instant)
    lease_seconds = Field[int]("LeaseSeconds")
    heartbeat_seconds = Field[int]("HeartbeatSeconds")


class PresenceResult(Record):
    __slots__ = ()
    changed = Field[int]("Changed")
    not_here = Field[list[str]]("NotHere")


class StoredMessages(Record):
    __slots__ = ()
    stored = Field[int]("Stored")
    unknown = Field[list[str]]("Unknown")


class Failure(Record):
    __slots__ = ()
    message = Field[str]("Message")
    code = Field[str]("Code")
    request_id = Field[str]("RequestId")
    details = Field[dict[str, Any] | None]("Details", needed=False)


class AnswerOutcome(Record):
    __slots__ = ()
    id = Field[str]("Id")
    state = Field[str | None]("State")
    failure = Field[Failure | None]("Failure", as_record(Failure))


class AnswerOutcomes(Record):
    __slots__ = ()
    entries = Field[list[AnswerOutcome]]("Values", as_list(AnswerOutcome))


class FetchedCommand(Record):
    __slots__ = ()
    id = Field[str]("Id")
    kind = Field[str]("Kind")
    player_id = Field[str | None]("PlayerId")
    payload = Field[dict[str, Any]]("Payload")
    seconds_left = Field[float]("SecondsLeft")
    again = Field[bool]("Again")


class FetchedCommands(Record):
    __slots__ = ()
    entries = Field[list[FetchedCommand]]("Values", as_list(FetchedCommand))


class AnsweredCommand(Record):
    __slots__ = ()
    id = Field[str]("Id")
    state = Field[str]("State")


class Restriction(Record):
    __slots__ = ()
    kind = Field[str]("Kind")
    code = Field[str]("Code")
    message = Field[str]("Message")
    until = Field[datetime | None]("Until", as_instant)


class JoinedPlayer(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    seq = Field[int]("Seq")
    moved_from = Field[str | None]("MovedFrom")
    restrictions = Field[list[Restriction]]("Restrictions", as_list(Restriction))


class RefusedJoin(Record):
    __slots__ = ()
    player = Field[str]("Player")
    code = Field[str]("Code")
    message = Field[str]("Message")
    until = Field[datetime | None]("Until", as_instant)


class JoinResult(Record):
    __slots__ = ()
    entries = Field[list[JoinedPlayer]]("Values", as_list(JoinedPlayer))
    unknown = Field[list[str]]("Unknown")
    refused = Field[list[RefusedJoin]]("Refused", as_list(RefusedJoin))


class StoppedServer(Record):
    __slots__ = ()
    id = Field[str]("Id")
    fence = Field[int]("Fence")


class SessionStatus(Record):
    __slots__ = ()
    state = Field[str]("State")
    methods = Field[list[str]]("Methods")
    session_id = Field[str]("SessionId")


class ReceivedShopEvent(Record):
    __slots__ = ()
    id = Field[str | None]("id")


class Product(Record):
    __slots__ = ()
    shop = Field[str]("Shop")
    product = Field[str]("Product")
    name = Field[str]("Name")
    items_ = Field[list[ProductItem]]("Items", as_list(ProductItem))
    changed_at = Field[datetime]("ChangedAt", as_instant)
    changed_by_name = Field[str]("ChangedByName")


class OrderDifference(Record):
    __slots__ = ()
    order_id = Field[str]("OrderId")
    fields = Field[list[str]]("Fields")


class Reconciliation(Record):
    __slots__ = ()
    missing = Field[list[str]]("Missing")
    extra = Field[list[str]]("Extra")
    different = Field[list[OrderDifference]]("Different", as_list(OrderDifference))
    undelivered = Field[list[str]]("Undelivered")


class SignInSource(Record):
    __slots__ = ()
    name = Field[str]("Name")
    label = Field[str]("Label")


class SignInSources(Record):
    __slots__ = ()
    entries = Field[list[SignInSource]]("Values", as_list(SignInSource))


class SignedIn(Record):
    __slots__ = ()
    user_id = Field[str]("UserId")
    username = Field[str]("Username")


class TokenAnswer(Record):
    __slots__ = ()
    access_token = Field[str]("access_token")
    token_type = Field[str]("token_type")
    expires_in = Field[int]("expires_in")
    refresh_token = Field[str]("refresh_token")
    issued = Field[datetime](".issued", as_http_date)
    expires = Field[datetime](".expires", as_http_date)
    token_id = Field[str]("token_id")


class HeldRole(Record):
    __slots__ = ()
    name = Field[str]("Name")
    granted_at = Field[datetime]("GrantedAt", as_instant)


class StaffMember(Record):
    __slots__ = ()
    user_id = Field[str]("UserId")
    name = Field[str]("Name")
    roles = Field[list[HeldRole]]("Roles", as_list(HeldRole))
    scopes = Field[list[str]]("Scopes")
    limits = Field[LimitsRecord]("Limits", as_record(LimitsRecord))


class Invitation(Record):
    __slots__ = ()
    id = Field[str]("Id")
    role = Field[str]("Role")
    state = Field[str]("State")
    email = Field[str | None]("Email")
    created_by = Field[str]("CreatedBy")
    created_by_name = Field[str]("CreatedByName")
    created_at = Field[datetime]("CreatedAt", as_instant)
    expires_at = Field[datetime]("ExpiresAt", as_instant)
    accepted_at = Field[datetime | None]("AcceptedAt", as_instant)
    accepted_by = Field[str | None]("AcceptedBy")
    accepted_by_name = Field[str | None]("AcceptedByName")


class CreatedInvitation(Record):
    __slots__ = ()
    id = Field[str]("Id")
    role = Field[str]("Role")
    state = Field[str]("State")
    email = Field[str | None]("Email")
    created_by = Field[str]("CreatedBy")
    created_by_name = Field[str]("CreatedByName")
    created_at = Field[datetime]("CreatedAt", as_instant)
    expires_at = Field[datetime]("ExpiresAt", as_instant)
    accepted_at = Field[datetime | None]("AcceptedAt", as_instant)
    accepted_by = Field[str | None]("AcceptedBy")
    accepted_by_name = Field[str | None]("AcceptedByName")
    link = Field[str | None]("Link")
    mailed = Field[bool]("Mailed")


class ResetFactors(Record):
    __slots__ = ()
    user_id = Field[str]("UserId")
    removed = Field[int]("Removed")


class LedgerPosition(Record):
    __slots__ = ()
    player_id = Field[str]("PlayerId")
    seq = Field[int]("Seq")


class CommittedTransaction(Record):
    __slots__ = ()
    id = Field[str]("Id")
    players = Field[list[LedgerPosition]]("Players", as_list(LedgerPosition))


class TransactionOutcome(Record):
    __slots__ = ()
    key = Field[str]("Key")
    status = Field[int]("Status")
    replayed = Field[bool]("Replayed")
    done = Field[CommittedTransaction | None]("Done", as_record(CommittedTransaction))
    failure = Field[Failure | None]("Failure", as_record(Failure))


class TransactionOutcomes(Record):
    __slots__ = ()
    entries = Field[list[TransactionOutcome]]("Values", as_list(TransactionOutcome))


class TransactionRecord(Record):
    __slots__ = ()
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    actor = Field[str]("Actor")
    actor_name = Field[str]("ActorName")
    reason = Field[str | None]("Reason")
    players = Field[list[Party]]("Players", as_list(Party))
    is_undone = Field[bool]("IsUndone")
    actions = Field[list[TimelineEntry]]("Actions", as_list(TimelineEntry))


class UndoneAction(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    undoes = Field[str]("Undoes")
    kind = Field[str]("Kind")
    player_id = Field[str | None]("PlayerId")
    player_name = Field[str | None]("PlayerName")
    done = Field[list[UndoChange]]("Done", as_list(UndoChange))


class UndoneTransaction(Record):
    __slots__ = ()
    id = Field[str | None]("Id")
    undoes = Field[str]("Undoes")
    dry_run = Field[bool]("DryRun")
    players = Field[list[Party]]("Players", as_list(Party))
    actions = Field[list[UndoneAction]]("Actions", as_list(UndoneAction))


class Power(Record):
    __slots__ = ()
    editor = Field[bool]("Editor")
    ban = Field[bool]("Ban")
    kick = Field[bool]("Kick")
    mute = Field[bool]("Mute")
    api = Field[bool]("Api")
    personal_information = Field[bool]("PersonalInformation")


class User(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    email = Field[str]("Email")
    power = Field[Power]("Power", as_record(Power))
    password_reset_code = Field[str | None]("PasswordResetCode")
    is_muted = Field[bool]("IsMuted")
    mute_reason = Field[str | None]("MuteReason")
    is_banned = Field[bool]("IsBanned")
    registration_date = Field[datetime]("RegistrationDate", as_instant)
    play_time_seconds = Field[int]("PlayTimeSeconds")
    language = Field[str | None]("Language", needed=False)


class RegisteredUser(Record):
    __slots__ = ()
    username = Field[str]("Username")
    email = Field[str]("Email")


class UserHits(Record):
    __slots__ = ()
    entries = Field[list[User]]("Values", as_list(User))
    more = Field[bool]("More")


class ApiPower(Record):
    __slots__ = ()
    editor = Field[bool]("Editor")
    ban = Field[bool]("Ban")
    kick = Field[bool]("Kick")
    mute = Field[bool]("Mute")
    api = Field[bool]("Api")
    api_personal_information = Field[bool]("ApiPersonalInformation")
    api_user_management = Field[bool]("ApiUserManagement")


class ChangedUser(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    email = Field[str]("Email")
    power = Field[ApiPower]("Power", as_record(ApiPower))
    password_reset_code = Field[str | None]("PasswordResetCode")
    is_muted = Field[bool]("IsMuted")
    mute_reason = Field[str | None]("MuteReason")
    is_banned = Field[bool]("IsBanned")
    registration_date = Field[datetime]("RegistrationDate", as_instant)


class FormerIdentity(Record):
    __slots__ = ()
    issuer = Field[str]("Issuer")
    subject = Field[str]("Subject")
    display_name = Field[str | None]("DisplayName")
    linked_at = Field[datetime]("LinkedAt", as_instant)
    unlinked_at = Field[datetime]("UnlinkedAt", as_instant)


class AccountIdentities(Record):
    __slots__ = ()
    entries = Field[list[LinkedIdentity]]("Values", as_list(LinkedIdentity))
    former = Field[list[FormerIdentity]]("Former", as_list(FormerIdentity))


class AccountLink(Record):
    __slots__ = ()
    by = Field[str]("By")
    strength = Field[str]("Strength")
    days_in_common = Field[int]("DaysInCommon")
    first_seen = Field[datetime]("FirstSeen", as_instant)
    last_seen = Field[datetime]("LastSeen", as_instant)
    is_shared = Field[bool]("IsShared")
    accounts = Field[int]("Accounts")
    device = Field[str | None]("Device")
    address = Field[str | None]("Address")
    issuer = Field[str | None]("Issuer")


class LinkedAccount(Record):
    __slots__ = ()
    user_id = Field[str]("UserId")
    user_name = Field[str]("UserName")
    is_banned = Field[bool]("IsBanned")
    strength = Field[str]("Strength")
    summary = Field[str]("Summary")
    links = Field[list[AccountLink]]("Links", as_list(AccountLink))


class SeenClient(Record):
    __slots__ = ()
    by = Field[str]("By")
    device = Field[str | None]("Device")
    address = Field[str | None]("Address")
    days = Field[int]("Days")
    first_seen = Field[datetime]("FirstSeen", as_instant)
    last_seen = Field[datetime]("LastSeen", as_instant)
    accounts = Field[int]("Accounts")
    is_shared = Field[bool]("IsShared")
    is_banned = Field[bool]("IsBanned")


class LinkedAccounts(Record):
    __slots__ = ()
    user_id = Field[str]("UserId")
    user_name = Field[str]("UserName")
    is_banned = Field[bool]("IsBanned")
    entries = Field[list[LinkedAccount]]("Values", as_list(LinkedAccount))
    is_cut = Field[bool]("IsCut")
    seen = Field[list[SeenClient]]("Seen", as_list(SeenClient))


class LinkedBanOutcome(Record):
    __slots__ = ()
    user_id = Field[str]("UserId")
    user_name = Field[str]("UserName")
    is_done = Field[bool]("IsDone")
    sanction_id = Field[str | None]("SanctionId")
    code = Field[str | None]("Code")
    ends_at = Field[datetime | None]("EndsAt", as_instant)
    refusal = Field[str | None]("Refusal")
    message = Field[str]("Message")


class BannedLinked(Record):
    __slots__ = ()
    dry_run = Field[bool]("DryRun")
    entries = Field[list[LinkedBanOutcome]]("Values", as_list(LinkedBanOutcome))


class PasswordResetStatus(Record):
    __slots__ = ()
    message = Field[str]("Message")
    delivery = Field[str]("Delivery")


class SignInRecord(Record):
    __slots__ = ()
    kind = Field[str]("Kind")
    id = Field[str]("Id")
    at = Field[datetime]("At", as_instant)
    method = Field[str | None]("Method")
    address = Field[str | None]("Address")
    user_agent = Field[str | None]("UserAgent")
    is_shared = Field[bool]("IsShared")
    expires_at = Field[datetime | None]("ExpiresAt", as_instant)
    ended_at = Field[datetime | None]("EndedAt", as_instant)


class UserVariable(Record):
    __slots__ = ()
    variable_id = Field[str]("VariableId")
    value = Field[bool | int | float | str]("Value")
    variable_name = Field[str]("VariableName")


class GameVariable(Record):
    __slots__ = ()
    id = Field[str]("Id")
    name = Field[str]("Name")
    text_id = Field[str]("TextId")
    type = Field[int]("Type")
    value = Field[bool | int | float | str]("Value")
    folder = Field[str]("Folder")
    time_created = Field[int]("TimeCreated")


class WebhookWithSecret(Record):
    __slots__ = ()
    id = Field[str]("Id")
    url = Field[str]("Url")
    kinds = Field[list[str] | None]("Kinds")
    enabled = Field[bool]("Enabled")
    off_reason = Field[str | None]("OffReason")
    failing_since = Field[datetime | None]("FailingSince", as_instant)
    retry_at = Field[datetime | None]("RetryAt", as_instant)
    old_secret_until = Field[datetime | None]("OldSecretUntil", as_instant)
    created_at = Field[datetime]("CreatedAt", as_instant)
    owner = Field[str | None]("Owner")
    owner_name = Field[str | None]("OwnerName")
    secret = Field[str | None]("Secret")


class Webhook(Record):
    __slots__ = ()
    id = Field[str]("Id")
    url = Field[str]("Url")
    kinds = Field[list[str] | None]("Kinds")
    enabled = Field[bool]("Enabled")
    off_reason = Field[str | None]("OffReason")
    failing_since = Field[datetime | None]("FailingSince", as_instant)
    retry_at = Field[datetime | None]("RetryAt", as_instant)
    old_secret_until = Field[datetime | None]("OldSecretUntil", as_instant)
    created_at = Field[datetime]("CreatedAt", as_instant)
    owner = Field[str | None]("Owner")
    owner_name = Field[str | None]("OwnerName")


class Webhooks(Record):
    __slots__ = ()
    entries = Field[list[Webhook]]("Values", as_list(Webhook))


class Delivery(Record):
    __slots__ = ()
    id = Field[str]("Id")
    message_id = Field[str]("MessageId")
    seq = Field[int | None]("Seq")
    kind = Field[str]("Kind")
    state = Field[str]("State")
    attempts = Field[int]("Attempts")
    tried_at = Field[datetime | None]("TriedAt", as_instant)
    status = Field[int | None]("Status")
    answer = Field[str | None]("Answer")
    fault = Field[str | None]("Fault")


class DeliveryDetail(Record):
    __slots__ = ()
    id = Field[str]("Id")
    message_id = Field[str]("MessageId")
    seq = Field[int | None]("Seq")
    kind = Field[str]("Kind")
    state = Field[str]("State")
    attempts = Field[int]("Attempts")
    tried_at = Field[datetime | None]("TriedAt", as_instant)
    status = Field[int | None]("Status")
    answer = Field[str | None]("Answer")
    fault = Field[str | None]("Fault")
    payload = Field[Any]("Payload")


class ReplayResult(Record):
    __slots__ = ()
    count = Field[int]("Count")
    complete = Field[bool]("Complete")


class TokenRevocation(Record):
    __slots__ = ()


class EndedTokens(Record):
    __slots__ = ()
    username = Field[str]("Username")
    ended = Field[int]("Ended")


class EndedToken(Record):
    __slots__ = ()
    username = Field[str]("Username")
    token_id = Field[str]("TokenId")


class EndedSignIns(Record):
    __slots__ = ()
    username = Field[str]("username")


class EndedSignIn(Record):
    __slots__ = ()
    username = Field[str]("username")
    token_id = Field[str]("tokenId")


class Health(Record):
    __slots__ = ()
    status = Field[str]("status")


class Readiness(Record):
    __slots__ = ()
    status = Field[str]("status")
    replica = Field[str]("replica")
