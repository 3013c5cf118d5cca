#!/bin/sh
# A streaming replica: copies the primary if there is nothing yet, then follows it.
set -eu

if ! [ -s "$PGDATA/PG_VERSION" ]; then
    # A copy that was interrupted is begun again; the slot may be there from the first time.
    find "$PGDATA" -mindepth 1 -delete
    pg_basebackup --dbname "$PRIMARY_URL" --pgdata "$PGDATA" --checkpoint fast --write-recovery-conf \
        --create-slot --slot replica ||
        pg_basebackup --dbname "$PRIMARY_URL" --pgdata "$PGDATA" --checkpoint fast \
            --write-recovery-conf --slot replica
    chmod 700 "$PGDATA"
fi
exec postgres -c hot_standby_feedback=on
