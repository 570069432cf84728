-- The planner has little to know of what webhooks leave behind: nearly every row is found by its key or by the one index there
-- is. A tenth of the usual sample tells it that, and taking samples is what a busy queue has autovacuum do every few seconds.
create function sample_less(sampled regclass) returns void language plpgsql as $$
begin
  execute (
    select format('alter table %s %s', sampled, string_agg(format('alter column %I set statistics 10', attname), ', '))
    from pg_attribute where attrelid = sampled and attnum > 0 and not attisdropped);
end $$;

select sample_less(webhooks.oid)
from (values ('webhook_queue'), ('webhook_events'), ('webhook_controls'), ('webhook_deliveries'), ('webhook_attempts'))
  as named (relation)
join pg_class webhooks on webhooks.oid = named.relation::regclass
  or webhooks.oid in (select inhrelid from pg_inherits where inhparent = named.relation::regclass);
