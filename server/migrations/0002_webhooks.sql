-- Webhooks: endpoints and their secrets, the history of what was captured and sent, and the queue of what is to be sent.
--
-- History (events, deliveries, attempts) is partitioned by the day on which the event was captured, and dropped by the
-- partition. Its ids carry that day: a row is found in its partition by its id alone, and a redelivery of an old event
-- lies with the event. The queue holds live work and nothing else.

-- A UUIDv7 whose time is `at`, by the database's clock: of two nodes that disagree about the day, neither decides in which
-- partition a row lies and when it is dropped.
create function history_id(at timestamptz) returns uuid
  language sql volatile parallel safe
  return (
    lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' ||
    -- What is left of the millisecond, so that ids rise within it, too.
    lpad(to_hex(floor(mod(extract(epoch from at) * 1000, 1) * 4096)::integer), 3, '0') ||
    substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid;

-- The smallest id of that moment: bounds of partitions, and of what one event led to.
create function history_floor(at timestamptz) returns uuid
  language sql immutable strict parallel safe
  return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Endpoints ---------------------------------------------------------------------------------------------------------

create table webhook_endpoints (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  -- The interface's `configuration-version`.
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  modified_at timestamptz(3) not null default now(),

  name text,
  url text not null,
  normalized_url text not null,
  events text[] not null,
  status text not null default 'pending-verification' constraint webhook_endpoints_status_known
    check (status in ('pending-verification', 'active', 'paused', 'deleted')),
  pause_reason text constraint webhook_endpoints_pause_reason_known
    check (pause_reason in ('manual', 'health', 'security-policy')),
  destination_version integer not null default 1,
  verified_destination_version integer,
  verified_at timestamptz(3),
  secret_generation integer not null default 1,
  secret_overlap_until timestamptz(3),
  verification_generation integer not null default 1,

  primary key (account_id, id),
  constraint webhook_endpoints_paused_for_a_reason check ((status = 'paused') = (pause_reason is not null)),
  constraint webhook_endpoints_active_is_verified
    check (status <> 'active' or verified_destination_version = destination_version)
);

create unique index webhook_endpoints_url_key on webhook_endpoints (account_id, normalized_url) where status <> 'deleted';

-- Apart from the endpoint, which people change: what receivers answer must not wait for them, nor they for it.
create table webhook_endpoint_health (
  account_id uuid not null,
  endpoint_id uuid not null,
  consecutive_failures integer not null default 0,
  streak_began_at timestamptz(3),
  failing_since timestamptz(3),
  old_news_until timestamptz(3),
  last_attempt_at timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_failure_code text,
  primary key (account_id, endpoint_id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
) with (fillfactor = 50);

-- For the sweep that pauses what nobody looks after.
create index webhook_endpoint_health_failing on webhook_endpoint_health (failing_since) where failing_since is not null;

create table webhook_secrets (
  account_id uuid not null,
  endpoint_id uuid not null,
  generation integer not null,
  encrypted bytea not null,
  created_at timestamptz(3) not null default now(),
  -- Signs until then; null while it is the current one.
  valid_until timestamptz(3),
  primary key (account_id, endpoint_id, generation),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

-- That a secret was rotated, for whoever asked for it; the secrets themselves are above.
create table webhook_endpoint_secret_rotations (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  endpoint_id uuid not null,
  secret_generation integer not null,
  previous_valid_until timestamptz(3) not null,
  primary key (account_id, id),
  constraint webhook_endpoint_secret_rotations_endpoint_fkey
    foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

create index webhook_endpoint_secret_rotations_by_endpoint
  on webhook_endpoint_secret_rotations (account_id, endpoint_id);

-- What happened to an endpoint, for its timeline.
create table webhook_endpoint_changes (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  happened_at timestamptz(3) not null default now(),
  change text not null,
  details jsonb not null default '{}',
  -- Null: the service itself, the operator, or somebody who is gone.
  changed_by uuid,
  primary key (account_id, id),
  constraint webhook_endpoint_changes_endpoint_fkey
    foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade,
  constraint webhook_endpoint_changes_changed_by_fkey
    foreign key (account_id, changed_by) references people (account_id, id) on delete set null (changed_by)
);

create index webhook_endpoint_changes_by_endpoint on webhook_endpoint_changes (account_id, endpoint_id, happened_at, id);

-- What was asked for, to be counted against the limits of the window.
create table webhook_actions (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  endpoint_id uuid not null,
  action text not null,
  asked_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);

create index webhook_actions_by_time on webhook_actions (account_id, action, asked_at);

-- One row per church and action, locked by whoever counts: parallel requests count one after the other.
create table webhook_action_turns (
  account_id uuid not null references accounts (id) on delete cascade,
  action text not null,
  primary key (account_id, action)
);

-- Rolled up as deliveries are settled, so that a window costs the same at ten and at ten million of them.
create table webhook_hours (
  account_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz(0) not null,
  attempts integer not null default 0,
  retries integer not null default 0,
  succeeded integer not null default 0,
  failed integer not null default 0,
  latency_ms_sum bigint not null default 0,
  -- How many attempts took up to each of the bounds of `latencyBoundsMs`.
  latencies integer[] not null,
  primary key (account_id, endpoint_id, hour),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
) with (fillfactor = 50);

create function add_counts(one integer[], other integer[]) returns integer[]
  language sql immutable strict parallel safe
  return (select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
    from unnest(one, other) with ordinality as both_of(a, b, place));

-- How long the fastest `share` of the attempts took at most. What is known is how many took up to each bound of
-- `latencyBoundsMs`: within its bucket the answer lies in proportion, and beyond the last bound it is that bound.
create function latency_within(share numeric, latencies bigint[]) returns integer
  language sql immutable strict parallel safe
  return (select round(lower + (upper - lower) * (share * total - faster) / attempts)
    from (select attempts, place, sum(attempts) over () as total,
        sum(attempts) over (order by place) - attempts as faster,
        coalesce(lag(bound) over (order by place), 0) as lower,
        coalesce(bound, lag(bound) over (order by place)) as upper
      from unnest(latencies, array[5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) with ordinality
        as bucket(attempts, bound, place)) bucket
    where attempts > 0 and faster + attempts >= share * total
    order by place limit 1);

-- An endpoint's present hour and the 23, or 167, before it.
create function webhook_metrics(account_id uuid, endpoint_id uuid) returns jsonb
  language sql stable strict parallel safe
  return (select jsonb_object_agg(name, jsonb_build_object(
      'attempts', attempts, 'retries', retries, 'succeeded', succeeded, 'failed', failed,
      'success-rate', trim_scale(round(succeeded::numeric / nullif(succeeded + failed, 0), 4)),
      'latency-ms', jsonb_build_object(
        'average', round(latency_ms_sum / nullif(attempts, 0)),
        'p50', latency_within(0.5, latencies),
        'p95', latency_within(0.95, latencies),
        'p99', latency_within(0.99, latencies))))
    from (values ('24h', 24), ('7d', 168)) as span(name, hours)
    cross join lateral (
      select coalesce(sum(attempts), 0) as attempts, coalesce(sum(retries), 0) as retries,
        coalesce(sum(succeeded), 0) as succeeded, coalesce(sum(failed), 0) as failed,
        sum(latency_ms_sum) as latency_ms_sum,
        -- Twelve sums take a tenth of the time of one over unnested arrays.
        array[sum(latencies[1]), sum(latencies[2]), sum(latencies[3]), sum(latencies[4]), sum(latencies[5]),
          sum(latencies[6]), sum(latencies[7]), sum(latencies[8]), sum(latencies[9]), sum(latencies[10]),
          sum(latencies[11]), sum(latencies[12])] as latencies
      from webhook_hours
      where webhook_hours.account_id = webhook_metrics.account_id
        and webhook_hours.endpoint_id = webhook_metrics.endpoint_id
        and hour > date_trunc('hour', now(), 'UTC') - hours * interval '1 hour') as measured);

-- History -----------------------------------------------------------------------------------------------------------

create table webhook_events (
  account_id uuid not null,
  id uuid not null,
  event_type text not null,
  occurred_at timestamptz(3) not null,
  cause text not null,
  batch_id uuid,
  subject_type text not null,
  subject_id uuid not null,
  -- Null: the operator, by the command line.
  actor_id uuid,
  changed_fields text[],
  -- JSON as it was written, spliced into messages and answers without being parsed.
  snapshot text not null,
  snapshot_bytes integer not null,
  omitted_fields text[] not null default '{}',
  merge jsonb,
  primary key (account_id, id)
) partition by range (id);

create index webhook_events_by_time on webhook_events (account_id, occurred_at, id) include (event_type);
create index webhook_events_by_subject on webhook_events (account_id, subject_id);

-- What is said to a receiver beside events: verification and test. Found by the delivery's id, in its partition's time.
create table webhook_controls (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  control_type text not null,
  destination_version integer not null,
  verification_generation integer not null,
  challenge text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
) partition by range (id);

create table webhook_deliveries (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  kind text not null,
  endpoint_id uuid not null,
  -- The event's or the control message's, and the `Webhook-Id`.
  message_id uuid not null,
  -- Null for control messages.
  event_type text,
  destination_version integer not null,
  origin_delivery_id uuid,
  replay_id uuid,
  -- `processing` is never written here: a delivery is being processed while the queue says it is leased.
  status text not null default 'pending',
  suppression_reason text,
  attempt_count integer not null default 0,
  next_attempt_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
) partition by range (id);

-- One index serves every filter without reading rows, which lie scattered among those of other churches. With one more
-- for endpoints, and none for the status, lists were ten times slower, and capturing and settling took a fifth longer.
create index webhook_deliveries_by_time on webhook_deliveries (account_id, created_at, id)
  include (endpoint_id, event_type, kind, status);

create table webhook_attempts (
  account_id uuid not null,
  delivery_id uuid not null,
  -- Counts every claim, also of those that used no attempt.
  sequence integer not null,
  attempt_number integer not null,
  state text not null,
  outcome text,
  http_status integer,
  error_code text,
  duration_ms integer,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (account_id, delivery_id, sequence)
) partition by range (delivery_id);

-- Replays: all failed deliveries of an endpoint in a range of time, once more.
create table webhook_replays (
  account_id uuid not null,
  id uuid not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  endpoint_id uuid not null,
  range_from timestamptz(3) not null,
  range_to timestamptz(3) not null,
  created_count integer not null default 0,
  remaining_count integer not null default 0,
  primary key (account_id, id),
  constraint webhook_replays_endpoint_fkey
    foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);

create index webhook_replays_by_endpoint on webhook_replays (account_id, endpoint_id);

-- The queue ---------------------------------------------------------------------------------------------------------

-- Live work, and what a worker needs to judge it without reading history. A row waits until `due_at`, is ready, is leased
-- until `due_at`, and waits again or is gone.
create table webhook_queue (
  account_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  kind text not null,
  event_type text,
  destination_version integer not null,
  verification_generation integer,
  status text not null default 'pending',
  attempts_made integer not null default 0,
  system_failures integer not null default 0,
  expires_at timestamptz(3) not null,

  -- Due, and nobody's. Time alone makes nothing ready: a sweep does, so that an index can hold what is.
  ready boolean not null default true,
  due_at timestamptz(3) not null,
  -- The fencing token of who holds it: whatever is written for a lease is written while it is still the same.
  lease uuid,
  leased_at timestamptz(3),
  claims integer not null default 0,
  primary key (account_id, delivery_id)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000
);

-- By endpoint, so that a claim walks from receiver to receiver, and a million rows of one cost one step.
create index webhook_queue_ready on webhook_queue (account_id, endpoint_id, due_at) where ready;
create index webhook_queue_waiting on webhook_queue (due_at) where not ready;

-- What is shown -----------------------------------------------------------------------------------------------------

-- Who holds a delivery is the queue's to say, and only as long as the lease lasts.
create view webhook_delivery_history as
  select delivery.account_id, delivery.id, delivery.created_at, delivery.updated_at, delivery.kind, delivery.endpoint_id,
    case when delivery.kind = 'production' then delivery.message_id end as event_id, delivery.event_type,
    delivery.origin_delivery_id, delivery.attempt_count, delivery.suppression_reason, delivery.expires_at,
    case when held.lease is null then delivery.status else 'processing' end as status,
    case when held.lease is null then delivery.next_attempt_at end as next_attempt_at
  from webhook_deliveries delivery
  left join webhook_queue held on held.account_id = delivery.account_id and held.delivery_id = delivery.id
    and held.lease is not null and held.due_at > now();

-- Answers with a secret ----------------------------------------------------------------------------------------------

-- What an answer revealed, by reference: the secret itself is never in a stored answer.
alter table idempotency_keys add column reveals jsonb;
