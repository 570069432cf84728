create or replace function add_counts(one integer[], other integer[]) returns integer[]
  language sql immutable strict parallel safe
  return (select array_agg(coalesce(a, 0) + coalesce(b, 0) order by place)
    from unnest(one, other) with ordinality as both_of(a, b, place));

-- A percentile, estimated from the buckets of `latencyBoundsMs`: linear within a bucket, and the last bound beyond it.
create or replace function latency_within(share numeric, latencies bigint[]) returns integer
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

-- Metrics of the current hour and the 23, or 167, before it.
create or replace function webhook_metrics(account_id uuid, endpoint_id uuid) returns jsonb
  language sql stable strict parallel safe
  return (select jsonb_object_agg(name, jsonb_build_object(
      'attempts', attempts, 'retries', retries, 'succeeded', succeeded, 'failed', failed,
      'success-rate', trim_scale(round(succeeded::numeric / nullif(succeeded + failed, 0), 4)),
      -- A delivery is delivered by one attempt, so the successful attempts are as many.
      'attempt-success-rate', trim_scale(round(succeeded::numeric / nullif(attempts, 0), 4)),
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
        -- Twelve sums are ten times as fast as one sum over unnested arrays.
        array[sum(latencies[1]), sum(latencies[2]), sum(latencies[3]), sum(latencies[4]), sum(latencies[5]),
          sum(latencies[6]), sum(latencies[7]), sum(latencies[8]), sum(latencies[9]), sum(latencies[10]),
          sum(latencies[11]), sum(latencies[12])] as latencies
      from webhook_hours
      where webhook_hours.account_id = webhook_metrics.account_id
        and webhook_hours.endpoint_id = webhook_metrics.endpoint_id
        and hour > date_trunc('hour', now(), 'UTC') - hours * interval '1 hour') as measured);

-- The deliveries of the interface. The queue decides whether a delivery is processing, and only while the lease lasts.
-- `recorded_status` is the plain column, which an index can find.
create or replace view webhook_delivery_history as
  select delivery.account_id, delivery.id, delivery.created_at, delivery.updated_at, delivery.kind, delivery.endpoint_id,
    case when delivery.kind = 'production' then delivery.message_id end as event_id,
    coalesce(delivery.event_type, 'webhook.' || delivery.kind) as event_type,
    delivery.origin_delivery_id, delivery.attempt_count, delivery.suppression_reason, delivery.expires_at,
    case when held.lease is null then delivery.status else 'processing' end as status,
    case when held.lease is null then delivery.next_attempt_at end as next_attempt_at,
    delivery.status as recorded_status,
    case delivery.status when 'delivered' then 'delivered' when 'suppressed' then 'suppressed'
      when 'pending' then 'waiting' when 'retry-scheduled' then 'waiting' when 'blocked-system' then 'waiting'
      else 'failed' end as outcome
  from webhook_deliveries delivery
  left join webhook_queue held on held.account_id = delivery.account_id and held.delivery_id = delivery.id
    and held.lease is not null and held.due_at > now();
