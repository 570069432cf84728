-- The start of the receiver's answer as text, for the administrators who look for the reason of a failure.
alter table webhook_attempts add column answer text;
