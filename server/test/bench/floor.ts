/**
 * The floor: the cost of the four routes with nothing but node:http, the driver and the statements of the response.
 * The caller is looked up as the service does. Rows have the same columns, linkage and count, and the document has the
 * same members. There is no routing, query parsing, validation, permission, header, ETag or event. Nothing is shared
 * with the kernel.
 */
import { hash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { PhoneNumber } from "libphonenumber-js/max";
import { connect, type Db, inGlobalTransaction, type Queryable } from "../../src/store/db.ts";
import { POOL_SIZE, PUBLIC_URL, serveBench } from "./child.ts";

type Row = Record<string, unknown>;

const CALLER = `
  select token.id, token.person_id, person.administrative_status, account.version, account.status,
    case when person.administrative_status <> 'full-administrator' then assignments_of($1, person.id) end as assignments
  from access_tokens token
  join people person on person.account_id = $1 and person.id = token.person_id and person.is_active
  join accounts account on account.id = $1
  where token.account_id = $1 and token.token_hash = $2 and token.expires_at > now()`;

const PERSON = `
  p.id, p.version, p.created_by, p.modified_by, p.created_at, p.modified_at, p.full_name,
  coalesce(p.first_name, split_part(p.full_name, ' ', 1)) as first_name,
  coalesce(p.last_name, nullif(regexp_replace(p.full_name, '^\\S+\\s*|.*\\s(?=\\S+$)', '', 'g'), '')) as last_name,
  p.preferred_name, p.former_name, p.sex, p.birthdate, p.birthday,
  extract(year from age(p.birthdate))::int as age,
  extract(year from age(p.birthdate))::int
    < coalesce((select (settings ->> 'child-age-limit')::int from accounts where id = $1), 13) as is_child,
  p.deathdate, p.marital_status, p.wedding_date, p.occupation, p.nationality, p.photo_id, p.email, p.other_emails,
  p.phones, p.address, p.emergency_contact, p.membership_status, p.membership_status_changed_at, p.member_since,
  p.admission_method, p.decision_date, p.is_baptized, p.baptism_date, p.previous_church, p.left_at, p.left_reason,
  p.identity_documents, p.medical_notes, p.is_active, p.deactivated_at, p.administrative_status,
  array_to_json(array(select json_build_object('role', name, 'scope-type', scope_type, 'ids', scope_ids,
      'is-derived', is_derived)
    from held_roles where account_id = $1 and person_id = p.id order by is_derived, position, name)) as resource_scope,
  (select household_id from household_memberships where account_id = $1 and person_id = p.id and is_primary) as household,
  p.has_login, p.last_login_at, p.locale, p.communication_preferences, p.directory_visibility, p.consents,
  p.custom_properties, p.external_ids, p.merged_ids`;

/** Relationships of the same rows are read in one pass, with the ids of a row separated by spaces. */
const PERSON_LINKAGE = `
  array(select role_id || ' ' || id from role_assignments where account_id = $1 and person_id = p.id limit 201) as roles_and_assignments,
  array(select concat(id, ' ', case when status = 'active' then cell_id end, ' ',
      case when status = 'active' and cell_role in ('leader', 'co-leader') then cell_id end)
    from cell_memberships where account_id = $1 and person_id = p.id limit 201) as memberships_cells_and_leads,
  array(select concat(id, ' ', case when status = 'completed' then course_id end)
    from course_enrollments where account_id = $1 and person_id = p.id limit 201) as enrollments_and_completed,
  array(select class_id from course_class_teachers where account_id = $1 and person_id = p.id limit 201) as teaches,
  array(select household_id from household_memberships where account_id = $1 and person_id = p.id limit 201) as households,
  array(select tag_id from person_tags where account_id = $1 and person_id = p.id limit 201) as tags`;

const ONE_PERSON = `select ${PERSON}, ${PERSON_LINKAGE} from people p where p.account_id = $1 and p.id = $2`;

const PEOPLE = `select ${PERSON} from people p where p.account_id = $1 order by p.name_folded, p.id limit 25`;
const PEOPLE_COUNT = "select count(*) from people where account_id = $1";

const CHANGE_PERSON = `
  update people p set occupation = $3, version = version + 1, modified_at = now(), modified_by = $4
  where account_id = $1 and id = $2 returning ${PERSON}, ${PERSON_LINKAGE}`;

const COURSE = `
  select c.id, c.created_by, c.modified_by, c.created_at, c.modified_at, c.name, c.description, c.price, c.price_currency,
    c.lessons_to_graduate, c.is_active, c.code, c.summary, c.image_id, c.is_public, c.enrollment_policy,
    c.graduation_mode, c.excused_counts, c.has_certificate, c.certificate_valid_months, c.category, c."order",
    c.position_in_path, c.custom_properties,
    (select count(*) from course_lessons where account_id = $1 and course_id = c.id) as lessons_count,
    (select count(*) from course_classes where account_id = $1 and course_id = c.id and status = 'open') as open_classes_count,
    (select count(*) from course_enrollments where account_id = $1 and course_id = c.id and status = 'active') as enrolled_count,
    array(select person_id from course_teachers where account_id = $1 and course_id = c.id limit 201) as teachers,
    array(select id from course_lessons where account_id = $1 and course_id = c.id limit 201) as lessons,
    array(select id from course_classes where account_id = $1 and course_id = c.id limit 201) as classes,
    array(select concat(case when audience = 'student' then id end, ' ', case when audience = 'teacher' then id end)
      from course_materials where account_id = $1 and course_id = c.id limit 201) as student_and_teacher_materials,
    array(select concat(id, ' ', case when status = 'completed' then person_id end)
      from course_enrollments where account_id = $1 and course_id = c.id limit 201) as enrollments_and_completed,
    array(select id from course_requirements where account_id = $1 and course_id = c.id limit 201) as requirements,
    array(select tag_id from course_tags where account_id = $1 and course_id = c.id limit 201) as tags
  from courses c where c.account_id = $1 and c.id = $2`;
const COURSE_TEACHERS = `
  select ${PERSON} from course_teachers t join people p on p.account_id = $1 and p.id = t.person_id
  where t.account_id = $1 and t.course_id = $2 limit 1001`;
const COURSE_LESSONS = `
  select id, version, created_by, modified_by, course_id, created_at, modified_at, name, number, description, is_mandatory, is_active,
    duration_minutes, content_url
  from course_lessons where account_id = $1 and course_id = $2 limit 1001`;
const COURSE_CLASSES = `
  select id, version, created_by, modified_by, course_id, created_at, modified_at, name, status, seats, waitlist_enabled, starts, ends,
    schedule, enrollment_opens_at, enrollment_closes_at, mode, location, online_url, time_zone, is_public, show_teachers,
    custom_properties, coalesce(starts <= now(), false) as has_started, coalesce(ends <= now(), false) as has_finished,
    (select count(*)::int from course_enrollments e where e.account_id = course_classes.account_id
      and e.class_id = course_classes.id and takes_seat(e.status)) as seats_taken,
    (select count(*)::int from course_enrollments e where e.account_id = course_classes.account_id
      and e.class_id = course_classes.id and e.status = 'waitlisted') as waitlist_count
  from course_classes where account_id = $1 and course_id = $2 limit 1001`;

const ask = (db: Queryable, statement: string, values: unknown[]): Promise<Row[]> =>
  db.query(statement, values, { prepared: true }) as unknown as Promise<Row[]>;

const identifier = (type: string, id: unknown) => ({ type, id });
const links = (path: string, name: string) => ({
  self: `${path}/relationships/${name}`,
  related: `${path}/${name}`,
});
const toOne = (path: string, name: string, type: string, id: unknown) => ({
  links: links(path, name),
  data: id === null ? null : identifier(type, id),
});
function toMany(path: string, name: string, type: string, rows: unknown, place = 0) {
  if (rows === undefined) return { links: links(path, name) };
  const ids = new Set((rows as string[]).map((row) => row.split(" ")[place] ?? ""));
  ids.delete("");
  const data = [...ids].sort().map((id) => identifier(type, id));
  return { links: links(path, name), data, meta: { total: data.length } };
}

interface Phone {
  number: string;
}

const displays = new Map<string, string>();

function displayOf(number: string): string {
  const display = displays.get(number) ?? new PhoneNumber(number).formatInternational();
  displays.set(number, display);
  return display;
}

function personResource(row: Row) {
  const path = `${PUBLIC_URL}/v1/people/${row["id"] as string}`;
  return {
    type: "people",
    id: row["id"],
    attributes: {
      "created-at": row["created_at"],
      "modified-at": row["modified_at"],
      "full-name": row["full_name"],
      "first-name": row["first_name"],
      "last-name": row["last_name"],
      "preferred-name": row["preferred_name"],
      "former-name": row["former_name"],
      "sex": row["sex"],
      "birthdate": row["birthdate"],
      "birth-month-day": row["birthday"],
      "age": row["age"],
      "is-child": row["is_child"],
      "deathdate": row["deathdate"],
      "marital-status": row["marital_status"],
      "wedding-date": row["wedding_date"],
      "occupation": row["occupation"],
      "nationality": row["nationality"],
      "photo-url": row["photo_id"],
      "email": row["email"],
      "other-emails": row["other_emails"],
      "phones": (row["phones"] as Phone[]).map(({ number, ...phone }) => ({
        ...phone,
        number,
        display: displayOf(number),
      })),
      "address": row["address"],
      "emergency-contact": row["emergency_contact"],
      "membership-status": row["membership_status"],
      "membership-status-changed-at": row["membership_status_changed_at"],
      "member-since": row["member_since"],
      "admission-method": row["admission_method"],
      "decision-date": row["decision_date"],
      "is-baptized": row["is_baptized"],
      "baptism-date": row["baptism_date"],
      "previous-church": row["previous_church"],
      "left-at": row["left_at"],
      "left-reason": row["left_reason"],
      "identity-documents": row["identity_documents"],
      "medical-notes": row["medical_notes"],
      "is-active": row["is_active"],
      "deactivated-at": row["deactivated_at"],
      "administrative-status": row["administrative_status"],
      "resource-scope": row["resource_scope"],
      "has-login": row["has_login"],
      "last-login-at": row["last_login_at"],
      "locale": row["locale"],
      "communication-preferences": row["communication_preferences"],
      "directory-visibility": row["directory_visibility"],
      "consents": row["consents"],
      "custom-properties": row["custom_properties"],
      "external-ids": row["external_ids"],
      "merged-ids": row["merged_ids"],
    },
    relationships: {
      "created-by": toOne(path, "created-by", "people", row["created_by"]),
      "modified-by": toOne(path, "modified-by", "people", row["modified_by"]),
      "roles": toMany(path, "roles", "roles", row["roles_and_assignments"]),
      "role-assignments": toMany(
        path,
        "role-assignments",
        "role-assignments",
        row["roles_and_assignments"],
        1,
      ),
      "cell-memberships": toMany(
        path,
        "cell-memberships",
        "cell-memberships",
        row["memberships_cells_and_leads"],
      ),
      "cells": toMany(path, "cells", "cells", row["memberships_cells_and_leads"], 1),
      "leads": toMany(path, "leads", "cells", row["memberships_cells_and_leads"], 2),
      "course-enrollments": toMany(
        path,
        "course-enrollments",
        "course-enrollments",
        row["enrollments_and_completed"],
      ),
      "teaches": toMany(path, "teaches", "course-classes", row["teaches"]),
      "completed-courses": toMany(
        path,
        "completed-courses",
        "courses",
        row["enrollments_and_completed"],
        1,
      ),
      "household": toOne(path, "household", "households", row["household"]),
      "households": toMany(path, "households", "households", row["households"]),
      "tags": toMany(path, "tags", "tags", row["tags"]),
    },
    links: { self: path },
  };
}

function courseResource(row: Row) {
  const path = `${PUBLIC_URL}/v1/courses/${row["id"] as string}`;
  return {
    type: "courses",
    id: row["id"],
    attributes: {
      "created-at": row["created_at"],
      "modified-at": row["modified_at"],
      "name": row["name"],
      "description": row["description"],
      "price": row["price"],
      "price-currency": row["price_currency"],
      "lessons-to-graduate": row["lessons_to_graduate"],
      "is-active": row["is_active"],
      "code": row["code"],
      "summary": row["summary"],
      "image-url": row["image_id"],
      "is-public": row["is_public"],
      "enrollment-policy": row["enrollment_policy"],
      "graduation-mode": row["graduation_mode"],
      "excused-counts": row["excused_counts"],
      "has-certificate": row["has_certificate"],
      "certificate-valid-months": row["certificate_valid_months"],
      "category": row["category"],
      "order": row["order"],
      "position-in-path": row["position_in_path"],
      "lessons-count": row["lessons_count"],
      "open-classes-count": row["open_classes_count"],
      "enrolled-count": row["enrolled_count"],
      "custom-properties": row["custom_properties"],
    },
    relationships: {
      "created-by": toOne(path, "created-by", "people", row["created_by"]),
      "modified-by": toOne(path, "modified-by", "people", row["modified_by"]),
      "teachers": toMany(path, "teachers", "people", row["teachers"]),
      "lessons": toMany(path, "lessons", "course-lessons", row["lessons"]),
      "classes": toMany(path, "classes", "course-classes", row["classes"]),
      "student-materials": toMany(
        path,
        "student-materials",
        "course-materials",
        row["student_and_teacher_materials"],
      ),
      "teacher-materials": toMany(
        path,
        "teacher-materials",
        "course-materials",
        row["student_and_teacher_materials"],
        1,
      ),
      "enrollments": toMany(
        path,
        "enrollments",
        "course-enrollments",
        row["enrollments_and_completed"],
      ),
      "requirements": toMany(path, "requirements", "course-requirements", row["requirements"]),
      "completed-by": toMany(path, "completed-by", "people", row["enrollments_and_completed"], 1),
      "tags": toMany(path, "tags", "tags", row["tags"]),
    },
    links: { self: path },
  };
}

function lessonResource(row: Row) {
  const path = `${PUBLIC_URL}/v1/course-lessons/${row["id"] as string}`;
  return {
    type: "course-lessons",
    id: row["id"],
    attributes: {
      "created-at": row["created_at"],
      "modified-at": row["modified_at"],
      "name": row["name"],
      "number": row["number"],
      "description": row["description"],
      "is-mandatory": row["is_mandatory"],
      "is-active": row["is_active"],
      "duration-minutes": row["duration_minutes"],
      "content-url": row["content_url"],
    },
    relationships: {
      "created-by": toOne(path, "created-by", "people", row["created_by"]),
      "modified-by": toOne(path, "modified-by", "people", row["modified_by"]),
      "course": toOne(path, "course", "courses", row["course_id"]),
      "materials": toMany(path, "materials", "course-materials", undefined),
      "tasks": toMany(path, "tasks", "course-tasks", undefined),
    },
    links: { self: path },
  };
}

function classResource(row: Row) {
  const path = `${PUBLIC_URL}/v1/course-classes/${row["id"] as string}`;
  return {
    type: "course-classes",
    id: row["id"],
    attributes: {
      "created-at": row["created_at"],
      "modified-at": row["modified_at"],
      "name": row["name"],
      "status": row["status"],
      "seats": row["seats"],
      "waitlist-enabled": row["waitlist_enabled"],
      "starts": row["starts"],
      "ends": row["ends"],
      "schedule": row["schedule"],
      "enrollment-opens-at": row["enrollment_opens_at"],
      "enrollment-closes-at": row["enrollment_closes_at"],
      "mode": row["mode"],
      "location": row["location"],
      "online-url": row["online_url"],
      "time-zone": row["time_zone"],
      "is-public": row["is_public"],
      "show-teachers": row["show_teachers"],
      "seats-taken": row["seats_taken"],
      "waitlist-count": row["waitlist_count"],
      "has-started": row["has_started"],
      "has-finished": row["has_finished"],
      "custom-properties": row["custom_properties"],
    },
    relationships: {
      "created-by": toOne(path, "created-by", "people", row["created_by"]),
      "modified-by": toOne(path, "modified-by", "people", row["modified_by"]),
      "course": toOne(path, "course", "courses", row["course_id"]),
      "teachers": toMany(path, "teachers", "people", undefined),
      "sessions": toMany(path, "sessions", "course-sessions", undefined),
      "students": toMany(path, "students", "people", undefined),
      "lessons-completed": toMany(path, "lessons-completed", "course-lessons", undefined),
      "enrollments": toMany(path, "enrollments", "course-enrollments", undefined),
    },
    links: { self: path },
  };
}

const jsonapi = { version: "1.1" };

const personDocument = (row: Row) => ({
  jsonapi,
  data: personResource(row),
  links: { self: `${PUBLIC_URL}/v1/people/${row["id"] as string}` },
});

/** In a document with several resources, each one has its own ETag. */
const amongOthers = (resource: (row: Row) => object) => (row: Row) => ({
  ...resource(row),
  meta: { etag: `"${row["version"] as number}"` },
});

async function readPerson(db: Db, account: string, id: string) {
  const [row] = await ask(db, ONE_PERSON, [account, id]);
  return row && personDocument(row);
}

async function listPeople(db: Db, account: string, size: number) {
  const [[count], rows] = await Promise.all([
    ask(db, PEOPLE_COUNT, [account]),
    ask(db, PEOPLE, [account]),
  ]);
  const total = count?.["count"] as number;
  const last = Math.ceil(total / size);
  const link = (number: number) =>
    `${PUBLIC_URL}/v1/people?page%5Bnumber%5D=${number}&page%5Bsize%5D=${size}`;
  return {
    jsonapi,
    data: rows.map(amongOthers(personResource)),
    meta: { total, page: 1, size },
    links: { self: link(1), first: link(1), prev: null, next: link(2), last: link(last) },
  };
}

async function readCourse(db: Db, account: string, id: string) {
  const [[row], teachers, lessons, classes] = await Promise.all([
    ask(db, COURSE, [account, id]),
    ask(db, COURSE_TEACHERS, [account, id]),
    ask(db, COURSE_LESSONS, [account, id]),
    ask(db, COURSE_CLASSES, [account, id]),
  ]);
  return (
    row && {
      jsonapi,
      data: courseResource(row),
      included: [
        ...teachers.map(amongOthers(personResource)),
        ...lessons.map(amongOthers(lessonResource)),
        ...classes.map(amongOthers(classResource)),
      ],
      links: { self: `${PUBLIC_URL}/v1/courses/${id}` },
    }
  );
}

async function changePerson(db: Db, account: string, id: string, caller: Row, body: string) {
  const { occupation } = JSON.parse(body).data.attributes;
  const rows = await inGlobalTransaction(db, (tx) =>
    ask(tx, CHANGE_PERSON, [account, id, occupation, caller["person_id"]]),
  );
  const row = rows[0];
  return row && personDocument(row);
}

async function findCaller(db: Db, authorization: string) {
  const token = authorization.slice("Bearer ".length);
  const account = Buffer.from(token.slice(4, 26), "base64url").toString("hex", 0, 16);
  const [caller] = await ask(db, CALLER, [account, hash("sha256", token, "buffer")]);
  if (caller?.["status"] !== "active") throw new Error("Nobody we know.");
  return { account, caller };
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks).toString()));
    request.on("error", reject);
  });
}

async function answer(db: Db, request: IncomingMessage): Promise<unknown> {
  const url = request.url ?? "";
  const body = request.method === "PATCH" ? await bodyOf(request) : "";
  const { account, caller } = await findCaller(db, request.headers.authorization ?? "");
  if (request.method === "PATCH")
    return changePerson(db, account, url.slice("/v1/people/".length), caller, body);
  if (url.startsWith("/v1/courses/"))
    return readCourse(db, account, url.slice("/v1/courses/".length, url.indexOf("?")));
  if (url.startsWith("/v1/people?")) return listPeople(db, account, 25);
  return readPerson(db, account, url.slice("/v1/people/".length));
}

serveBench(async ({ databaseUrl }) => {
  const db = connect(databaseUrl, { max: POOL_SIZE });
  const server = createServer((request, response) => {
    answer(db, request).then(
      (document) => {
        const body = JSON.stringify(document);
        response.writeHead(200, {
          "Content-Type": "application/vnd.api+json",
          "Content-Length": Buffer.byteLength(body),
        });
        response.end(body);
      },
      (error: unknown) => {
        response.writeHead(500);
        response.end(String(error));
      },
    );
  });
  server.keepAliveTimeout = 72_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
});
