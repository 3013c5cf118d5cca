"""The table of the commands of live operations; the others are in `commands`."""

from gamekeeper.cli.lazy import LazyCommand, LazyGroup

SEGMENTS = LazyGroup(
    {
        "list": LazyCommand("segments:list_", "Show all segments."),
        "show": LazyCommand("segments:show", "Show a segment as JSON, for `set`."),
        "count": LazyCommand(
            "segments:count", "Count the members of a segment, or estimate their number."
        ),
        "members": LazyCommand("segments:members_", "Show members of a segment, by id."),
        "set": LazyCommand(
            "segments:set_", "Create a segment from a JSON file, or replace the one with this name."
        ),
        "delete": LazyCommand("segments:delete", "Delete a segment; its members are not changed."),
        "lists": LazyCommand("segments:lists", "Show all uploaded lists of names."),
        "upload": LazyCommand(
            "segments:upload", "Add the names in a file to a list, one per line."
        ),
        "unmatched": LazyCommand(
            "segments:unmatched", "Show the names on a list that match no character."
        ),
        "delete-list": LazyCommand("segments:delete_list", "Delete a list and its names."),
    },
    "Segments: saved conditions over characters, and lists of names.",
)
