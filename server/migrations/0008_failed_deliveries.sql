-- What failed is looked for by whoever mends a receiver, and is a small part of what there is. The plain status is shown beside the
-- one that the queue has a say in, so that PostgreSQL can keep to the others of a kind before it asks the queue about each.
create index webhook_deliveries_failed on webhook_deliveries (account_id, created_at, id)
  include (endpoint_id, event_type, kind, status) where status in ('exhausted', 'failed-permanent', 'suppressed');

create or replace view webhook_delivery_history as
  select delivery.account_id, delivery.id, delivery.created_at, delivery.updated_at, delivery.kind, delivery.endpoint_id,
    case when delivery.kind = 'production' then delivery.message_id end as event_id,
    coalesce(delivery.event_type, 'webhook.' || delivery.kind) as event_type,
    delivery.origin_delivery_id, delivery.attempt_count, delivery.suppression_reason, delivery.expires_at,
    case when held.lease is null then delivery.status else 'processing' end as status,
    case when held.lease is null then delivery.next_attempt_at end as next_attempt_at,
    delivery.status as recorded_status
  from webhook_deliveries delivery
  left join webhook_queue held on held.account_id = delivery.account_id and held.delivery_id = delivery.id
    and held.lease is not null and held.due_at > now();
