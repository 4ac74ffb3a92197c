# shellcheck shell=sh
# Makes the cluster of PGDATA as the official image does, then becomes PostgreSQL. The shell has no programs beside it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  /postgres/bin/initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth=scram-sha-256 --encoding=UTF8 --locale=C
  echo "CREATE DATABASE $POSTGRES_DB" | /postgres/bin/postgres --single -D "$PGDATA" postgres
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
fi
exec /postgres/bin/postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
