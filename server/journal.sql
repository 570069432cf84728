-- Generated from the definitions by `npm run generate`. The other functions are in `src/features/journal/facts.sql`.

create or replace function journal_accounts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.id, 'accounts', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.id, 'accounts', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.id, 'accounts', new.id, 'updated', 'updated', 
    case when old.church_name is distinct from new.church_name then jsonb_build_object('church-name', jsonb_build_object('from', old.church_name, 'to', new.church_name)) else '{}' end ||
    case when old.settings is distinct from new.settings then jsonb_build_object('settings', jsonb_build_object('from', old.settings, 'to', new.settings)) else '{}' end ||
    case when old.custom_properties is distinct from new.custom_properties then jsonb_build_object('custom-properties', jsonb_build_object('from', old.custom_properties, 'to', new.custom_properties)) else '{}' end ||
    case when old.alias is distinct from new.alias then jsonb_build_object('alias', jsonb_build_object('from', old.alias, 'to', new.alias)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.integration_approved is distinct from new.integration_approved then jsonb_build_object('integration-approved', jsonb_build_object('from', old.integration_approved, 'to', new.integration_approved)) else '{}' end ||
    case when old.acronym is distinct from new.acronym then jsonb_build_object('acronym', jsonb_build_object('from', old.acronym, 'to', new.acronym)) else '{}' end ||
    case when old.email is distinct from new.email then jsonb_build_object('email', jsonb_build_object('from', old.email, 'to', new.email)) else '{}' end ||
    case when old.phone is distinct from new.phone then jsonb_build_object('phone', jsonb_build_object('from', old.phone, 'to', new.phone)) else '{}' end ||
    case when old.website is distinct from new.website then jsonb_build_object('website', jsonb_build_object('from', old.website, 'to', new.website)) else '{}' end ||
    case when old.address is distinct from new.address then jsonb_build_object('address', jsonb_build_object('from', old.address, 'to', new.address)) else '{}' end ||
    case when old.logo_url is distinct from new.logo_url then jsonb_build_object('logo-url', jsonb_build_object('from', old.logo_url, 'to', new.logo_url)) else '{}' end ||
    case when old.legal_acceptances is distinct from new.legal_acceptances then jsonb_build_object('legal-acceptances', jsonb_build_object('from', old.legal_acceptances, 'to', new.legal_acceptances)) else '{}' end ||
    case when old.features is distinct from new.features then jsonb_build_object('features', jsonb_build_object('from', old.features, 'to', new.features)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('accounts', 'journal', 'insert or update or delete', 'journal_accounts');

create or replace function journal_people() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'people', new.id, 'created', case when new.administrative_status <> 'none' then 'permission-changed' else 'created' end, case when new.administrative_status <> 'none' then jsonb_build_object('administrative-status', jsonb_build_object('from', null, 'to', new.administrative_status)) else '{}' end, new.id, null);
    return null;
  elsif tg_op = 'DELETE' then
    if cardinality(array_remove(array[]::uuid[]
      || case when old.membership_status = 'prospect' then array[old.created_by] end, null)) > 0 then
      perform journal_add(old.account_id, 'people', old.id, 'deleted', null, '{}', old.id, array_remove(array[]::uuid[]
      || case when old.membership_status = 'prospect' then array[old.created_by] end, null));
    end if;
    perform journal_person_gone(old.account_id, old.id);
    return null;
  end if;
  if new.is_anonymized then
    if not old.is_anonymized then perform journal_anonymized(new.account_id, new.id); end if;
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'people', new.id, 'updated', case when old.administrative_status is distinct from new.administrative_status then 'permission-changed' else 'updated' end, 
    case when old.full_name is distinct from new.full_name then jsonb_build_object('full-name', jsonb_build_object('from', old.full_name, 'to', new.full_name)) else '{}' end ||
    case when old.first_name is distinct from new.first_name then jsonb_build_object('first-name', jsonb_build_object('from', old.first_name, 'to', new.first_name)) else '{}' end ||
    case when old.last_name is distinct from new.last_name then jsonb_build_object('last-name', jsonb_build_object('from', old.last_name, 'to', new.last_name)) else '{}' end ||
    case when old.preferred_name is distinct from new.preferred_name then jsonb_build_object('preferred-name', jsonb_build_object('from', old.preferred_name, 'to', new.preferred_name)) else '{}' end ||
    case when old.former_name is distinct from new.former_name then jsonb_build_object('former-name', jsonb_build_object('from', old.former_name, 'to', new.former_name)) else '{}' end ||
    case when old.sex is distinct from new.sex then jsonb_build_object('sex', jsonb_build_object('from', old.sex, 'to', new.sex)) else '{}' end ||
    case when old.birthdate is distinct from new.birthdate then jsonb_build_object('birthdate', jsonb_build_object('from', old.birthdate, 'to', new.birthdate)) else '{}' end ||
    case when old.birth_month_day is distinct from new.birth_month_day then jsonb_build_object('birth-month-day', jsonb_build_object('from', old.birth_month_day, 'to', new.birth_month_day)) else '{}' end ||
    case when old.deathdate is distinct from new.deathdate then jsonb_build_object('deathdate', jsonb_build_object('from', old.deathdate, 'to', new.deathdate)) else '{}' end ||
    case when old.marital_status is distinct from new.marital_status then jsonb_build_object('marital-status', jsonb_build_object('from', old.marital_status, 'to', new.marital_status)) else '{}' end ||
    case when old.wedding_date is distinct from new.wedding_date then jsonb_build_object('wedding-date', jsonb_build_object('from', old.wedding_date, 'to', new.wedding_date)) else '{}' end ||
    case when old.occupation is distinct from new.occupation then jsonb_build_object('occupation', jsonb_build_object('from', old.occupation, 'to', new.occupation)) else '{}' end ||
    case when old.nationality is distinct from new.nationality then jsonb_build_object('nationality', jsonb_build_object('from', old.nationality, 'to', new.nationality)) else '{}' end ||
    case when old.email is distinct from new.email then jsonb_build_object('email', jsonb_build_object('from', old.email, 'to', new.email)) else '{}' end ||
    case when old.other_emails is distinct from new.other_emails then jsonb_build_object('other-emails', jsonb_build_object('from', old.other_emails, 'to', new.other_emails)) else '{}' end ||
    case when old.phones is distinct from new.phones then jsonb_build_object('phones', jsonb_build_object('from', old.phones, 'to', new.phones)) else '{}' end ||
    case when old.address is distinct from new.address then jsonb_build_object('address', jsonb_build_object('from', old.address, 'to', new.address)) else '{}' end ||
    case when old.emergency_contact is distinct from new.emergency_contact then jsonb_build_object('emergency-contact', jsonb_build_object('from', old.emergency_contact, 'to', new.emergency_contact)) else '{}' end ||
    case when old.membership_status is distinct from new.membership_status then jsonb_build_object('membership-status', jsonb_build_object('from', old.membership_status, 'to', new.membership_status)) else '{}' end ||
    case when old.membership_status_changed_at is distinct from new.membership_status_changed_at then jsonb_build_object('membership-status-changed-at', jsonb_build_object('from', old.membership_status_changed_at, 'to', new.membership_status_changed_at)) else '{}' end ||
    case when old.member_since is distinct from new.member_since then jsonb_build_object('member-since', jsonb_build_object('from', old.member_since, 'to', new.member_since)) else '{}' end ||
    case when old.admission_method is distinct from new.admission_method then jsonb_build_object('admission-method', jsonb_build_object('from', old.admission_method, 'to', new.admission_method)) else '{}' end ||
    case when old.decision_date is distinct from new.decision_date then jsonb_build_object('decision-date', jsonb_build_object('from', old.decision_date, 'to', new.decision_date)) else '{}' end ||
    case when old.is_baptized is distinct from new.is_baptized then jsonb_build_object('is-baptized', jsonb_build_object('from', old.is_baptized, 'to', new.is_baptized)) else '{}' end ||
    case when old.baptism_date is distinct from new.baptism_date then jsonb_build_object('baptism-date', jsonb_build_object('from', old.baptism_date, 'to', new.baptism_date)) else '{}' end ||
    case when old.previous_church is distinct from new.previous_church then jsonb_build_object('previous-church', jsonb_build_object('from', old.previous_church, 'to', new.previous_church)) else '{}' end ||
    case when old.left_at is distinct from new.left_at then jsonb_build_object('left-at', jsonb_build_object('from', old.left_at, 'to', new.left_at)) else '{}' end ||
    case when old.left_reason is distinct from new.left_reason then jsonb_build_object('left-reason', jsonb_build_object('from', old.left_reason, 'to', new.left_reason)) else '{}' end ||
    case when old.identity_documents is distinct from new.identity_documents then jsonb_build_object('identity-documents', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.medical_notes is distinct from new.medical_notes then jsonb_build_object('medical-notes', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.is_active is distinct from new.is_active then jsonb_build_object('is-active', jsonb_build_object('from', old.is_active, 'to', new.is_active)) else '{}' end ||
    case when old.deactivated_at is distinct from new.deactivated_at then jsonb_build_object('deactivated-at', jsonb_build_object('from', old.deactivated_at, 'to', new.deactivated_at)) else '{}' end ||
    case when old.administrative_status is distinct from new.administrative_status then jsonb_build_object('administrative-status', jsonb_build_object('from', old.administrative_status, 'to', new.administrative_status)) else '{}' end ||
    case when old.is_anonymized is distinct from new.is_anonymized then jsonb_build_object('is-anonymized', jsonb_build_object('from', old.is_anonymized, 'to', new.is_anonymized)) else '{}' end ||
    case when old.has_login is distinct from new.has_login then jsonb_build_object('has-login', jsonb_build_object('from', old.has_login, 'to', new.has_login)) else '{}' end ||
    case when old.last_login_at is distinct from new.last_login_at then jsonb_build_object('last-login-at', jsonb_build_object('from', old.last_login_at, 'to', new.last_login_at)) else '{}' end ||
    case when old.locale is distinct from new.locale then jsonb_build_object('locale', jsonb_build_object('from', old.locale, 'to', new.locale)) else '{}' end ||
    case when old.communication_preferences is distinct from new.communication_preferences then jsonb_build_object('communication-preferences', jsonb_build_object('from', old.communication_preferences, 'to', new.communication_preferences)) else '{}' end ||
    case when old.directory_visibility is distinct from new.directory_visibility then jsonb_build_object('directory-visibility', jsonb_build_object('from', old.directory_visibility, 'to', new.directory_visibility)) else '{}' end ||
    case when old.consents is distinct from new.consents then jsonb_build_object('consents', jsonb_build_object('from', old.consents, 'to', new.consents)) else '{}' end ||
    case when old.custom_properties is distinct from new.custom_properties then journal_custom_changes(new.account_id, 'people', old.custom_properties, new.custom_properties) else '{}' end ||
    case when old.external_ids is distinct from new.external_ids then jsonb_build_object('external-ids', jsonb_build_object('from', old.external_ids, 'to', new.external_ids)) else '{}' end ||
    case when old.merged_ids is distinct from new.merged_ids then jsonb_build_object('merged-ids', jsonb_build_object('from', old.merged_ids, 'to', new.merged_ids)) else '{}' end, new.id, null);
  return null;
end $$;

select journal_follow('people', 'journal', 'insert or update or delete', 'journal_people');

create or replace function journal_person_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'people', new.person_id, 'updated', 'updated', jsonb_build_object('tags', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(new.tag_id))), new.person_id, null, are_links => true);
  else
    perform journal_add(old.account_id, 'people', old.person_id, 'updated', 'updated', jsonb_build_object('tags', jsonb_build_object('from', jsonb_build_array(old.tag_id), 'to', '[]'::jsonb)), old.person_id, null, are_links => true);
  end if;
  return null;
end $$;

select journal_follow('person_tags', 'journal_tags', 'insert or delete', 'journal_person_tags');

create or replace function journal_person_merges() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_merge(new.account_id, new.kept_id, new.id);
    perform journal_add(new.account_id, 'person-merges', new.id, 'created', null, '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'person-merges', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'person-merges', new.id, 'updated', 'updated', 
    case when old.field_choices is distinct from new.field_choices then jsonb_build_object('field-choices', jsonb_build_object('from', old.field_choices, 'to', new.field_choices)) else '{}' end ||
    case when old.keep_households is distinct from new.keep_households then jsonb_build_object('keep-households', jsonb_build_object('from', old.keep_households, 'to', new.keep_households)) else '{}' end ||
    case when old.note is distinct from new.note then jsonb_build_object('note', jsonb_build_object('from', old.note, 'to', new.note)) else '{}' end ||
    case when old.moved_counts is distinct from new.moved_counts then jsonb_build_object('moved-counts', jsonb_build_object('from', old.moved_counts, 'to', new.moved_counts)) else '{}' end ||
    case when old.conflicts is distinct from new.conflicts then jsonb_build_object('conflicts', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.kept_id is distinct from new.kept_id then jsonb_build_object('kept', jsonb_build_object('from', old.kept_id, 'to', new.kept_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('person_merges', 'journal', 'insert or update or delete', 'journal_person_merges');

create or replace function journal_person_duplicates() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'person-duplicates', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'person-duplicates', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'person-duplicates', new.id, 'updated', 'updated', 
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.score is distinct from new.score then jsonb_build_object('score', jsonb_build_object('from', old.score, 'to', new.score)) else '{}' end ||
    case when old.reasons is distinct from new.reasons then jsonb_build_object('reasons', jsonb_build_object('from', old.reasons, 'to', new.reasons)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('person_duplicates', 'journal', 'insert or update or delete', 'journal_person_duplicates');

create or replace function journal_person_anonymizations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'person-anonymizations', new.id, 'created', 'created', '{}', new.person_id, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'person-anonymizations', old.id, 'deleted', 'deleted', '{}', old.person_id, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'person-anonymizations', new.id, 'updated', 'updated', 
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end, new.person_id, null);
  return null;
end $$;

select journal_follow('person_anonymizations', 'journal', 'insert or update or delete', 'journal_person_anonymizations');

create or replace function journal_households() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'households', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'households', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version and old.primary_contact_id is not distinct from new.primary_contact_id then return null; end if;
  perform journal_add(new.account_id, 'households', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.phone is distinct from new.phone then jsonb_build_object('phone', jsonb_build_object('from', old.phone, 'to', new.phone)) else '{}' end ||
    case when old.address is distinct from new.address then jsonb_build_object('address', jsonb_build_object('from', old.address, 'to', new.address)) else '{}' end ||
    case when old.custom_properties is distinct from new.custom_properties then journal_custom_changes(new.account_id, 'households', old.custom_properties, new.custom_properties) else '{}' end ||
    case when old.primary_contact_id is distinct from new.primary_contact_id then jsonb_build_object('primary-contact', jsonb_build_object('from', old.primary_contact_id, 'to', new.primary_contact_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('households', 'journal', 'insert or update or delete', 'journal_households');

create or replace function journal_household_memberships() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'household-memberships', new.id, 'created', 'created', '{}', new.person_id, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'household-memberships', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[]::uuid[]
      || array(select other.person_id from household_memberships other
            where other.account_id = old.account_id and other.household_id = old.household_id), null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'household-memberships', new.id, 'updated', 'updated', 
    case when old.household_role is distinct from new.household_role then jsonb_build_object('household-role', jsonb_build_object('from', old.household_role, 'to', new.household_role)) else '{}' end ||
    case when old.is_primary is distinct from new.is_primary then jsonb_build_object('is-primary', jsonb_build_object('from', old.is_primary, 'to', new.is_primary)) else '{}' end ||
    case when old.may_pick_up is distinct from new.may_pick_up then jsonb_build_object('may-pick-up', jsonb_build_object('from', old.may_pick_up, 'to', new.may_pick_up)) else '{}' end ||
    case when old.household_id is distinct from new.household_id then jsonb_build_object('household', jsonb_build_object('from', old.household_id, 'to', new.household_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end, new.person_id, null);
  return null;
end $$;

select journal_follow('household_memberships', 'journal', 'insert or update or delete', 'journal_household_memberships');

create or replace function journal_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'tags', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'tags', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'tags', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.color is distinct from new.color then jsonb_build_object('color', jsonb_build_object('from', old.color, 'to', new.color)) else '{}' end ||
    case when old.applies_to is distinct from new.applies_to then jsonb_build_object('applies-to', jsonb_build_object('from', old.applies_to, 'to', new.applies_to)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('tags', 'journal', 'insert or update or delete', 'journal_tags');

create or replace function journal_courses() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'courses', new.id, 'created', 'created', '{}', null, array_remove(array[new.id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'courses', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'courses', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.description is distinct from new.description then jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description)) else '{}' end ||
    case when old.price is distinct from new.price then jsonb_build_object('price', jsonb_build_object('from', old.price, 'to', new.price)) else '{}' end ||
    case when old.price_currency is distinct from new.price_currency then jsonb_build_object('price-currency', jsonb_build_object('from', old.price_currency, 'to', new.price_currency)) else '{}' end ||
    case when old.lessons_to_graduate is distinct from new.lessons_to_graduate then jsonb_build_object('lessons-to-graduate', jsonb_build_object('from', old.lessons_to_graduate, 'to', new.lessons_to_graduate)) else '{}' end ||
    case when old.is_active is distinct from new.is_active then jsonb_build_object('is-active', jsonb_build_object('from', old.is_active, 'to', new.is_active)) else '{}' end ||
    case when old.code is distinct from new.code then jsonb_build_object('code', jsonb_build_object('from', old.code, 'to', new.code)) else '{}' end ||
    case when old.summary is distinct from new.summary then jsonb_build_object('summary', jsonb_build_object('from', old.summary, 'to', new.summary)) else '{}' end ||
    case when old.is_public is distinct from new.is_public then jsonb_build_object('is-public', jsonb_build_object('from', old.is_public, 'to', new.is_public)) else '{}' end ||
    case when old.enrollment_policy is distinct from new.enrollment_policy then jsonb_build_object('enrollment-policy', jsonb_build_object('from', old.enrollment_policy, 'to', new.enrollment_policy)) else '{}' end ||
    case when old.graduation_mode is distinct from new.graduation_mode then jsonb_build_object('graduation-mode', jsonb_build_object('from', old.graduation_mode, 'to', new.graduation_mode)) else '{}' end ||
    case when old.excused_counts is distinct from new.excused_counts then jsonb_build_object('excused-counts', jsonb_build_object('from', old.excused_counts, 'to', new.excused_counts)) else '{}' end ||
    case when old.has_certificate is distinct from new.has_certificate then jsonb_build_object('has-certificate', jsonb_build_object('from', old.has_certificate, 'to', new.has_certificate)) else '{}' end ||
    case when old.certificate_valid_months is distinct from new.certificate_valid_months then jsonb_build_object('certificate-valid-months', jsonb_build_object('from', old.certificate_valid_months, 'to', new.certificate_valid_months)) else '{}' end ||
    case when old.category is distinct from new.category then jsonb_build_object('category', jsonb_build_object('from', old.category, 'to', new.category)) else '{}' end ||
    case when old.order is distinct from new.order then jsonb_build_object('order', jsonb_build_object('from', old.order, 'to', new.order)) else '{}' end ||
    case when old.position_in_path is distinct from new.position_in_path then jsonb_build_object('position-in-path', jsonb_build_object('from', old.position_in_path, 'to', new.position_in_path)) else '{}' end ||
    case when old.custom_properties is distinct from new.custom_properties then journal_custom_changes(new.account_id, 'courses', old.custom_properties, new.custom_properties) else '{}' end, null, array_remove(array[new.id, nullif(old.id, new.id)], null));
  return null;
end $$;

select journal_follow('courses', 'journal', 'insert or update or delete', 'journal_courses');

create or replace function journal_course_teachers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'courses', new.course_id, 'updated', 'updated', jsonb_build_object('teachers', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(new.person_id))), null, array[new.course_id], are_links => true);
  else
    perform journal_add(old.account_id, 'courses', old.course_id, 'updated', 'updated', jsonb_build_object('teachers', jsonb_build_object('from', jsonb_build_array(old.person_id), 'to', '[]'::jsonb)), null, array[old.course_id], are_links => true);
  end if;
  return null;
end $$;

select journal_follow('course_teachers', 'journal_teachers', 'insert or delete', 'journal_course_teachers');

create or replace function journal_course_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'courses', new.course_id, 'updated', 'updated', jsonb_build_object('tags', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(new.tag_id))), null, array[new.course_id], are_links => true);
  else
    perform journal_add(old.account_id, 'courses', old.course_id, 'updated', 'updated', jsonb_build_object('tags', jsonb_build_object('from', jsonb_build_array(old.tag_id), 'to', '[]'::jsonb)), null, array[old.course_id], are_links => true);
  end if;
  return null;
end $$;

select journal_follow('course_tags', 'journal_tags', 'insert or delete', 'journal_course_tags');

create or replace function journal_course_lessons() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-lessons', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-lessons', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'course-lessons', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.number is distinct from new.number then jsonb_build_object('number', jsonb_build_object('from', old.number, 'to', new.number)) else '{}' end ||
    case when old.description is distinct from new.description then jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description)) else '{}' end ||
    case when old.is_mandatory is distinct from new.is_mandatory then jsonb_build_object('is-mandatory', jsonb_build_object('from', old.is_mandatory, 'to', new.is_mandatory)) else '{}' end ||
    case when old.is_active is distinct from new.is_active then jsonb_build_object('is-active', jsonb_build_object('from', old.is_active, 'to', new.is_active)) else '{}' end ||
    case when old.duration_minutes is distinct from new.duration_minutes then jsonb_build_object('duration-minutes', jsonb_build_object('from', old.duration_minutes, 'to', new.duration_minutes)) else '{}' end ||
    case when old.content_url is distinct from new.content_url then jsonb_build_object('content-url', jsonb_build_object('from', old.content_url, 'to', new.content_url)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id)], null));
  return null;
end $$;

select journal_follow('course_lessons', 'journal', 'insert or update or delete', 'journal_course_lessons');

create or replace function journal_course_classes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-classes', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id, new.id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-classes', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id, old.id]::uuid[]
      || case when old.status <> 'draft' then array['00000000-0000-0000-0000-00000000000b'::uuid] end, null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'course-classes', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.seats is distinct from new.seats then jsonb_build_object('seats', jsonb_build_object('from', old.seats, 'to', new.seats)) else '{}' end ||
    case when old.waitlist_enabled is distinct from new.waitlist_enabled then jsonb_build_object('waitlist-enabled', jsonb_build_object('from', old.waitlist_enabled, 'to', new.waitlist_enabled)) else '{}' end ||
    case when old.starts is distinct from new.starts then jsonb_build_object('starts', jsonb_build_object('from', old.starts, 'to', new.starts)) else '{}' end ||
    case when old.ends is distinct from new.ends then jsonb_build_object('ends', jsonb_build_object('from', old.ends, 'to', new.ends)) else '{}' end ||
    case when old.schedule is distinct from new.schedule then jsonb_build_object('schedule', jsonb_build_object('from', old.schedule, 'to', new.schedule)) else '{}' end ||
    case when old.enrollment_opens_at is distinct from new.enrollment_opens_at then jsonb_build_object('enrollment-opens-at', jsonb_build_object('from', old.enrollment_opens_at, 'to', new.enrollment_opens_at)) else '{}' end ||
    case when old.enrollment_closes_at is distinct from new.enrollment_closes_at then jsonb_build_object('enrollment-closes-at', jsonb_build_object('from', old.enrollment_closes_at, 'to', new.enrollment_closes_at)) else '{}' end ||
    case when old.mode is distinct from new.mode then jsonb_build_object('mode', jsonb_build_object('from', old.mode, 'to', new.mode)) else '{}' end ||
    case when old.location is distinct from new.location then jsonb_build_object('location', jsonb_build_object('from', old.location, 'to', new.location)) else '{}' end ||
    case when old.online_url is distinct from new.online_url then jsonb_build_object('online-url', jsonb_build_object('from', old.online_url, 'to', new.online_url)) else '{}' end ||
    case when old.time_zone is distinct from new.time_zone then jsonb_build_object('time-zone', jsonb_build_object('from', old.time_zone, 'to', new.time_zone)) else '{}' end ||
    case when old.is_public is distinct from new.is_public then jsonb_build_object('is-public', jsonb_build_object('from', old.is_public, 'to', new.is_public)) else '{}' end ||
    case when old.show_teachers is distinct from new.show_teachers then jsonb_build_object('show-teachers', jsonb_build_object('from', old.show_teachers, 'to', new.show_teachers)) else '{}' end ||
    case when old.custom_properties is distinct from new.custom_properties then journal_custom_changes(new.account_id, 'course-classes', old.custom_properties, new.custom_properties) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.id, nullif(old.id, new.id)], null));
  return null;
end $$;

select journal_follow('course_classes', 'journal', 'insert or update or delete', 'journal_course_classes');

create or replace function journal_course_class_teachers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-classes', new.class_id, 'updated', 'permission-changed', jsonb_build_object('teachers', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(new.person_id))), null, array[new.class_id], are_links => true);
  else
    perform journal_add(old.account_id, 'course-classes', old.class_id, 'updated', 'permission-changed', jsonb_build_object('teachers', jsonb_build_object('from', jsonb_build_array(old.person_id), 'to', '[]'::jsonb)), null, array[old.class_id], are_links => true);
  end if;
  return null;
end $$;

select journal_follow('course_class_teachers', 'journal_teachers', 'insert or delete', 'journal_course_class_teachers');

create or replace function journal_course_sessions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-sessions', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-sessions', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id, old.class_id]::uuid[]
      || array(select student.person_id from course_enrollments student
            where student.account_id = old.account_id and student.class_id = old.class_id and takes_seat(student.status)), null));
    return null;
  end if;
  if old.version = new.version and old.course_id is not distinct from new.course_id and old.lesson_id is not distinct from new.lesson_id and old.teacher_id is not distinct from new.teacher_id then return null; end if;
  perform journal_add(new.account_id, 'course-sessions', new.id, 'updated', 'updated', 
    case when old.date is distinct from new.date then jsonb_build_object('date', jsonb_build_object('from', old.date, 'to', new.date)) else '{}' end ||
    case when old.starts_at is distinct from new.starts_at then jsonb_build_object('starts-at', jsonb_build_object('from', old.starts_at, 'to', new.starts_at)) else '{}' end ||
    case when old.ends_at is distinct from new.ends_at then jsonb_build_object('ends-at', jsonb_build_object('from', old.ends_at, 'to', new.ends_at)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.lesson_id is distinct from new.lesson_id then jsonb_build_object('lesson', jsonb_build_object('from', old.lesson_id, 'to', new.lesson_id)) else '{}' end ||
    case when old.teacher_id is distinct from new.teacher_id then jsonb_build_object('teacher', jsonb_build_object('from', old.teacher_id, 'to', new.teacher_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_sessions', 'journal', 'insert or update or delete', 'journal_course_sessions');

create or replace function journal_course_session_plans() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-session-plans', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-session-plans', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id, old.class_id], null));
    return null;
  end if;
  if old.version = new.version and old.course_id is not distinct from new.course_id then return null; end if;
  perform journal_add(new.account_id, 'course-session-plans', new.id, 'updated', 'updated', 
    case when old.created_count is distinct from new.created_count then jsonb_build_object('created-count', jsonb_build_object('from', old.created_count, 'to', new.created_count)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_session_plans', 'journal', 'insert or update or delete', 'journal_course_session_plans');

create or replace function journal_course_materials() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-materials', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-materials', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id, old.class_id]::uuid[]
      || case when old.audience = 'student' and old.publish_status = 'public' then array['00000000-0000-0000-0000-00000000000b'::uuid] end
      || case when old.class_id is null and old.publish_status <> 'draft' then array(select class.id from course_classes class
    where class.account_id = old.account_id and class.course_id = old.course_id) end
      || case when old.audience = 'student' and old.publish_status <> 'draft' then array(select student.person_id from course_enrollments student
    where student.account_id = old.account_id and student.course_id = old.course_id
      and is_student(student.status) and (old.class_id is null or student.class_id = old.class_id)) end, null));
    return null;
  end if;
  if old.version = new.version and old.lesson_id is not distinct from new.lesson_id then return null; end if;
  perform journal_add(new.account_id, 'course-materials', new.id, 'updated', 'updated', 
    case when old.title is distinct from new.title then jsonb_build_object('title', jsonb_build_object('from', old.title, 'to', new.title)) else '{}' end ||
    case when old.description is distinct from new.description then jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description)) else '{}' end ||
    case when old.content is distinct from new.content then jsonb_build_object('content', jsonb_build_object('from', old.content, 'to', new.content)) else '{}' end ||
    case when old.material_type is distinct from new.material_type then jsonb_build_object('material-type', jsonb_build_object('from', old.material_type, 'to', new.material_type)) else '{}' end ||
    case when old.audience is distinct from new.audience then jsonb_build_object('audience', jsonb_build_object('from', old.audience, 'to', new.audience)) else '{}' end ||
    case when old.publish_status is distinct from new.publish_status then jsonb_build_object('publish-status', jsonb_build_object('from', old.publish_status, 'to', new.publish_status)) else '{}' end ||
    case when old.published_at is distinct from new.published_at then jsonb_build_object('published-at', jsonb_build_object('from', old.published_at, 'to', new.published_at)) else '{}' end ||
    case when old.available_from is distinct from new.available_from then jsonb_build_object('available-from', jsonb_build_object('from', old.available_from, 'to', new.available_from)) else '{}' end ||
    case when old.url is distinct from new.url then jsonb_build_object('url', jsonb_build_object('from', old.url, 'to', new.url)) else '{}' end ||
    case when old.order is distinct from new.order then jsonb_build_object('order', jsonb_build_object('from', old.order, 'to', new.order)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.lesson_id is distinct from new.lesson_id then jsonb_build_object('lesson', jsonb_build_object('from', old.lesson_id, 'to', new.lesson_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_materials', 'journal', 'insert or update or delete', 'journal_course_materials');

create or replace function journal_material_attachments() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'material-attachments', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'material-attachments', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[]::uuid[]
      || case when exists (select from course_materials x where x.account_id = old.account_id
        and x.id = old.material_id and x.audience = 'student' and x.publish_status = 'public') then array['00000000-0000-0000-0000-00000000000b'::uuid] end
      || (select array[material.course_id] from course_materials material
    where material.account_id = old.account_id and material.id = old.material_id and true)
      || (select array[material.class_id] from course_materials material
    where material.account_id = old.account_id and material.id = old.material_id and true)
      || (select array(select class.id from course_classes class
    where class.account_id = material.account_id and class.course_id = material.course_id) from course_materials material
    where material.account_id = old.account_id and material.id = old.material_id and material.class_id is null and material.publish_status <> 'draft')
      || (select array(select student.person_id from course_enrollments student
    where student.account_id = material.account_id and student.course_id = material.course_id
      and is_student(student.status) and (material.class_id is null or student.class_id = material.class_id)) from course_materials material
    where material.account_id = old.account_id and material.id = old.material_id and material.audience = 'student' and material.publish_status <> 'draft'), null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'material-attachments', new.id, 'updated', 'updated', 
    case when old.material_id is distinct from new.material_id then jsonb_build_object('material', jsonb_build_object('from', old.material_id, 'to', new.material_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('material_attachments', 'journal', 'insert or update or delete', 'journal_material_attachments');

create or replace function journal_course_requirements() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-requirements', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-requirements', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'course-requirements', new.id, 'updated', 'updated', 
    case when old.kind is distinct from new.kind then jsonb_build_object('kind', jsonb_build_object('from', old.kind, 'to', new.kind)) else '{}' end ||
    case when old.enforcement is distinct from new.enforcement then jsonb_build_object('enforcement', jsonb_build_object('from', old.enforcement, 'to', new.enforcement)) else '{}' end ||
    case when old.relation is distinct from new.relation then jsonb_build_object('relation', jsonb_build_object('from', old.relation, 'to', new.relation)) else '{}' end ||
    case when old.value is distinct from new.value then jsonb_build_object('value', jsonb_build_object('from', old.value, 'to', new.value)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.required_course_id is distinct from new.required_course_id then jsonb_build_object('required-course', jsonb_build_object('from', old.required_course_id, 'to', new.required_course_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id)], null));
  return null;
end $$;

select journal_follow('course_requirements', 'journal', 'insert or update or delete', 'journal_course_requirements');

create or replace function journal_course_enrollments() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-enrollments', new.id, 'created', 'created', '{}', new.person_id, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-enrollments', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[old.course_id, old.class_id], null));
    return null;
  end if;
  if old.version = new.version and old.course_id is not distinct from new.course_id then return null; end if;
  perform journal_add(new.account_id, 'course-enrollments', new.id, 'updated', 'updated', 
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.enrolled_at is distinct from new.enrolled_at then jsonb_build_object('enrolled-at', jsonb_build_object('from', old.enrolled_at, 'to', new.enrolled_at)) else '{}' end ||
    case when old.status_changed_at is distinct from new.status_changed_at then jsonb_build_object('status-changed-at', jsonb_build_object('from', old.status_changed_at, 'to', new.status_changed_at)) else '{}' end ||
    case when old.completed_at is distinct from new.completed_at then jsonb_build_object('completed-at', jsonb_build_object('from', old.completed_at, 'to', new.completed_at)) else '{}' end ||
    case when old.lessons_attended is distinct from new.lessons_attended then jsonb_build_object('lessons-attended', jsonb_build_object('from', old.lessons_attended, 'to', new.lessons_attended)) else '{}' end ||
    case when old.lessons_required is distinct from new.lessons_required then jsonb_build_object('lessons-required', jsonb_build_object('from', old.lessons_required, 'to', new.lessons_required)) else '{}' end ||
    case when old.progress is distinct from new.progress then jsonb_build_object('progress', jsonb_build_object('from', old.progress, 'to', new.progress)) else '{}' end ||
    case when old.is_eligible_to_graduate is distinct from new.is_eligible_to_graduate then jsonb_build_object('is-eligible-to-graduate', jsonb_build_object('from', old.is_eligible_to_graduate, 'to', new.is_eligible_to_graduate)) else '{}' end ||
    case when old.payment_status is distinct from new.payment_status then jsonb_build_object('payment-status', jsonb_build_object('from', old.payment_status, 'to', new.payment_status)) else '{}' end ||
    case when old.paid_amount is distinct from new.paid_amount then jsonb_build_object('paid-amount', jsonb_build_object('from', old.paid_amount, 'to', new.paid_amount)) else '{}' end ||
    case when old.requirements_waived is distinct from new.requirements_waived then jsonb_build_object('requirements-waived', jsonb_build_object('from', old.requirements_waived, 'to', new.requirements_waived)) else '{}' end ||
    case when old.graduation_waived is distinct from new.graduation_waived then jsonb_build_object('graduation-waived', jsonb_build_object('from', old.graduation_waived, 'to', new.graduation_waived)) else '{}' end ||
    case when old.waiver_note is distinct from new.waiver_note then jsonb_build_object('waiver-note', jsonb_build_object('from', old.waiver_note, 'to', new.waiver_note)) else '{}' end ||
    case when old.withdrawn_reason is distinct from new.withdrawn_reason then jsonb_build_object('withdrawn-reason', jsonb_build_object('from', old.withdrawn_reason, 'to', new.withdrawn_reason)) else '{}' end ||
    case when old.is_accepted is distinct from new.is_accepted then jsonb_build_object('is-accepted', jsonb_build_object('from', old.is_accepted, 'to', new.is_accepted)) else '{}' end ||
    case when old.source is distinct from new.source then jsonb_build_object('source', jsonb_build_object('from', old.source, 'to', new.source)) else '{}' end ||
    case when old.custom_properties is distinct from new.custom_properties then journal_custom_changes(new.account_id, 'course-enrollments', old.custom_properties, new.custom_properties) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end, new.person_id, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_enrollments', 'journal', 'insert or update or delete', 'journal_course_enrollments');

create or replace function journal_course_enrollment_requests() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-enrollment-requests', new.id, 'created', 'created', '{}', new.person_id, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-enrollment-requests', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[old.course_id, old.class_id], null));
    return null;
  end if;
  if old.version = new.version and old.class_id is not distinct from new.class_id and old.course_id is not distinct from new.course_id then return null; end if;
  perform journal_add(new.account_id, 'course-enrollment-requests', new.id, 'updated', 'updated', 
    case when old.message is distinct from new.message then jsonb_build_object('message', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.contact is distinct from new.contact then jsonb_build_object('contact', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.decline_reason is distinct from new.decline_reason then jsonb_build_object('decline-reason', jsonb_build_object('from', old.decline_reason, 'to', new.decline_reason)) else '{}' end ||
    case when old.source is distinct from new.source then jsonb_build_object('source', jsonb_build_object('from', old.source, 'to', new.source)) else '{}' end ||
    case when old.is_confirmed is distinct from new.is_confirmed then jsonb_build_object('is-confirmed', jsonb_build_object('from', old.is_confirmed, 'to', new.is_confirmed)) else '{}' end ||
    case when old.decided_at is distinct from new.decided_at then jsonb_build_object('decided-at', jsonb_build_object('from', old.decided_at, 'to', new.decided_at)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end ||
    case when old.decided_by is distinct from new.decided_by then jsonb_build_object('decided-by', jsonb_build_object('from', old.decided_by, 'to', new.decided_by)) else '{}' end, new.person_id, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_enrollment_requests', 'journal', 'insert or update or delete', 'journal_course_enrollment_requests');

create or replace function journal_course_attendances() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-attendances', new.id, 'created', 'created', '{}', new.person_id, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-attendances', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[old.course_id, old.class_id], null));
    return null;
  end if;
  if old.version = new.version and old.person_id is not distinct from new.person_id and old.lesson_id is not distinct from new.lesson_id and old.class_id is not distinct from new.class_id and old.course_id is not distinct from new.course_id then return null; end if;
  perform journal_add(new.account_id, 'course-attendances', new.id, 'updated', 'updated', 
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.note is distinct from new.note then jsonb_build_object('note', jsonb_build_object('from', old.note, 'to', new.note)) else '{}' end ||
    case when old.minutes is distinct from new.minutes then jsonb_build_object('minutes', jsonb_build_object('from', old.minutes, 'to', new.minutes)) else '{}' end ||
    case when old.date is distinct from new.date then jsonb_build_object('date', jsonb_build_object('from', old.date, 'to', new.date)) else '{}' end ||
    case when old.recorded_at is distinct from new.recorded_at then jsonb_build_object('recorded-at', jsonb_build_object('from', old.recorded_at, 'to', new.recorded_at)) else '{}' end ||
    case when old.session_id is distinct from new.session_id then jsonb_build_object('session', jsonb_build_object('from', old.session_id, 'to', new.session_id)) else '{}' end ||
    case when old.enrollment_id is distinct from new.enrollment_id then jsonb_build_object('enrollment', jsonb_build_object('from', old.enrollment_id, 'to', new.enrollment_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end ||
    case when old.lesson_id is distinct from new.lesson_id then jsonb_build_object('lesson', jsonb_build_object('from', old.lesson_id, 'to', new.lesson_id)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.recorded_by is distinct from new.recorded_by then jsonb_build_object('recorded-by', jsonb_build_object('from', old.recorded_by, 'to', new.recorded_by)) else '{}' end, new.person_id, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_attendances', 'journal', 'insert or update or delete', 'journal_course_attendances');

create or replace function journal_course_attendance_sheets() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-attendance-sheets', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-attendance-sheets', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id, old.class_id], null));
    return null;
  end if;
  if old.version = new.version and old.class_id is not distinct from new.class_id and old.course_id is not distinct from new.course_id then return null; end if;
  perform journal_add(new.account_id, 'course-attendance-sheets', new.id, 'updated', 'updated', 
    case when old.recorded_count is distinct from new.recorded_count then jsonb_build_object('recorded-count', jsonb_build_object('from', old.recorded_count, 'to', new.recorded_count)) else '{}' end ||
    case when old.changed_count is distinct from new.changed_count then jsonb_build_object('changed-count', jsonb_build_object('from', old.changed_count, 'to', new.changed_count)) else '{}' end ||
    case when old.session_id is distinct from new.session_id then jsonb_build_object('session', jsonb_build_object('from', old.session_id, 'to', new.session_id)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_attendance_sheets', 'journal', 'insert or update or delete', 'journal_course_attendance_sheets');

create or replace function journal_course_tasks() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-tasks', new.id, 'created', 'created', '{}', null, array_remove(array[new.course_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-tasks', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.course_id]::uuid[]
      || array(select class.id from course_classes class
    where class.account_id = old.account_id and class.course_id = old.course_id)
      || case when old.assigned_to = 'student' then array(select student.person_id from course_enrollments student
    where student.account_id = old.account_id and student.course_id = old.course_id
      and is_student(student.status) and true) end, null));
    return null;
  end if;
  if old.version = new.version and old.lesson_id is not distinct from new.lesson_id then return null; end if;
  perform journal_add(new.account_id, 'course-tasks', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.instructions is distinct from new.instructions then jsonb_build_object('instructions', jsonb_build_object('from', old.instructions, 'to', new.instructions)) else '{}' end ||
    case when old.is_mandatory is distinct from new.is_mandatory then jsonb_build_object('is-mandatory', jsonb_build_object('from', old.is_mandatory, 'to', new.is_mandatory)) else '{}' end ||
    case when old.assigned_to is distinct from new.assigned_to then jsonb_build_object('assigned-to', jsonb_build_object('from', old.assigned_to, 'to', new.assigned_to)) else '{}' end ||
    case when old.submission_type is distinct from new.submission_type then jsonb_build_object('submission-type', jsonb_build_object('from', old.submission_type, 'to', new.submission_type)) else '{}' end ||
    case when old.due is distinct from new.due then jsonb_build_object('due', jsonb_build_object('from', old.due, 'to', new.due)) else '{}' end ||
    case when old.points is distinct from new.points then jsonb_build_object('points', jsonb_build_object('from', old.points, 'to', new.points)) else '{}' end ||
    case when old.order is distinct from new.order then jsonb_build_object('order', jsonb_build_object('from', old.order, 'to', new.order)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.lesson_id is distinct from new.lesson_id then jsonb_build_object('lesson', jsonb_build_object('from', old.lesson_id, 'to', new.lesson_id)) else '{}' end, null, array_remove(array[new.course_id, nullif(old.course_id, new.course_id)], null));
  return null;
end $$;

select journal_follow('course_tasks', 'journal', 'insert or update or delete', 'journal_course_tasks');

create or replace function journal_course_task_completions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'course-task-completions', new.id, 'created', 'created', '{}', new.person_id, array_remove(array[new.course_id, new.class_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'course-task-completions', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[old.course_id, old.class_id]::uuid[]
      || case when not old.awaits_file then array['00000000-0000-0000-0000-00000000000a'::uuid] end, null));
    return null;
  end if;
  if old.version = new.version and old.class_id is not distinct from new.class_id and old.course_id is not distinct from new.course_id then return null; end if;
  perform journal_add(new.account_id, 'course-task-completions', new.id, 'updated', 'updated', 
    case when old.text is distinct from new.text then jsonb_build_object('text', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.url is distinct from new.url then jsonb_build_object('url', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.student_comment is distinct from new.student_comment then jsonb_build_object('student-comment', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.teacher_comment is distinct from new.teacher_comment then jsonb_build_object('teacher-comment', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.points_earned is distinct from new.points_earned then jsonb_build_object('points-earned', jsonb_build_object('from', old.points_earned, 'to', new.points_earned)) else '{}' end ||
    case when old.was_on_time is distinct from new.was_on_time then jsonb_build_object('was-on-time', jsonb_build_object('from', old.was_on_time, 'to', new.was_on_time)) else '{}' end ||
    case when old.attempt_count is distinct from new.attempt_count then jsonb_build_object('attempt-count', jsonb_build_object('from', old.attempt_count, 'to', new.attempt_count)) else '{}' end ||
    case when old.submitted_at is distinct from new.submitted_at then jsonb_build_object('submitted-at', jsonb_build_object('from', old.submitted_at, 'to', new.submitted_at)) else '{}' end ||
    case when old.reviewed_at is distinct from new.reviewed_at then jsonb_build_object('reviewed-at', jsonb_build_object('from', old.reviewed_at, 'to', new.reviewed_at)) else '{}' end ||
    case when old.task_id is distinct from new.task_id then jsonb_build_object('task', jsonb_build_object('from', old.task_id, 'to', new.task_id)) else '{}' end ||
    case when old.enrollment_id is distinct from new.enrollment_id then jsonb_build_object('enrollment', jsonb_build_object('from', old.enrollment_id, 'to', new.enrollment_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end ||
    case when old.class_id is distinct from new.class_id then jsonb_build_object('class', jsonb_build_object('from', old.class_id, 'to', new.class_id)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end ||
    case when old.reviewed_by is distinct from new.reviewed_by then jsonb_build_object('reviewed-by', jsonb_build_object('from', old.reviewed_by, 'to', new.reviewed_by)) else '{}' end, new.person_id, array_remove(array[new.course_id, nullif(old.course_id, new.course_id), new.class_id, nullif(old.class_id, new.class_id)], null));
  return null;
end $$;

select journal_follow('course_task_completions', 'journal', 'insert or update or delete', 'journal_course_task_completions');

create or replace function journal_cells() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cells', new.id, 'created', 'created', '{}', null, array_remove(array[new.id, new.parent_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cells', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.id, old.parent_id]::uuid[]
      || case when old.is_public then array['00000000-0000-0000-0000-00000000000b'::uuid] end, null));
    return null;
  end if;
  if old.version = new.version and old.parent_id is not distinct from new.parent_id and old.multiplied_from_id is not distinct from new.multiplied_from_id then return null; end if;
  perform journal_add(new.account_id, 'cells', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.cell_type is distinct from new.cell_type then jsonb_build_object('cell-type', jsonb_build_object('from', old.cell_type, 'to', new.cell_type)) else '{}' end ||
    case when old.level is distinct from new.level then jsonb_build_object('level', jsonb_build_object('from', old.level, 'to', new.level)) else '{}' end ||
    case when old.description is distinct from new.description then jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description)) else '{}' end ||
    case when old.category is distinct from new.category then jsonb_build_object('category', jsonb_build_object('from', old.category, 'to', new.category)) else '{}' end ||
    case when old.gender_category is distinct from new.gender_category then jsonb_build_object('gender-category', jsonb_build_object('from', old.gender_category, 'to', new.gender_category)) else '{}' end ||
    case when old.age_min is distinct from new.age_min then jsonb_build_object('age-min', jsonb_build_object('from', old.age_min, 'to', new.age_min)) else '{}' end ||
    case when old.age_max is distinct from new.age_max then jsonb_build_object('age-max', jsonb_build_object('from', old.age_max, 'to', new.age_max)) else '{}' end ||
    case when old.weekday is distinct from new.weekday then jsonb_build_object('weekday', jsonb_build_object('from', old.weekday, 'to', new.weekday)) else '{}' end ||
    case when old.starts_at is distinct from new.starts_at then jsonb_build_object('starts-at', jsonb_build_object('from', old.starts_at, 'to', new.starts_at)) else '{}' end ||
    case when old.ends_at is distinct from new.ends_at then jsonb_build_object('ends-at', jsonb_build_object('from', old.ends_at, 'to', new.ends_at)) else '{}' end ||
    case when old.frequency is distinct from new.frequency then jsonb_build_object('frequency', jsonb_build_object('from', old.frequency, 'to', new.frequency)) else '{}' end ||
    case when old.is_online is distinct from new.is_online then jsonb_build_object('is-online', jsonb_build_object('from', old.is_online, 'to', new.is_online)) else '{}' end ||
    case when old.online_url is distinct from new.online_url then jsonb_build_object('online-url', jsonb_build_object('from', old.online_url, 'to', new.online_url)) else '{}' end ||
    case when old.address is distinct from new.address then jsonb_build_object('address', jsonb_build_object('from', old.address, 'to', new.address)) else '{}' end ||
    case when old.is_public is distinct from new.is_public then jsonb_build_object('is-public', jsonb_build_object('from', old.is_public, 'to', new.is_public)) else '{}' end ||
    case when old.public_settings is distinct from new.public_settings then jsonb_build_object('public-settings', jsonb_build_object('from', old.public_settings, 'to', new.public_settings)) else '{}' end ||
    case when old.join_policy is distinct from new.join_policy then jsonb_build_object('join-policy', jsonb_build_object('from', old.join_policy, 'to', new.join_policy)) else '{}' end ||
    case when old.capacity is distinct from new.capacity then jsonb_build_object('capacity', jsonb_build_object('from', old.capacity, 'to', new.capacity)) else '{}' end ||
    case when old.ideal_size is distinct from new.ideal_size then jsonb_build_object('ideal-size', jsonb_build_object('from', old.ideal_size, 'to', new.ideal_size)) else '{}' end ||
    case when old.multiplication_goal_date is distinct from new.multiplication_goal_date then jsonb_build_object('multiplication-goal-date', jsonb_build_object('from', old.multiplication_goal_date, 'to', new.multiplication_goal_date)) else '{}' end ||
    case when old.recess_from is distinct from new.recess_from then jsonb_build_object('recess-from', jsonb_build_object('from', old.recess_from, 'to', new.recess_from)) else '{}' end ||
    case when old.recess_to is distinct from new.recess_to then jsonb_build_object('recess-to', jsonb_build_object('from', old.recess_to, 'to', new.recess_to)) else '{}' end ||
    case when old.opened_at is distinct from new.opened_at then jsonb_build_object('opened-at', jsonb_build_object('from', old.opened_at, 'to', new.opened_at)) else '{}' end ||
    case when old.closed_at is distinct from new.closed_at then jsonb_build_object('closed-at', jsonb_build_object('from', old.closed_at, 'to', new.closed_at)) else '{}' end ||
    case when old.closing_reason is distinct from new.closing_reason then jsonb_build_object('closing-reason', jsonb_build_object('from', old.closing_reason, 'to', new.closing_reason)) else '{}' end ||
    case when old.custom_properties is distinct from new.custom_properties then journal_custom_changes(new.account_id, 'cells', old.custom_properties, new.custom_properties) else '{}' end ||
    case when old.parent_id is distinct from new.parent_id then jsonb_build_object('parent', jsonb_build_object('from', old.parent_id, 'to', new.parent_id)) else '{}' end ||
    case when old.multiplied_from_id is distinct from new.multiplied_from_id then jsonb_build_object('multiplied-from', jsonb_build_object('from', old.multiplied_from_id, 'to', new.multiplied_from_id)) else '{}' end, null, array_remove(array[new.id, nullif(old.id, new.id), new.parent_id, nullif(old.parent_id, new.parent_id)], null));
  return null;
end $$;

select journal_follow('cells', 'journal', 'insert or update or delete', 'journal_cells');

create or replace function journal_cell_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cells', new.cell_id, 'updated', 'updated', jsonb_build_object('tags', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(new.tag_id))), null, array[new.cell_id], are_links => true);
  else
    perform journal_add(old.account_id, 'cells', old.cell_id, 'updated', 'updated', jsonb_build_object('tags', jsonb_build_object('from', jsonb_build_array(old.tag_id), 'to', '[]'::jsonb)), null, array[old.cell_id], are_links => true);
  end if;
  return null;
end $$;

select journal_follow('cell_tags', 'journal_tags', 'insert or delete', 'journal_cell_tags');

create or replace function journal_cell_closings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-closings', new.id, 'created', 'created', '{}', null, array_remove(array[new.cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-closings', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.cell_id], null));
    return null;
  end if;
  if old.version = new.version and old.moved_to_id is not distinct from new.moved_to_id then return null; end if;
  perform journal_add(new.account_id, 'cell-closings', new.id, 'updated', 'updated', 
    case when old.closing_reason is distinct from new.closing_reason then jsonb_build_object('closing-reason', jsonb_build_object('from', old.closing_reason, 'to', new.closing_reason)) else '{}' end ||
    case when old.cell_id is distinct from new.cell_id then jsonb_build_object('cell', jsonb_build_object('from', old.cell_id, 'to', new.cell_id)) else '{}' end ||
    case when old.moved_to_id is distinct from new.moved_to_id then jsonb_build_object('moved-to', jsonb_build_object('from', old.moved_to_id, 'to', new.moved_to_id)) else '{}' end, null, array_remove(array[new.cell_id, nullif(old.cell_id, new.cell_id)], null));
  return null;
end $$;

select journal_follow('cell_closings', 'journal', 'insert or update or delete', 'journal_cell_closings');

create or replace function journal_cell_reopenings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-reopenings', new.id, 'created', 'created', '{}', null, array_remove(array[new.cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-reopenings', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.cell_id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'cell-reopenings', new.id, 'updated', 'updated', 
    case when old.cell_id is distinct from new.cell_id then jsonb_build_object('cell', jsonb_build_object('from', old.cell_id, 'to', new.cell_id)) else '{}' end, null, array_remove(array[new.cell_id, nullif(old.cell_id, new.cell_id)], null));
  return null;
end $$;

select journal_follow('cell_reopenings', 'journal', 'insert or update or delete', 'journal_cell_reopenings');

create or replace function journal_cell_memberships() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-memberships', new.id, 'created', case when new.cell_role in ('leader', 'co-leader') then 'permission-changed' else 'created' end, case when new.cell_role in ('leader', 'co-leader') then jsonb_build_object('cell-role', jsonb_build_object('from', null, 'to', new.cell_role)) else '{}' end, new.person_id, array_remove(array[new.cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-memberships', old.id, 'deleted', case when old.cell_role in ('leader', 'co-leader') then 'permission-changed' else 'deleted' end, case when old.cell_role in ('leader', 'co-leader') then jsonb_build_object('cell-role', jsonb_build_object('from', old.cell_role, 'to', null)) else '{}' end, old.person_id, array_remove(array[old.cell_id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'cell-memberships', new.id, 'updated', case when old.cell_role in ('leader', 'co-leader') or new.cell_role in ('leader', 'co-leader') then 'permission-changed' else 'updated' end, 
    case when old.cell_role is distinct from new.cell_role then jsonb_build_object('cell-role', jsonb_build_object('from', old.cell_role, 'to', new.cell_role)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.joined_on is distinct from new.joined_on then jsonb_build_object('joined-on', jsonb_build_object('from', old.joined_on, 'to', new.joined_on)) else '{}' end ||
    case when old.left_on is distinct from new.left_on then jsonb_build_object('left-on', jsonb_build_object('from', old.left_on, 'to', new.left_on)) else '{}' end ||
    case when old.left_reason is distinct from new.left_reason then jsonb_build_object('left-reason', jsonb_build_object('from', old.left_reason, 'to', new.left_reason)) else '{}' end ||
    case when old.cell_id is distinct from new.cell_id then jsonb_build_object('cell', jsonb_build_object('from', old.cell_id, 'to', new.cell_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end ||
    case when old.cell_role in ('leader', 'co-leader') and new.status <> 'active' and not (old.status <> 'active') then case when old.cell_role in ('leader', 'co-leader') then jsonb_build_object('cell-role', jsonb_build_object('from', old.cell_role, 'to', null)) else '{}' end else '{}' end, new.person_id, array_remove(array[new.cell_id, nullif(old.cell_id, new.cell_id)], null));
  return null;
end $$;

select journal_follow('cell_memberships', 'journal', 'insert or update or delete', 'journal_cell_memberships');

create or replace function journal_cell_transfers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-transfers', new.id, 'created', 'created', '{}', null, array_remove(array[new.to_cell_id, new.from_cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-transfers', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.to_cell_id, old.from_cell_id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'cell-transfers', new.id, 'updated', 'updated', 
    case when old.transferred_on is distinct from new.transferred_on then jsonb_build_object('transferred-on', jsonb_build_object('from', old.transferred_on, 'to', new.transferred_on)) else '{}' end ||
    case when old.from_cell_id is distinct from new.from_cell_id then jsonb_build_object('from-cell', jsonb_build_object('from', old.from_cell_id, 'to', new.from_cell_id)) else '{}' end ||
    case when old.to_cell_id is distinct from new.to_cell_id then jsonb_build_object('to-cell', jsonb_build_object('from', old.to_cell_id, 'to', new.to_cell_id)) else '{}' end, null, array_remove(array[new.to_cell_id, nullif(old.to_cell_id, new.to_cell_id), new.from_cell_id, nullif(old.from_cell_id, new.from_cell_id)], null));
  return null;
end $$;

select journal_follow('cell_transfers', 'journal', 'insert or update or delete', 'journal_cell_transfers');

create or replace function journal_cell_join_requests() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-join-requests', new.id, 'created', 'created', '{}', new.person_id, array_remove(array[new.cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-join-requests', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[old.cell_id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'cell-join-requests', new.id, 'updated', 'updated', 
    case when old.message is distinct from new.message then jsonb_build_object('message', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.contact is distinct from new.contact then jsonb_build_object('contact', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.decline_reason is distinct from new.decline_reason then jsonb_build_object('decline-reason', jsonb_build_object('from', old.decline_reason, 'to', new.decline_reason)) else '{}' end ||
    case when old.source is distinct from new.source then jsonb_build_object('source', jsonb_build_object('from', old.source, 'to', new.source)) else '{}' end ||
    case when old.is_confirmed is distinct from new.is_confirmed then jsonb_build_object('is-confirmed', jsonb_build_object('from', old.is_confirmed, 'to', new.is_confirmed)) else '{}' end ||
    case when old.decided_at is distinct from new.decided_at then jsonb_build_object('decided-at', jsonb_build_object('from', old.decided_at, 'to', new.decided_at)) else '{}' end ||
    case when old.cell_id is distinct from new.cell_id then jsonb_build_object('cell', jsonb_build_object('from', old.cell_id, 'to', new.cell_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end ||
    case when old.decided_by is distinct from new.decided_by then jsonb_build_object('decided-by', jsonb_build_object('from', old.decided_by, 'to', new.decided_by)) else '{}' end, new.person_id, array_remove(array[new.cell_id, nullif(old.cell_id, new.cell_id)], null));
  return null;
end $$;

select journal_follow('cell_join_requests', 'journal', 'insert or update or delete', 'journal_cell_join_requests');

create or replace function journal_cell_multiplications() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-multiplications', new.id, 'created', 'created', '{}', null, array_remove(array[new.parent_cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-multiplications', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.parent_cell_id], null));
    return null;
  end if;
  if old.version = new.version and old.resulting_cell_id is not distinct from new.resulting_cell_id then return null; end if;
  perform journal_add(new.account_id, 'cell-multiplications', new.id, 'updated', 'updated', 
    case when old.new_cell is distinct from new.new_cell then jsonb_build_object('new-cell', jsonb_build_object('from', old.new_cell, 'to', new.new_cell)) else '{}' end ||
    case when old.note is distinct from new.note then jsonb_build_object('note', jsonb_build_object('from', old.note, 'to', new.note)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.decline_reason is distinct from new.decline_reason then jsonb_build_object('decline-reason', jsonb_build_object('from', old.decline_reason, 'to', new.decline_reason)) else '{}' end ||
    case when old.decided_at is distinct from new.decided_at then jsonb_build_object('decided-at', jsonb_build_object('from', old.decided_at, 'to', new.decided_at)) else '{}' end ||
    case when old.parent_cell_id is distinct from new.parent_cell_id then jsonb_build_object('parent-cell', jsonb_build_object('from', old.parent_cell_id, 'to', new.parent_cell_id)) else '{}' end ||
    case when old.resulting_cell_id is distinct from new.resulting_cell_id then jsonb_build_object('resulting-cell', jsonb_build_object('from', old.resulting_cell_id, 'to', new.resulting_cell_id)) else '{}' end ||
    case when old.decided_by is distinct from new.decided_by then jsonb_build_object('decided-by', jsonb_build_object('from', old.decided_by, 'to', new.decided_by)) else '{}' end, null, array_remove(array[new.parent_cell_id, nullif(old.parent_cell_id, new.parent_cell_id)], null));
  return null;
end $$;

select journal_follow('cell_multiplications', 'journal', 'insert or update or delete', 'journal_cell_multiplications');

create or replace function journal_cell_multiplication_members() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-multiplications', new.multiplication_id, 'updated', 'updated', jsonb_build_object('members', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(new.person_id))), null, null, are_links => true);
  else
    perform journal_add(old.account_id, 'cell-multiplications', old.multiplication_id, 'updated', 'updated', jsonb_build_object('members', jsonb_build_object('from', jsonb_build_array(old.person_id), 'to', '[]'::jsonb)), null, null, are_links => true);
  end if;
  return null;
end $$;

select journal_follow('cell_multiplication_members', 'journal_members', 'insert or delete', 'journal_cell_multiplication_members');

create or replace function journal_cell_multiplication_leaders() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-multiplications', new.multiplication_id, 'updated', 'updated', jsonb_build_object('leaders', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(new.person_id))), null, null, are_links => true);
  else
    perform journal_add(old.account_id, 'cell-multiplications', old.multiplication_id, 'updated', 'updated', jsonb_build_object('leaders', jsonb_build_object('from', jsonb_build_array(old.person_id), 'to', '[]'::jsonb)), null, null, are_links => true);
  end if;
  return null;
end $$;

select journal_follow('cell_multiplication_leaders', 'journal_leaders', 'insert or delete', 'journal_cell_multiplication_leaders');

create or replace function journal_cell_meetings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-meetings', new.id, 'created', 'created', '{}', null, array_remove(array[new.cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-meetings', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.cell_id], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'cell-meetings', new.id, 'updated', 'updated', 
    case when old.date is distinct from new.date then jsonb_build_object('date', jsonb_build_object('from', old.date, 'to', new.date)) else '{}' end ||
    case when old.starts_at is distinct from new.starts_at then jsonb_build_object('starts-at', jsonb_build_object('from', old.starts_at, 'to', new.starts_at)) else '{}' end ||
    case when old.ends_at is distinct from new.ends_at then jsonb_build_object('ends-at', jsonb_build_object('from', old.ends_at, 'to', new.ends_at)) else '{}' end ||
    case when old.is_online is distinct from new.is_online then jsonb_build_object('is-online', jsonb_build_object('from', old.is_online, 'to', new.is_online)) else '{}' end ||
    case when old.theme is distinct from new.theme then jsonb_build_object('theme', jsonb_build_object('from', old.theme, 'to', new.theme)) else '{}' end ||
    case when old.summary is distinct from new.summary then jsonb_build_object('summary', jsonb_build_object('from', old.summary, 'to', new.summary)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.not_held_reason is distinct from new.not_held_reason then jsonb_build_object('not-held-reason', jsonb_build_object('from', old.not_held_reason, 'to', new.not_held_reason)) else '{}' end ||
    case when old.visitors_count is distinct from new.visitors_count then jsonb_build_object('visitors-count', jsonb_build_object('from', old.visitors_count, 'to', new.visitors_count)) else '{}' end ||
    case when old.children_count is distinct from new.children_count then jsonb_build_object('children-count', jsonb_build_object('from', old.children_count, 'to', new.children_count)) else '{}' end ||
    case when old.decisions_count is distinct from new.decisions_count then jsonb_build_object('decisions-count', jsonb_build_object('from', old.decisions_count, 'to', new.decisions_count)) else '{}' end ||
    case when old.offering_amount is distinct from new.offering_amount then jsonb_build_object('offering-amount', jsonb_build_object('from', old.offering_amount, 'to', new.offering_amount)) else '{}' end ||
    case when old.offering_currency is distinct from new.offering_currency then jsonb_build_object('offering-currency', jsonb_build_object('from', old.offering_currency, 'to', new.offering_currency)) else '{}' end ||
    case when old.members_count is distinct from new.members_count then jsonb_build_object('members-count', jsonb_build_object('from', old.members_count, 'to', new.members_count)) else '{}' end ||
    case when old.submitted_at is distinct from new.submitted_at then jsonb_build_object('submitted-at', jsonb_build_object('from', old.submitted_at, 'to', new.submitted_at)) else '{}' end ||
    case when old.cell_id is distinct from new.cell_id then jsonb_build_object('cell', jsonb_build_object('from', old.cell_id, 'to', new.cell_id)) else '{}' end ||
    case when old.submitted_by is distinct from new.submitted_by then jsonb_build_object('submitted-by', jsonb_build_object('from', old.submitted_by, 'to', new.submitted_by)) else '{}' end, null, array_remove(array[new.cell_id, nullif(old.cell_id, new.cell_id)], null));
  return null;
end $$;

select journal_follow('cell_meetings', 'journal', 'insert or update or delete', 'journal_cell_meetings');

create or replace function journal_cell_attendances() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'cell-attendances', new.id, 'created', 'created', '{}', new.person_id, array_remove(array[new.cell_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'cell-attendances', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[old.cell_id], null));
    return null;
  end if;
  if old.version = new.version and old.meeting_id is not distinct from new.meeting_id and old.cell_id is not distinct from new.cell_id and old.person_id is not distinct from new.person_id then return null; end if;
  perform journal_add(new.account_id, 'cell-attendances', new.id, 'updated', 'updated', 
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.is_visitor is distinct from new.is_visitor then jsonb_build_object('is-visitor', jsonb_build_object('from', old.is_visitor, 'to', new.is_visitor)) else '{}' end ||
    case when old.first_time is distinct from new.first_time then jsonb_build_object('first-time', jsonb_build_object('from', old.first_time, 'to', new.first_time)) else '{}' end ||
    case when old.note is distinct from new.note then jsonb_build_object('note', jsonb_build_object('from', old.note, 'to', new.note)) else '{}' end ||
    case when old.date is distinct from new.date then jsonb_build_object('date', jsonb_build_object('from', old.date, 'to', new.date)) else '{}' end ||
    case when old.meeting_id is distinct from new.meeting_id then jsonb_build_object('meeting', jsonb_build_object('from', old.meeting_id, 'to', new.meeting_id)) else '{}' end ||
    case when old.cell_id is distinct from new.cell_id then jsonb_build_object('cell', jsonb_build_object('from', old.cell_id, 'to', new.cell_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end, new.person_id, array_remove(array[new.cell_id, nullif(old.cell_id, new.cell_id)], null));
  return null;
end $$;

select journal_follow('cell_attendances', 'journal', 'insert or update or delete', 'journal_cell_attendances');

create or replace function journal_forms() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'forms', new.id, 'created', 'created', '{}', null, array_remove(array[new.cell_id, new.course_id], null));
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'forms', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[old.cell_id, old.course_id]::uuid[]
      || case when old.cell_id is null and old.requires_login and old.status in ('open', 'closed') then array['00000000-0000-0000-0000-00000000000b'::uuid] end
      || case when old.requires_login and old.status in ('open', 'closed') then array(select member.person_id from active_cell_memberships member
              where member.account_id = old.account_id and member.cell_id = old.cell_id) end, null));
    return null;
  end if;
  if old.version = new.version and old.owner_id is not distinct from new.owner_id then return null; end if;
  perform journal_add(new.account_id, 'forms', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.description is distinct from new.description then jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description)) else '{}' end ||
    case when old.slug is distinct from new.slug then jsonb_build_object('slug', jsonb_build_object('from', old.slug, 'to', new.slug)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.opens_at is distinct from new.opens_at then jsonb_build_object('opens-at', jsonb_build_object('from', old.opens_at, 'to', new.opens_at)) else '{}' end ||
    case when old.closes_at is distinct from new.closes_at then jsonb_build_object('closes-at', jsonb_build_object('from', old.closes_at, 'to', new.closes_at)) else '{}' end ||
    case when old.max_submissions is distinct from new.max_submissions then jsonb_build_object('max-submissions', jsonb_build_object('from', old.max_submissions, 'to', new.max_submissions)) else '{}' end ||
    case when old.max_per_hour is distinct from new.max_per_hour then jsonb_build_object('max-per-hour', jsonb_build_object('from', old.max_per_hour, 'to', new.max_per_hour)) else '{}' end ||
    case when old.requires_login is distinct from new.requires_login then jsonb_build_object('requires-login', jsonb_build_object('from', old.requires_login, 'to', new.requires_login)) else '{}' end ||
    case when old.fields is distinct from new.fields then jsonb_build_object('fields', jsonb_build_object('from', old.fields, 'to', new.fields)) else '{}' end ||
    case when old.privacy_notice is distinct from new.privacy_notice then jsonb_build_object('privacy-notice', jsonb_build_object('from', old.privacy_notice, 'to', new.privacy_notice)) else '{}' end ||
    case when old.version_number is distinct from new.version_number then jsonb_build_object('version', jsonb_build_object('from', old.version_number, 'to', new.version_number)) else '{}' end ||
    case when old.actions is distinct from new.actions then jsonb_build_object('actions', jsonb_build_object('from', old.actions, 'to', new.actions)) else '{}' end ||
    case when old.confirmation_message is distinct from new.confirmation_message then jsonb_build_object('confirmation-message', jsonb_build_object('from', old.confirmation_message, 'to', new.confirmation_message)) else '{}' end ||
    case when old.confirmation_email is distinct from new.confirmation_email then jsonb_build_object('confirmation-email', jsonb_build_object('from', old.confirmation_email, 'to', new.confirmation_email)) else '{}' end ||
    case when old.challenge is distinct from new.challenge then jsonb_build_object('challenge', jsonb_build_object('from', old.challenge, 'to', new.challenge)) else '{}' end ||
    case when old.retention_days is distinct from new.retention_days then jsonb_build_object('retention-days', jsonb_build_object('from', old.retention_days, 'to', new.retention_days)) else '{}' end ||
    case when old.owner_id is distinct from new.owner_id then jsonb_build_object('owner', jsonb_build_object('from', old.owner_id, 'to', new.owner_id)) else '{}' end ||
    case when old.cell_id is distinct from new.cell_id then jsonb_build_object('cell', jsonb_build_object('from', old.cell_id, 'to', new.cell_id)) else '{}' end ||
    case when old.course_id is distinct from new.course_id then jsonb_build_object('course', jsonb_build_object('from', old.course_id, 'to', new.course_id)) else '{}' end, null, array_remove(array[new.cell_id, nullif(old.cell_id, new.cell_id), new.course_id, nullif(old.course_id, new.course_id)], null));
  return null;
end $$;

select journal_follow('forms', 'journal', 'insert or update or delete', 'journal_forms');

create or replace function journal_form_versions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'form-versions', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'form-versions', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[]::uuid[]
      || (select array[form.cell_id, form.course_id] from forms form
  where form.account_id = old.account_id and form.id = old.form_id), null));
    return null;
  end if;
  perform journal_add(new.account_id, 'form-versions', new.id, 'updated', 'updated', 
    case when old.number is distinct from new.number then jsonb_build_object('number', jsonb_build_object('from', old.number, 'to', new.number)) else '{}' end ||
    case when old.fields is distinct from new.fields then jsonb_build_object('fields', jsonb_build_object('from', old.fields, 'to', new.fields)) else '{}' end ||
    case when old.privacy_notice is distinct from new.privacy_notice then jsonb_build_object('privacy-notice', jsonb_build_object('from', old.privacy_notice, 'to', new.privacy_notice)) else '{}' end ||
    case when old.form_id is distinct from new.form_id then jsonb_build_object('form', jsonb_build_object('from', old.form_id, 'to', new.form_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('form_versions', 'journal', 'insert or update or delete', 'journal_form_versions');

create or replace function journal_form_submissions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'form-submissions', new.id, 'created', 'created', '{}', new.person_id, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'form-submissions', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[]::uuid[]
      || (select array[form.cell_id, form.course_id] from forms form
  where form.account_id = old.account_id and form.id = old.form_id), null));
    return null;
  end if;
  if old.version = new.version and old.person_id is not distinct from new.person_id then return null; end if;
  perform journal_add(new.account_id, 'form-submissions', new.id, 'updated', 'updated', 
    case when old.submitted_at is distinct from new.submitted_at then jsonb_build_object('submitted-at', jsonb_build_object('from', old.submitted_at, 'to', new.submitted_at)) else '{}' end ||
    case when old.answers is distinct from new.answers then jsonb_build_object('answers', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.form_version is distinct from new.form_version then jsonb_build_object('form-version', jsonb_build_object('from', old.form_version, 'to', new.form_version)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.source is distinct from new.source then jsonb_build_object('source', jsonb_build_object('from', old.source, 'to', new.source)) else '{}' end ||
    case when old.consent is distinct from new.consent then jsonb_build_object('consent', jsonb_build_object('from', old.consent, 'to', new.consent)) else '{}' end ||
    case when old.is_confirmed is distinct from new.is_confirmed then jsonb_build_object('is-confirmed', jsonb_build_object('from', old.is_confirmed, 'to', new.is_confirmed)) else '{}' end ||
    case when old.spam_score is distinct from new.spam_score then jsonb_build_object('spam-score', jsonb_build_object('from', old.spam_score, 'to', new.spam_score)) else '{}' end ||
    case when old.results is distinct from new.results then jsonb_build_object('results', jsonb_build_object('from', old.results, 'to', new.results)) else '{}' end ||
    case when old.form_id is distinct from new.form_id then jsonb_build_object('form', jsonb_build_object('from', old.form_id, 'to', new.form_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end ||
    case when old.reviewed_by is distinct from new.reviewed_by then jsonb_build_object('reviewed-by', jsonb_build_object('from', old.reviewed_by, 'to', new.reviewed_by)) else '{}' end, new.person_id, null);
  return null;
end $$;

select journal_follow('form_submissions', 'journal', 'insert or update or delete', 'journal_form_submissions');

create or replace function journal_form_submission_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'form-submission-changes', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'form-submission-changes', old.id, 'deleted', 'deleted', '{}', null, array_remove(array[]::uuid[]
      || array[old.created_by], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'form-submission-changes', new.id, 'updated', 'updated', 
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.results is distinct from new.results then jsonb_build_object('results', jsonb_build_object('from', old.results, 'to', new.results)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('form_submission_changes', 'journal', 'insert or update or delete', 'journal_form_submission_changes');

create or replace function journal_notes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'notes', new.id, 'created', 'created', '{}', new.about_person_id, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'notes', old.id, 'deleted', 'deleted', '{}', old.about_person_id, array_remove(array[]::uuid[]
      || case when old.visibility in ('scope', 'staff') then array['00000000-0000-0000-0000-00000000000a'::uuid] end
      || array[old.author_id]
      || case when old.visibility = 'scope' then case when old.place_id is not null then array[old.place_id]
  else array[old.about_cell_id] || array(select member.cell_id from active_cell_memberships member
    where member.account_id = old.account_id and member.person_id = old.about_person_id) end end
      || case when old.visibility = 'scope' then array(select class.course_id from courses_of_classes class
  where class.account_id = old.account_id and class.class_id = old.place_id) end
      || case when old.visibility = 'scope' then array[old.place_id] end
      || array[old.author_id, old.assignee_id]
      || case when old.visibility = 'confidential' then array(select given.person_id from valid_role_assignments given
      where given.account_id = old.account_id and given.permissions ? 'note-confidential:read') end, null));
    return null;
  end if;
  if old.version = new.version and old.author_id is not distinct from new.author_id and old.assignee_id is not distinct from new.assignee_id then return null; end if;
  perform journal_add(new.account_id, 'notes', new.id, 'updated', 'updated', 
    case when old.text is distinct from new.text then jsonb_build_object('text', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.kind is distinct from new.kind then jsonb_build_object('kind', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.visibility is distinct from new.visibility then jsonb_build_object('visibility', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.follow_up_on is distinct from new.follow_up_on then jsonb_build_object('follow-up-on', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.follow_up_status is distinct from new.follow_up_status then jsonb_build_object('follow-up-status', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.about_person_id is distinct from new.about_person_id then jsonb_build_object('about', jsonb_build_object('from', old.about_person_id, 'to', new.about_person_id)) else '{}' end ||
    case when old.about_household_id is distinct from new.about_household_id then jsonb_build_object('about', jsonb_build_object('from', old.about_household_id, 'to', new.about_household_id)) else '{}' end ||
    case when old.about_cell_id is distinct from new.about_cell_id then jsonb_build_object('about', jsonb_build_object('from', old.about_cell_id, 'to', new.about_cell_id)) else '{}' end ||
    case when old.author_id is distinct from new.author_id then jsonb_build_object('author', jsonb_build_object('from', old.author_id, 'to', new.author_id)) else '{}' end ||
    case when old.assignee_id is distinct from new.assignee_id then jsonb_build_object('assignee', jsonb_build_object('from', old.assignee_id, 'to', new.assignee_id)) else '{}' end, new.about_person_id, null);
  return null;
end $$;

select journal_follow('notes', 'journal', 'insert or update or delete', 'journal_notes');

create or replace function journal_import_jobs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'import-jobs', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'import-jobs', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'import-jobs', new.id, 'updated', 'updated', 
    case when old.kind is distinct from new.kind then jsonb_build_object('kind', jsonb_build_object('from', old.kind, 'to', new.kind)) else '{}' end ||
    case when old.mapping is distinct from new.mapping then jsonb_build_object('mapping', jsonb_build_object('from', old.mapping, 'to', new.mapping)) else '{}' end ||
    case when old.value_mapping is distinct from new.value_mapping then jsonb_build_object('value-mapping', jsonb_build_object('from', old.value_mapping, 'to', new.value_mapping)) else '{}' end ||
    case when old.blank_values is distinct from new.blank_values then jsonb_build_object('blank-values', jsonb_build_object('from', old.blank_values, 'to', new.blank_values)) else '{}' end ||
    case when old.country is distinct from new.country then jsonb_build_object('country', jsonb_build_object('from', old.country, 'to', new.country)) else '{}' end ||
    case when old.default_area_code is distinct from new.default_area_code then jsonb_build_object('default-area-code', jsonb_build_object('from', old.default_area_code, 'to', new.default_area_code)) else '{}' end ||
    case when old.household_key is distinct from new.household_key then jsonb_build_object('household-key', jsonb_build_object('from', old.household_key, 'to', new.household_key)) else '{}' end ||
    case when old.match_on is distinct from new.match_on then jsonb_build_object('match-on', jsonb_build_object('from', old.match_on, 'to', new.match_on)) else '{}' end ||
    case when old.on_match is distinct from new.on_match then jsonb_build_object('on-match', jsonb_build_object('from', old.on_match, 'to', new.on_match)) else '{}' end ||
    case when old.blank_overwrites is distinct from new.blank_overwrites then jsonb_build_object('blank-overwrites', jsonb_build_object('from', old.blank_overwrites, 'to', new.blank_overwrites)) else '{}' end ||
    case when old.delimiter is distinct from new.delimiter then jsonb_build_object('delimiter', jsonb_build_object('from', old.delimiter, 'to', new.delimiter)) else '{}' end ||
    case when old.encoding is distinct from new.encoding then jsonb_build_object('encoding', jsonb_build_object('from', old.encoding, 'to', new.encoding)) else '{}' end ||
    case when old.date_format is distinct from new.date_format then jsonb_build_object('date-format', jsonb_build_object('from', old.date_format, 'to', new.date_format)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.failure is distinct from new.failure then jsonb_build_object('failure', jsonb_build_object('from', old.failure, 'to', new.failure)) else '{}' end ||
    case when old.counts is distinct from new.counts then jsonb_build_object('counts', jsonb_build_object('from', old.counts, 'to', new.counts)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('import_jobs', 'journal', 'insert or update or delete', 'journal_import_jobs');

create or replace function journal_import_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'import-rows', new.id, 'created', 'created', '{}', new.person_id, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'import-rows', old.id, 'deleted', 'deleted', '{}', old.person_id, null);
    return null;
  end if;
  if old.version = new.version and old.person_id is not distinct from new.person_id then return null; end if;
  perform journal_add(new.account_id, 'import-rows', new.id, 'updated', 'updated', 
    case when old.row_number is distinct from new.row_number then jsonb_build_object('row', jsonb_build_object('from', old.row_number, 'to', new.row_number)) else '{}' end ||
    case when old.action is distinct from new.action then jsonb_build_object('action', jsonb_build_object('from', old.action, 'to', new.action)) else '{}' end ||
    case when old.outcome is distinct from new.outcome then jsonb_build_object('outcome', jsonb_build_object('from', old.outcome, 'to', new.outcome)) else '{}' end ||
    case when old.errors is distinct from new.errors then jsonb_build_object('errors', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.warnings is distinct from new.warnings then jsonb_build_object('warnings', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.import_job_id is distinct from new.import_job_id then jsonb_build_object('import-job', jsonb_build_object('from', old.import_job_id, 'to', new.import_job_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end, new.person_id, null);
  return null;
end $$;

select journal_follow('import_rows', 'journal', 'insert or update or delete', 'journal_import_rows');

create or replace function journal_import_runs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'import-runs', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'import-runs', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'import-runs', new.id, 'updated', 'updated', 
    case when old.import_job_id is distinct from new.import_job_id then jsonb_build_object('import-job', jsonb_build_object('from', old.import_job_id, 'to', new.import_job_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('import_runs', 'journal', 'insert or update or delete', 'journal_import_runs');

create or replace function journal_import_undos() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'import-undos', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'import-undos', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'import-undos', new.id, 'updated', 'updated', 
    case when old.import_job_id is distinct from new.import_job_id then jsonb_build_object('import-job', jsonb_build_object('from', old.import_job_id, 'to', new.import_job_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('import_undos', 'journal', 'insert or update or delete', 'journal_import_undos');

create or replace function journal_roles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'roles', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'roles', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'roles', new.id, 'updated', case when old.permissions is distinct from new.permissions then 'permission-changed' else 'updated' end, 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.code is distinct from new.code then jsonb_build_object('code', jsonb_build_object('from', old.code, 'to', new.code)) else '{}' end ||
    case when old.permissions is distinct from new.permissions then jsonb_build_object('permissions', jsonb_build_object('from', old.permissions, 'to', new.permissions)) else '{}' end ||
    case when old.description is distinct from new.description then jsonb_build_object('description', jsonb_build_object('from', old.description, 'to', new.description)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('roles', 'journal', 'insert or update or delete', 'journal_roles');

create or replace function journal_role_assignments() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'role-assignments', new.id, 'created', 'permission-changed', jsonb_build_object('role', jsonb_build_object('from', null, 'to', new.role_id), 'scope-type', jsonb_build_object('from', null, 'to', new.scope_type), 'scope-ids', jsonb_build_object('from', null, 'to', new.scope_ids), 'valid-from', jsonb_build_object('from', null, 'to', new.valid_from), 'valid-until', jsonb_build_object('from', null, 'to', new.valid_until)), new.person_id, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'role-assignments', old.id, 'deleted', 'permission-changed', jsonb_build_object('role', jsonb_build_object('from', old.role_id, 'to', null), 'scope-type', jsonb_build_object('from', old.scope_type, 'to', null), 'scope-ids', jsonb_build_object('from', old.scope_ids, 'to', null), 'valid-from', jsonb_build_object('from', old.valid_from, 'to', null), 'valid-until', jsonb_build_object('from', old.valid_until, 'to', null)), old.person_id, array_remove(array[]::uuid[]
      || old.scope_ids || array(select class.course_id from courses_of_classes class
        where class.account_id = old.account_id and class.class_id = any(old.scope_ids)), null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'role-assignments', new.id, 'updated', 'permission-changed', 
    case when old.scope_type is distinct from new.scope_type then jsonb_build_object('scope-type', jsonb_build_object('from', old.scope_type, 'to', new.scope_type)) else '{}' end ||
    case when old.scope_ids is distinct from new.scope_ids then jsonb_build_object('scope-ids', jsonb_build_object('from', old.scope_ids, 'to', new.scope_ids)) else '{}' end ||
    case when old.valid_from is distinct from new.valid_from then jsonb_build_object('valid-from', jsonb_build_object('from', old.valid_from, 'to', new.valid_from)) else '{}' end ||
    case when old.valid_until is distinct from new.valid_until then jsonb_build_object('valid-until', jsonb_build_object('from', old.valid_until, 'to', new.valid_until)) else '{}' end ||
    case when old.role_id is distinct from new.role_id then jsonb_build_object('role', jsonb_build_object('from', old.role_id, 'to', new.role_id)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end ||
    case when old.granted_by is distinct from new.granted_by then jsonb_build_object('granted-by', jsonb_build_object('from', old.granted_by, 'to', new.granted_by)) else '{}' end, new.person_id, null);
  return null;
end $$;

select journal_follow('role_assignments', 'journal', 'insert or update or delete', 'journal_role_assignments');

create or replace function journal_person_invitations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'person-invitations', new.id, 'created', 'created', '{}', new.person_id, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'person-invitations', old.id, 'deleted', 'deleted', '{}', old.person_id, array_remove(array[]::uuid[]
      || array[old.created_by], null));
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'person-invitations', new.id, 'updated', 'updated', 
    case when old.delivery is distinct from new.delivery then jsonb_build_object('delivery', jsonb_build_object('from', old.delivery, 'to', new.delivery)) else '{}' end ||
    case when old.expires_at is distinct from new.expires_at then jsonb_build_object('expires-at', jsonb_build_object('from', old.expires_at, 'to', new.expires_at)) else '{}' end ||
    case when old.sent_at is distinct from new.sent_at then jsonb_build_object('sent-at', jsonb_build_object('from', old.sent_at, 'to', new.sent_at)) else '{}' end ||
    case when old.person_id is distinct from new.person_id then jsonb_build_object('person', jsonb_build_object('from', old.person_id, 'to', new.person_id)) else '{}' end, new.person_id, null);
  return null;
end $$;

select journal_follow('person_invitations', 'journal', 'insert or update or delete', 'journal_person_invitations');

create or replace function journal_webhook_endpoints() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'webhook-endpoints', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'webhook-endpoints', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if not (new.status <> 'deleted') then
    if (old.status <> 'deleted') then perform journal_add(new.account_id, 'webhook-endpoints', new.id, 'deleted', 'deleted', '{}', null, null); end if;
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'webhook-endpoints', new.id, 'updated', 'updated', 
    case when old.name is distinct from new.name then jsonb_build_object('name', jsonb_build_object('from', old.name, 'to', new.name)) else '{}' end ||
    case when old.url is distinct from new.url then jsonb_build_object('url', jsonb_build_object('from', '[redacted]', 'to', '[redacted]')) else '{}' end ||
    case when old.events is distinct from new.events then jsonb_build_object('events', jsonb_build_object('from', old.events, 'to', new.events)) else '{}' end ||
    case when old.status is distinct from new.status then jsonb_build_object('status', jsonb_build_object('from', old.status, 'to', new.status)) else '{}' end ||
    case when old.pause_reason is distinct from new.pause_reason then jsonb_build_object('pause-reason', jsonb_build_object('from', old.pause_reason, 'to', new.pause_reason)) else '{}' end ||
    case when old.destination_version is distinct from new.destination_version then jsonb_build_object('destination-version', jsonb_build_object('from', old.destination_version, 'to', new.destination_version)) else '{}' end ||
    case when old.verified_destination_version is distinct from new.verified_destination_version then jsonb_build_object('verified-destination-version', jsonb_build_object('from', old.verified_destination_version, 'to', new.verified_destination_version)) else '{}' end ||
    case when old.verified_at is distinct from new.verified_at then jsonb_build_object('verified-at', jsonb_build_object('from', old.verified_at, 'to', new.verified_at)) else '{}' end ||
    case when old.secret_generation is distinct from new.secret_generation then jsonb_build_object('secret-generation', jsonb_build_object('from', old.secret_generation, 'to', new.secret_generation)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('webhook_endpoints', 'journal', 'insert or update or delete', 'journal_webhook_endpoints');

create or replace function journal_webhook_endpoint_secret_rotations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'webhook-endpoint-secret-rotations', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'webhook-endpoint-secret-rotations', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'webhook-endpoint-secret-rotations', new.id, 'updated', 'updated', 
    case when old.secret_generation is distinct from new.secret_generation then jsonb_build_object('secret-generation', jsonb_build_object('from', old.secret_generation, 'to', new.secret_generation)) else '{}' end ||
    case when old.previous_valid_until is distinct from new.previous_valid_until then jsonb_build_object('previous-valid-until', jsonb_build_object('from', old.previous_valid_until, 'to', new.previous_valid_until)) else '{}' end ||
    case when old.endpoint_id is distinct from new.endpoint_id then jsonb_build_object('endpoint', jsonb_build_object('from', old.endpoint_id, 'to', new.endpoint_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('webhook_endpoint_secret_rotations', 'journal', 'insert or update or delete', 'journal_webhook_endpoint_secret_rotations');

create or replace function journal_webhook_replays() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform journal_add(new.account_id, 'webhook-replays', new.id, 'created', 'created', '{}', null, null);
    return null;
  elsif tg_op = 'DELETE' then
    perform journal_add(old.account_id, 'webhook-replays', old.id, 'deleted', 'deleted', '{}', null, null);
    return null;
  end if;
  if old.version = new.version then return null; end if;
  perform journal_add(new.account_id, 'webhook-replays', new.id, 'updated', 'updated', 
    case when old.range_from is distinct from new.range_from then jsonb_build_object('from', jsonb_build_object('from', old.range_from, 'to', new.range_from)) else '{}' end ||
    case when old.range_to is distinct from new.range_to then jsonb_build_object('to', jsonb_build_object('from', old.range_to, 'to', new.range_to)) else '{}' end ||
    case when old.created_count is distinct from new.created_count then jsonb_build_object('created-count', jsonb_build_object('from', old.created_count, 'to', new.created_count)) else '{}' end ||
    case when old.remaining_count is distinct from new.remaining_count then jsonb_build_object('remaining-count', jsonb_build_object('from', old.remaining_count, 'to', new.remaining_count)) else '{}' end ||
    case when old.endpoint_id is distinct from new.endpoint_id then jsonb_build_object('endpoint', jsonb_build_object('from', old.endpoint_id, 'to', new.endpoint_id)) else '{}' end, null, null);
  return null;
end $$;

select journal_follow('webhook_replays', 'journal', 'insert or update or delete', 'journal_webhook_replays');
