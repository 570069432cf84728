-- Generated from the definitions by `npm run generate`. The functions are in `src/features/journal/facts.sql`.

select journal_follow('accounts', 'journal', 'journal_row',
  'accounts',
  '',
  '{}',
  '{"church_name":"church-name","settings":"settings","custom_properties":"custom-properties","alias":"alias","status":"status","integration_approved":"integration-approved","acronym":"acronym","email":"email","phone":"phone","website":"website","address":"address","logo_url":"logo-url","legal_acceptances":"legal-acceptances","features":"features"}',
  '{}',
  '{}',
  '{}');

select journal_follow('people', 'journal', 'journal_row',
  'people',
  'id',
  '{}',
  '{"full_name":"full-name","first_name":"first-name","last_name":"last-name","preferred_name":"preferred-name","former_name":"former-name","sex":"sex","birthdate":"birthdate","birth_month_day":"birth-month-day","deathdate":"deathdate","marital_status":"marital-status","wedding_date":"wedding-date","occupation":"occupation","nationality":"nationality","email":"email","other_emails":"other-emails","phones":"phones","address":"address","emergency_contact":"emergency-contact","membership_status":"membership-status","membership_status_changed_at":"membership-status-changed-at","member_since":"member-since","admission_method":"admission-method","decision_date":"decision-date","is_baptized":"is-baptized","baptism_date":"baptism-date","previous_church":"previous-church","left_at":"left-at","left_reason":"left-reason","identity_documents":"identity-documents","medical_notes":"medical-notes","is_active":"is-active","deactivated_at":"deactivated-at","administrative_status":"administrative-status","has_login":"has-login","last_login_at":"last-login-at","locale":"locale","communication_preferences":"communication-preferences","directory_visibility":"directory-visibility","consents":"consents","custom_properties":"custom-properties.*","external_ids":"external-ids","merged_ids":"merged-ids"}',
  '{identity_documents,medical_notes,resource_scope}',
  '{}',
  '{administrative_status}');

select journal_follow('person_tags', 'journal_tags', 'journal_link',
  'people',
  'person_id',
  'tag_id',
  'tags',
  'true',
  'false',
  'false');

select journal_follow('person_merges', 'journal', 'journal_row',
  'person-merges',
  '',
  '{}',
  '{"field_choices":"field-choices","keep_households":"keep-households","note":"note","moved_counts":"moved-counts","conflicts":"conflicts","kept_id":"kept"}',
  '{conflicts}',
  '{}',
  '{}');

select journal_follow('person_duplicates', 'journal', 'journal_row',
  'person-duplicates',
  '',
  '{}',
  '{"status":"status","score":"score","reasons":"reasons"}',
  '{}',
  '{}',
  '{}');

select journal_follow('households', 'journal', 'journal_row',
  'households',
  '',
  '{}',
  '{"name":"name","phone":"phone","address":"address","custom_properties":"custom-properties.*","primary_contact_id":"primary-contact"}',
  '{}',
  '{}',
  '{}');

select journal_follow('household_memberships', 'journal', 'journal_row',
  'household-memberships',
  'person_id',
  '{}',
  '{"household_role":"household-role","is_primary":"is-primary","may_pick_up":"may-pick-up","household_id":"household","person_id":"person"}',
  '{}',
  '{}',
  '{}');

select journal_follow('tags', 'journal', 'journal_row',
  'tags',
  '',
  '{}',
  '{"name":"name","color":"color","applies_to":"applies-to"}',
  '{}',
  '{}',
  '{}');

select journal_follow('courses', 'journal', 'journal_row',
  'courses',
  '',
  '{id}',
  '{"name":"name","description":"description","price":"price","price_currency":"price-currency","lessons_to_graduate":"lessons-to-graduate","is_active":"is-active","code":"code","summary":"summary","is_public":"is-public","enrollment_policy":"enrollment-policy","graduation_mode":"graduation-mode","excused_counts":"excused-counts","has_certificate":"has-certificate","certificate_valid_months":"certificate-valid-months","category":"category","order":"order","position_in_path":"position-in-path","custom_properties":"custom-properties.*"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_teachers', 'journal_teachers', 'journal_link',
  'courses',
  'course_id',
  'person_id',
  'teachers',
  'false',
  'true',
  'false');

select journal_follow('course_tags', 'journal_tags', 'journal_link',
  'courses',
  'course_id',
  'tag_id',
  'tags',
  'false',
  'true',
  'false');

select journal_follow('course_lessons', 'journal', 'journal_row',
  'course-lessons',
  '',
  '{course_id}',
  '{"name":"name","number":"number","description":"description","is_mandatory":"is-mandatory","is_active":"is-active","duration_minutes":"duration-minutes","content_url":"content-url","course_id":"course"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_classes', 'journal', 'journal_row',
  'course-classes',
  '',
  '{course_id,id}',
  '{"name":"name","status":"status","seats":"seats","waitlist_enabled":"waitlist-enabled","starts":"starts","ends":"ends","schedule":"schedule","enrollment_opens_at":"enrollment-opens-at","enrollment_closes_at":"enrollment-closes-at","mode":"mode","location":"location","online_url":"online-url","time_zone":"time-zone","is_public":"is-public","show_teachers":"show-teachers","custom_properties":"custom-properties.*","course_id":"course"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_class_teachers', 'journal_teachers', 'journal_link',
  'course-classes',
  'class_id',
  'person_id',
  'teachers',
  'false',
  'true',
  'true');

select journal_follow('course_sessions', 'journal', 'journal_row',
  'course-sessions',
  '',
  '{course_id,class_id}',
  '{"date":"date","starts_at":"starts-at","ends_at":"ends-at","status":"status","class_id":"class","course_id":"course","lesson_id":"lesson","teacher_id":"teacher"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_session_plans', 'journal', 'journal_row',
  'course-session-plans',
  '',
  '{course_id,class_id}',
  '{"created_count":"created-count","class_id":"class","course_id":"course"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_materials', 'journal', 'journal_row',
  'course-materials',
  '',
  '{course_id,class_id}',
  '{"title":"title","description":"description","content":"content","material_type":"material-type","audience":"audience","publish_status":"publish-status","published_at":"published-at","available_from":"available-from","url":"url","order":"order","course_id":"course","class_id":"class","lesson_id":"lesson"}',
  '{}',
  '{}',
  '{}');

select journal_follow('material_attachments', 'journal', 'journal_row',
  'material-attachments',
  '',
  '{}',
  '{"material_id":"material"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_requirements', 'journal', 'journal_row',
  'course-requirements',
  '',
  '{course_id}',
  '{"kind":"kind","enforcement":"enforcement","relation":"relation","value":"value","course_id":"course","required_course_id":"required-course"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_enrollments', 'journal', 'journal_row',
  'course-enrollments',
  'person_id',
  '{course_id,class_id}',
  '{"status":"status","enrolled_at":"enrolled-at","status_changed_at":"status-changed-at","completed_at":"completed-at","lessons_attended":"lessons-attended","lessons_required":"lessons-required","progress":"progress","is_eligible_to_graduate":"is-eligible-to-graduate","payment_status":"payment-status","paid_amount":"paid-amount","requirements_waived":"requirements-waived","graduation_waived":"graduation-waived","waiver_note":"waiver-note","withdrawn_reason":"withdrawn-reason","source":"source","custom_properties":"custom-properties.*","course_id":"course","class_id":"class","person_id":"person"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_enrollment_requests', 'journal', 'journal_row',
  'course-enrollment-requests',
  'person_id',
  '{course_id,class_id}',
  '{"message":"message","contact":"contact","status":"status","decline_reason":"decline-reason","source":"source","is_confirmed":"is-confirmed","decided_at":"decided-at","class_id":"class","course_id":"course","person_id":"person","decided_by":"decided-by"}',
  '{message,contact}',
  '{}',
  '{}');

select journal_follow('course_attendances', 'journal', 'journal_row',
  'course-attendances',
  'person_id',
  '{course_id,class_id}',
  '{"status":"status","note":"note","minutes":"minutes","date":"date","recorded_at":"recorded-at","session_id":"session","enrollment_id":"enrollment","person_id":"person","lesson_id":"lesson","class_id":"class","course_id":"course","recorded_by":"recorded-by"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_attendance_sheets', 'journal', 'journal_row',
  'course-attendance-sheets',
  '',
  '{course_id,class_id}',
  '{"recorded_count":"recorded-count","changed_count":"changed-count","session_id":"session","class_id":"class","course_id":"course"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_tasks', 'journal', 'journal_row',
  'course-tasks',
  '',
  '{course_id}',
  '{"name":"name","instructions":"instructions","is_mandatory":"is-mandatory","assigned_to":"assigned-to","submission_type":"submission-type","due":"due","points":"points","order":"order","course_id":"course","lesson_id":"lesson"}',
  '{}',
  '{}',
  '{}');

select journal_follow('course_task_completions', 'journal', 'journal_row',
  'course-task-completions',
  'person_id',
  '{course_id,class_id}',
  '{"text":"text","url":"url","student_comment":"student-comment","status":"status","teacher_comment":"teacher-comment","points_earned":"points-earned","was_on_time":"was-on-time","attempt_count":"attempt-count","submitted_at":"submitted-at","reviewed_at":"reviewed-at","task_id":"task","enrollment_id":"enrollment","person_id":"person","class_id":"class","course_id":"course","reviewed_by":"reviewed-by"}',
  '{text,url,file_id,student_comment,teacher_comment}',
  '{}',
  '{}');

select journal_follow('cells', 'journal', 'journal_row',
  'cells',
  '',
  '{id,parent_id}',
  '{"name":"name","cell_type":"cell-type","level":"level","description":"description","category":"category","gender_category":"gender-category","age_min":"age-min","age_max":"age-max","weekday":"weekday","starts_at":"starts-at","ends_at":"ends-at","frequency":"frequency","is_online":"is-online","online_url":"online-url","address":"address","is_public":"is-public","public_settings":"public-settings","join_policy":"join-policy","capacity":"capacity","ideal_size":"ideal-size","multiplication_goal_date":"multiplication-goal-date","recess_from":"recess-from","recess_to":"recess-to","opened_at":"opened-at","closed_at":"closed-at","closing_reason":"closing-reason","custom_properties":"custom-properties.*","parent_id":"parent","multiplied_from_id":"multiplied-from"}',
  '{}',
  '{}',
  '{}');

select journal_follow('cell_tags', 'journal_tags', 'journal_link',
  'cells',
  'cell_id',
  'tag_id',
  'tags',
  'false',
  'true',
  'false');

select journal_follow('cell_closings', 'journal', 'journal_row',
  'cell-closings',
  '',
  '{cell_id}',
  '{"closing_reason":"closing-reason","cell_id":"cell","moved_to_id":"moved-to"}',
  '{}',
  '{}',
  '{}');

select journal_follow('cell_reopenings', 'journal', 'journal_row',
  'cell-reopenings',
  '',
  '{cell_id}',
  '{"cell_id":"cell"}',
  '{}',
  '{}',
  '{}');

select journal_follow('cell_memberships', 'journal', 'journal_row',
  'cell-memberships',
  'person_id',
  '{cell_id}',
  '{"cell_role":"cell-role","status":"status","joined_on":"joined-on","left_on":"left-on","left_reason":"left-reason","cell_id":"cell","person_id":"person"}',
  '{}',
  '{"cell_role":["leader","co-leader"]}',
  '{}');

select journal_follow('cell_transfers', 'journal', 'journal_row',
  'cell-transfers',
  '',
  '{to_cell_id,from_cell_id}',
  '{"transferred_on":"transferred-on","from_cell_id":"from-cell","to_cell_id":"to-cell"}',
  '{}',
  '{}',
  '{}');

select journal_follow('cell_join_requests', 'journal', 'journal_row',
  'cell-join-requests',
  'person_id',
  '{cell_id}',
  '{"message":"message","contact":"contact","status":"status","decline_reason":"decline-reason","source":"source","is_confirmed":"is-confirmed","decided_at":"decided-at","cell_id":"cell","person_id":"person","decided_by":"decided-by"}',
  '{message,contact}',
  '{}',
  '{}');

select journal_follow('cell_multiplications', 'journal', 'journal_row',
  'cell-multiplications',
  '',
  '{parent_cell_id}',
  '{"new_cell":"new-cell","note":"note","status":"status","decline_reason":"decline-reason","decided_at":"decided-at","parent_cell_id":"parent-cell","resulting_cell_id":"resulting-cell","decided_by":"decided-by"}',
  '{}',
  '{}',
  '{}');

select journal_follow('cell_multiplication_members', 'journal_members', 'journal_link',
  'cell-multiplications',
  'multiplication_id',
  'person_id',
  'members',
  'false',
  'false',
  'false');

select journal_follow('cell_multiplication_leaders', 'journal_leaders', 'journal_link',
  'cell-multiplications',
  'multiplication_id',
  'person_id',
  'leaders',
  'false',
  'false',
  'false');

select journal_follow('cell_meetings', 'journal', 'journal_row',
  'cell-meetings',
  '',
  '{cell_id}',
  '{"date":"date","starts_at":"starts-at","ends_at":"ends-at","is_online":"is-online","theme":"theme","summary":"summary","status":"status","not_held_reason":"not-held-reason","visitors_count":"visitors-count","children_count":"children-count","decisions_count":"decisions-count","offering_amount":"offering-amount","offering_currency":"offering-currency","members_count":"members-count","submitted_at":"submitted-at","cell_id":"cell","submitted_by":"submitted-by"}',
  '{}',
  '{}',
  '{}');

select journal_follow('cell_attendances', 'journal', 'journal_row',
  'cell-attendances',
  'person_id',
  '{cell_id}',
  '{"status":"status","is_visitor":"is-visitor","first_time":"first-time","note":"note","date":"date","meeting_id":"meeting","cell_id":"cell","person_id":"person"}',
  '{}',
  '{}',
  '{}');

select journal_follow('forms', 'journal', 'journal_row',
  'forms',
  '',
  '{cell_id,course_id}',
  '{"name":"name","description":"description","slug":"slug","status":"status","opens_at":"opens-at","closes_at":"closes-at","max_submissions":"max-submissions","requires_login":"requires-login","fields":"fields","privacy_notice":"privacy-notice","version_number":"version","actions":"actions","confirmation_message":"confirmation-message","confirmation_email":"confirmation-email","challenge":"challenge","retention_days":"retention-days","owner_id":"owner","cell_id":"cell","course_id":"course"}',
  '{}',
  '{}',
  '{}');

select journal_follow('form_versions', 'journal', 'journal_row',
  'form-versions',
  '',
  '{}',
  '{"number":"number","fields":"fields","privacy_notice":"privacy-notice","form_id":"form"}',
  '{}',
  '{}',
  '{}');

select journal_follow('form_submissions', 'journal', 'journal_row',
  'form-submissions',
  'person_id',
  '{}',
  '{"submitted_at":"submitted-at","answers":"answers","form_version":"form-version","status":"status","source":"source","consent":"consent","is_confirmed":"is-confirmed","spam_score":"spam-score","results":"results","form_id":"form","person_id":"person","reviewed_by":"reviewed-by"}',
  '{answers,suggested_changes}',
  '{}',
  '{}');

select journal_follow('notes', 'journal', 'journal_row',
  'notes',
  'about_person_id',
  '{}',
  '{"text":"text","kind":"kind","visibility":"visibility","follow_up_on":"follow-up-on","follow_up_status":"follow-up-status","about_person_id":"about","about_household_id":"about","about_cell_id":"about","author_id":"author","assignee_id":"assignee"}',
  '{created_at,modified_at,text,kind,visibility,follow_up_on,follow_up_status}',
  '{}',
  '{}');

select journal_follow('import_jobs', 'journal', 'journal_row',
  'import-jobs',
  '',
  '{}',
  '{"kind":"kind","mapping":"mapping","value_mapping":"value-mapping","blank_values":"blank-values","country":"country","default_area_code":"default-area-code","household_key":"household-key","match_on":"match-on","on_match":"on-match","blank_overwrites":"blank-overwrites","delimiter":"delimiter","encoding":"encoding","date_format":"date-format","status":"status","failure":"failure","counts":"counts"}',
  '{}',
  '{}',
  '{}');

select journal_follow('import_rows', 'journal', 'journal_row',
  'import-rows',
  'person_id',
  '{}',
  '{"row_number":"row","action":"action","outcome":"outcome","errors":"errors","warnings":"warnings","import_job_id":"import-job","person_id":"person"}',
  '{errors,warnings}',
  '{}',
  '{}');

select journal_follow('import_runs', 'journal', 'journal_row',
  'import-runs',
  '',
  '{}',
  '{"import_job_id":"import-job"}',
  '{}',
  '{}',
  '{}');

select journal_follow('import_undos', 'journal', 'journal_row',
  'import-undos',
  '',
  '{}',
  '{"import_job_id":"import-job"}',
  '{}',
  '{}',
  '{}');

select journal_follow('roles', 'journal', 'journal_row',
  'roles',
  '',
  '{}',
  '{"name":"name","code":"code","permissions":"permissions","description":"description"}',
  '{}',
  '{}',
  '{permissions}');

select journal_follow('role_assignments', 'journal', 'journal_row',
  'role-assignments',
  'person_id',
  '{}',
  '{"scope_type":"scope-type","scope_ids":"scope-ids","valid_from":"valid-from","valid_until":"valid-until","role_id":"role","person_id":"person","granted_by":"granted-by"}',
  '{}',
  '{"role_id":null}',
  '{}');

select journal_follow('person_invitations', 'journal', 'journal_row',
  'person-invitations',
  'person_id',
  '{}',
  '{"delivery":"delivery","expires_at":"expires-at","sent_at":"sent-at","person_id":"person"}',
  '{}',
  '{}',
  '{}');

select journal_follow('webhook_endpoints', 'journal', 'journal_row',
  'webhook-endpoints',
  '',
  '{}',
  '{"name":"name","url":"url","events":"events","status":"status","pause_reason":"pause-reason","destination_version":"destination-version","verified_destination_version":"verified-destination-version","verified_at":"verified-at","secret_generation":"secret-generation"}',
  '{url}',
  '{}',
  '{}');

select journal_follow('webhook_endpoint_secret_rotations', 'journal', 'journal_row',
  'webhook-endpoint-secret-rotations',
  '',
  '{}',
  '{"secret_generation":"secret-generation","previous_valid_until":"previous-valid-until","endpoint_id":"endpoint"}',
  '{}',
  '{}',
  '{}');

select journal_follow('webhook_replays', 'journal', 'journal_row',
  'webhook-replays',
  '',
  '{}',
  '{"range_from":"from","range_to":"to","created_count":"created-count","remaining_count":"remaining-count","endpoint_id":"endpoint"}',
  '{}',
  '{}',
  '{}');
