"""
Schema names of the OpenAPI document, where the class has another.

A generated client has one namespace for everything, often the one of its language: a name
must say its concept without the module around it, and be no built-in of a language.
"""

SCHEMA_NAMES = {
    "Change": "UndoChange",
    "Changed": "PresenceResult",
    "Done": "CommittedTransaction",
    "DoAction": "AdminActionBody",
    "DeliveryShown": "DeliveryDetail",
    "Entries": "AuditLogPage",
    "Entry": "AuditLogEntry",
    "Event": "TimelineEntry",
    "ExpectedBody": "ExpectedPosition",
    "Fence": "FenceBody",
    "Items": "CarriedItems",
    "Joined": "JoinedPlayer",
    "Joining": "JoinResult",
    "Left": "UndoFailure",
    "NewlyKeyed": "WebhookWithSecret",
    "ObjectPage": "JsonObjectPage",
    "Obstacle": "UndoBlocker",
    "OnlineThen": "OnlineSample",
    "Registered": "RegisteredUser",
    "Replayed": "ReplayResult",
    "ResetAsked": "PasswordResetStatus",
    "Restored": "RestoreResult",
    "Returned": "RestoredItem",
    "Revoked": "TokenRevocation",
    "ShownStep": "LadderStepShown",
    "ShownItem": "LetterStack",
    "ShownLetter": "Letter",
    "Stood": "LedgerPosition",
    "Swept": "BulkUndoResult",
    "Tally": "UndoCounts",
    "TradeObstacle": "TradeBlocker",
    "Undone": "UndoResult",
}
