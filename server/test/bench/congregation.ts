import { newId } from "../../src/base/ids.ts";
import { writeSearchText } from "../../src/features/people/search-text.ts";
import type { Db } from "../../src/store/db.ts";
import {
  type Member,
  type TestAccount,
  makeAccount,
  makeAssignment,
  makePerson,
} from "../support/make.ts";

/**
 * People by the thousand, made by the database itself. The same each time but for their ids: who somebody is follows
 * from their number alone. One in nine is called Silva; one in 30,000 is called Quintanilha.
 */
export async function addPeople(db: Db, account: TestAccount, count: number): Promise<void> {
  const block = newId().slice(0, 13).replaceAll("-", "");
  await db.begin(undefined, async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx.query(
      `insert into people (account_id, id, created_by, created_at, modified_at, full_name, preferred_name, sex, birthdate,
        birth_month_day, marital_status, occupation, email, phones, address, membership_status, member_since, is_baptized,
        baptism_date, has_login, locale, communication_preferences)
      select $1,
        (lpad(to_hex(('x' || $2)::bit(48)::bigint + n), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid,
        $3, now() - n * interval '1 minute', now() - n * interval '1 second',
        first[1 + a % 40] || ' ' || middle[1 + b % 20] || ' '
          || case when n % 30000 = 77 then 'Quintanilha' when c % 9 = 0 then 'Silva' else last[1 + c % 50] end,
        case when a % 5 = 0 then left(first[1 + a % 40], 3) end,
        case when a % 2 = 0 then 'female' else 'male' end,
        case when b % 10 < 7 then date '1940-01-01' + (a + 13 * b) % 29000 end,
        case when b % 10 = 7 then '05-17' end,
        case when c % 3 = 0 then 'married' end,
        case when c % 2 = 0 then 'Carpenter' end,
        'person.' || n || '@example.org',
        case when a % 4 = 0 then '[]' else jsonb_build_array(jsonb_build_object('kind', 'mobile', 'number',
          '+55119' || lpad((a * 1000 + b)::text, 8, '0'))) end,
        case when b % 3 = 0 then jsonb_build_object('street', 'Rua das Flores ' || a, 'city', 'São Paulo', 'country', 'BR') end,
        case when c % 2 = 0 then 'member' else 'attender' end,
        case when c % 2 = 0 then date '2001-01-01' + a % 8000 end,
        a % 3 = 0,
        case when a % 3 = 0 then date '2001-01-01' + b % 8000 end,
        a % 10 = 0, 'pt-BR', '{"email": true, "whatsapp": true}'
      from generate_series(1, $4::int) n,
        lateral (select md5(n::text) as h) hashed,
        lateral (select ('x' || substr(h, 1, 5))::bit(20)::int as a, ('x' || substr(h, 6, 5))::bit(20)::int as b,
          ('x' || substr(h, 11, 5))::bit(20)::int as c) chance,
        (select string_to_array('Ana,Maria,João,José,Antônio,Francisco,Carlos,Paulo,Pedro,Lucas,Luiz,Marcos,Luís,Gabriel,Rafael,Daniel,Marcelo,Bruno,Eduardo,Felipe,Rodrigo,Fernanda,Patrícia,Aline,Sandra,Camila,Amanda,Bruna,Jéssica,Letícia,Júlia,Luciana,Vanessa,Mariana,Gabriela,Vera,Vitória,Larissa,Cláudia,Beatriz', ',') as first) f,
        (select string_to_array('de Souza,da Costa,dos Santos,Oliveira,Pereira,Rodrigues,Almeida,Nascimento,Lima,Araújo,Fernandes,Carvalho,Gomes,Martins,Rocha,Ribeiro,Alves,Monteiro,Mendes,Barros', ',') as middle) m,
        (select string_to_array('Freitas,Barbosa,Pinto,Moura,Cavalcanti,Dias,Castro,Campos,Cardoso,Vieira,Nunes,Moreira,Teixeira,Correia,Melo,Marques,Machado,Lopes,Soares,Freire,Ramos,Batista,Borges,Andrade,Leite,Tavares,Peixoto,Siqueira,Aguiar,Queiroz,Pacheco,Prado,Guimarães,Brandão,Antunes,Coelho,Duarte,Esteves,Figueiredo,Godoy,Henriques,Leal,Macedo,Neves,Paiva,Pires,Resende,Sales,Toledo,Xavier', ',') as last) l`,
      [account.id, block, account.administrator.id, count],
    );
    await writeSearchText(tx, account.id);
  });
}

/**
 * A network of cells: `count` cells below sectors of 25, areas of 20 sectors, and one root. Half of the people have a cell.
 * Returns the id of the root and a supervisor of the whole tree.
 */
export async function addCells(
  db: Db,
  account: TestAccount,
  count: number,
): Promise<{ root: string; supervisor: Member }> {
  const levels = [count, Math.ceil(count / 25), Math.ceil(count / 500), 1];
  let parents: string[] = [];
  let root = "";
  for (const [level, size] of [...levels.entries()].reverse()) {
    const ids = Array.from({ length: size }, newId).toSorted();
    const parentOf = ids.map((_, n) => parents[Math.floor((n * parents.length) / size)] ?? null);
    await db`
      insert into cells (account_id, id, name, level, cell_type, parent_id)
      select ${account.id}::uuid, id, 'Cell ' || n, ${level}::int, ${level === 0 ? "cell" : "supervision"}, parent
      from unnest(${ids}::uuid[], ${parentOf}::uuid[]) with ordinality as made (id, parent, n)`;
    await db`
      insert into cell_ancestors (account_id, cell_id, ancestor_id, distance)
      select ${account.id}::uuid, id, id, 0 from unnest(${ids}::uuid[]) as id
      union all
      select ${account.id}::uuid, id, above.ancestor_id, above.distance + 1
      from unnest(${ids}::uuid[], ${parentOf}::uuid[]) as made (id, parent)
      join cell_ancestors above on above.account_id = ${account.id} and above.cell_id = made.parent`;
    root ||= ids[0] ?? "";
    parents = ids;
  }
  await db`
    insert into cell_memberships (account_id, id, cell_id, person_id, cell_role, joined_on)
    select ${account.id}::uuid, gen_random_uuid(), (${parents}::uuid[])[1 + n / 2 % ${count}::bigint], id, 'participant',
      current_date
    from (select id, row_number() over (order by id) as n from people where account_id = ${account.id}) numbered
    where n % 2 = 0`;
  const supervisor = await makePerson(db, account.id);
  await makeAssignment(db, account.id, {
    personId: supervisor.id,
    role: "cell-supervisor",
    scopeType: "cell-tree",
    scopeIds: [root],
  });
  return { root, supervisor };
}

/** Courses with five teachers, twelve lessons and four classes each. */
async function addCourses(db: Db, account: TestAccount, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const lessons = ids.flatMap((id) => Array.from({ length: 12 }, (_, at) => [newId(), id, at + 1]));
  const classes = ids.flatMap((id) => Array.from({ length: 4 }, (_, at) => [newId(), id, at + 1]));
  const column = (rows: (string | number)[][], at: number) => rows.map((row) => row[at] as string);
  await db`
    insert into courses (account_id, id, created_by, name, code, summary, price, price_currency, category)
    select ${account.id}, id, ${account.administrator.id}, 'Foundations ' || n, 'F-' || n,
      'What we believe, and how we live it.', 4500, 'BRL', 'Discipleship'
    from unnest(${ids}::uuid[]) with ordinality as one(id, n)`;
  await db`
    insert into course_teachers (account_id, course_id, person_id)
    select ${account.id}, course.id, person.id from unnest(${ids}::uuid[]) with ordinality as course(id, n)
    cross join lateral (select id from people where account_id = ${account.id} order by id limit 5 offset 5 * n) person`;
  await db`
    insert into course_lessons (account_id, id, created_by, course_id, name, number)
    select ${account.id}, id, ${account.administrator.id}, course, 'Lesson ' || number, number
    from unnest(${column(lessons, 0)}::uuid[], ${column(lessons, 1)}::uuid[], ${column(lessons, 2)}::int[])
      as one(id, course, number)`;
  await db`
    insert into course_classes (account_id, id, created_by, course_id, name, status)
    select ${account.id}, id, ${account.administrator.id}, course, 'Class ' || number, 'open'
    from unnest(${column(classes, 0)}::uuid[], ${column(classes, 1)}::uuid[], ${column(classes, 2)}::int[])
      as one(id, course, number)`;
  return ids;
}

export interface Congregation {
  account: TestAccount;
  /** Some of its people. */
  people: string[];
  courses: string[];
}

/** One account of 5,000 people. Many have a role, a cell and a course. */
export async function makeCongregation(db: Db): Promise<Congregation> {
  const account = await makeAccount(db);
  await addPeople(db, account, 4_999);
  const courses = await addCourses(db, account, 20);
  const rows = await db<{ id: string }[]>`
    select id from people where account_id = ${account.id} and id <> ${account.administrator.id}
    order by md5(id::text) limit 2000`;
  const people = rows.map((row) => row.id);
  await joinIn(db, account, people, courses);
  return { account, people, courses };
}

/** Every other of them is in a cell, every fifth finished a course, every tenth holds a role. */
async function joinIn(
  db: Db,
  { id }: TestAccount,
  people: string[],
  courses: string[],
): Promise<void> {
  const cells = Array.from({ length: 50 }, newId);
  await db`
    insert into cells (account_id, id, name)
    select ${id}, cell, 'Cell ' || n from unnest(${cells}::uuid[]) with ordinality as one(cell, n)`;
  await db`
    insert into cell_ancestors (account_id, cell_id, ancestor_id, distance)
    select ${id}, cell, cell, 0 from unnest(${cells}::uuid[]) as cell`;
  const every = (nth: number, of: string[]) =>
    people
      .filter((_, at) => at % nth === 0)
      .map((person, at) => [newId(), person, of[at % of.length]]);
  const columns = (rows: (string | undefined)[][]) =>
    [0, 1, 2].map((at) => rows.map((row) => row[at] as string)) as [string[], string[], string[]];
  const members = columns(every(2, cells));
  await db`
    insert into cell_memberships (account_id, id, cell_role, person_id, cell_id)
    select ${id}, one.id, 'participant', one.person, one.cell from unnest(${members[0]}::uuid[], ${members[1]}::uuid[], ${members[2]}::uuid[]) as one (id, person, cell)`;
  const graduates = columns(every(5, courses));
  await db`
    insert into course_enrollments (account_id, id, person_id, course_id, class_id, status)
    select ${id}, one.id, one.person, one.course,
      (select id from course_classes where account_id = ${id} and course_id = one.course order by id limit 1), 'completed'
    from unnest(${graduates[0]}::uuid[], ${graduates[1]}::uuid[], ${graduates[2]}::uuid[]) as one (id, person, course)`;
  const [role] = await db<{ id: string }[]>`
    select id from roles where account_id = ${id} and code = 'secretary'`;
  const assigned = columns(every(10, [role?.id ?? ""]));
  await db`
    insert into role_assignments (account_id, id, person_id, role_id, scope_type)
    select ${id}, one.*, 'account'
    from unnest(${assigned[0]}::uuid[], ${assigned[1]}::uuid[], ${assigned[2]}::uuid[]) as one`;
}
