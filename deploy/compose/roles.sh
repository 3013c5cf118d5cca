#!/bin/sh
# Makes the roles and the database, once, on an empty volume: the owner migrates, the service's role
# can append to history but not alter it (docs/operations.md, "The database").
set -eu

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
    --set owner="$OWNER_PASSWORD" --set app="$APP_PASSWORD" --set replication="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE gamekeeper_owner LOGIN PASSWORD :'owner';
CREATE ROLE gamekeeper LOGIN PASSWORD :'app';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication';
CREATE DATABASE gamekeeper OWNER gamekeeper_owner ENCODING 'UTF8' TEMPLATE template0;
SQL

# The image lets every role in by password, but none to replicate.
echo "host replication replicator all scram-sha-256" >>"$PGDATA/pg_hba.conf"
