-- A browser session is an access token in a cookie. People see where they are logged in, and end what they do not know.
alter table access_tokens
  add column kind text not null default 'bearer' check (kind in ('bearer', 'browser')),
  -- Whether the person asked to stay logged in.
  add column is_remembered boolean not null default false,
  add column last_used_at timestamptz(3) not null default now(),
  -- The browser and the system in words, from the user agent of the log-in.
  add column device text;

update access_tokens set last_used_at = created_at;
