"""The log itself: one table to which rows are only ever added, and the triggers that see to it."""

from django.db import migrations

FORWARD = """
create table matches_event (
    position bigint generated always as identity primary key,
    xid xid8 not null default pg_current_xact_id(),
    stream uuid not null,
    seq integer not null check (seq >= 0),
    kind text not null check (kind in ('match', 'tournament', 'league', 'person')),
    type text not null,
    seat text,
    data jsonb not null,
    event_id uuid not null,
    by uuid,
    acting_as text,
    occurred_at timestamptz,
    recorded_at timestamptz not null,
    hash bytea not null check (octet_length(hash) = 32),
    constraint matches_event_stream_seq unique (stream, seq),
    constraint matches_event_stream_event_id unique (stream, event_id)
);
create index matches_event_followed on matches_event (xid, position);
create index matches_event_event_id on matches_event (event_id);

create function matches_event_refuse() returns trigger language plpgsql as $$
begin
    if tg_op = 'TRUNCATE' and current_setting('app.allow_flush', true) = 'on' and current_database() like 'test%' then
        return null;
    end if;
    raise exception 'matches_event is append-only: % is refused', lower(tg_op)
        using errcode = 'insufficient_privilege', hint = 'What was wrong is put right by a later event.';
end $$;
create trigger matches_event_no_change before update or delete on matches_event
    for each row execute function matches_event_refuse();
create trigger matches_event_no_truncate before truncate on matches_event
    for each statement execute function matches_event_refuse();
alter table matches_event enable always trigger matches_event_no_change;
alter table matches_event enable always trigger matches_event_no_truncate;
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
