-- What a delivery is shown as being of is what lists of deliveries are filtered by, also where it tells no event.
create or replace view webhook_delivery_history as
  select delivery.account_id, delivery.id, delivery.created_at, delivery.updated_at, delivery.kind, delivery.endpoint_id,
    case when delivery.kind = 'production' then delivery.message_id end as event_id,
    coalesce(delivery.event_type, 'webhook.' || delivery.kind) as event_type,
    delivery.origin_delivery_id, delivery.attempt_count, delivery.suppression_reason, delivery.expires_at,
    case when held.lease is null then delivery.status else 'processing' end as status,
    case when held.lease is null then delivery.next_attempt_at end as next_attempt_at
  from webhook_deliveries delivery
  left join webhook_queue held on held.account_id = delivery.account_id and held.delivery_id = delivery.id
    and held.lease is not null and held.due_at > now();
