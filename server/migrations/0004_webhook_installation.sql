-- The database whose webhooks are sent. A copy of it has another identity and sends nothing until the operator releases it.
create table webhook_installation (
  is_only boolean primary key default true,
  identity jsonb not null,
  -- The identity of a copy that a node has found, until the copy is released.
  held_identity jsonb,
  held_at timestamptz(3),
  constraint webhook_installation_is_only check (is_only),
  constraint webhook_installation_held check ((held_identity is null) = (held_at is null))
);
