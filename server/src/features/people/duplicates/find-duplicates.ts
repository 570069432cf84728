import { lockAccount } from "../../../access/locks.ts";
import { MINUTE, SECOND } from "../../../base/clock.ts";
import { newId } from "../../../base/ids.ts";
import { enqueue, type Queue } from "../../../jobs/queues.ts";
import { inTransaction, sendWithCommit, type Tx } from "../../../store/db.ts";
import { json, revised } from "../../../store/sql.ts";
import { writeMatchKeys } from "./match-keys.ts";
import { SCORE_MIN, weights } from "./weights.ts";

/**
 * Finding duplicates is queued work. It sees everything that was committed before, so two people who are added at the same
 * time are found, and the write of a person costs only the job.
 */

interface ChangedPeople {
  accountId: string;
  personIds: readonly string[];
}

/** Work on more people is split, so that no run takes long. */
const PEOPLE_MAX = 500;

/** A value that more people share, such as the telephone number of the office, identifies none of them. */
const SHARED_MAX = 100;

export const duplicatesQueue: Queue<unknown, ChangedPeople> = {
  name: "person-duplicates",
  atOnce: 100,
  pollSeconds: 1,
  retries: 5,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: (5 * MINUTE) / SECOND,
  secondsMax: (5 * MINUTE) / SECOND,
  run: ({ db }, { accountId, personIds }) =>
    inTransaction(db, accountId, (tx) => findDuplicates(tx, accountId, personIds)),
  // Comparisons of one account exclude each other. Each run that waits for another one would hold a connection.
  together: {
    key: ({ accountId }) => accountId,
    merge: ([first, ...others]) =>
      split(
        first.accountId,
        [first, ...others].flatMap(({ personIds }) => personIds),
      ),
  },
};

/** Compares people with all others of the account, after the transaction that changed them. */
export function compareLater(tx: Tx, accountId: string, personIds: readonly string[]): void {
  sendWithCommit(tx, enqueue(tx, duplicatesQueue, ...split(accountId, personIds)));
}

function split(accountId: string, personIds: readonly string[]): ChangedPeople[] {
  const ids = [...new Set(personIds)];
  const parts: ChangedPeople[] = [];
  for (let start = 0; start < ids.length; start += PEOPLE_MAX)
    parts.push({ accountId, personIds: ids.slice(start, start + PEOPLE_MAX) });
  return parts;
}

/**
 * A part of the key of the advisory lock, "dupl" in ASCII. It tells this lock from `lock_of_moves` of the same account, which
 * every write of the account shares.
 */
const DUPLICATES_LOCK = 0x64_75_70_6c;

interface Pair {
  person_id: string;
  other_id: string;
  reasons: string[];
  score: number;
}

/** Brings the duplicates of some people up to date. */
export async function findDuplicates(
  tx: Tx,
  accountId: string,
  personIds: readonly string[],
): Promise<void> {
  // Merges and deletions lock the account first. Without this lock, they could lock the people in another order.
  await lockAccount(tx, accountId, "share");
  // One job of an account at a time, because an older comparison must not replace a newer one.
  await tx`select pg_advisory_xact_lock(hashtextextended(${accountId}, ${DUPLICATES_LOCK}::bigint))`;
  await writeMatchKeys(tx, accountId, personIds);
  const pairs = await pairsOf(tx, accountId, personIds);
  await removeOthers(tx, accountId, personIds, pairs);
  await savePairs(tx, accountId, pairs);
}

/**
 * The keys of the people lead to the others by an index. If two people have one birthdate, the names of one must also be among those
 * of the other.
 */
const pairsOf = async (
  tx: Tx,
  accountId: string,
  personIds: readonly string[],
): Promise<readonly Pair[]> => tx<Pair[]>`
  select matching.person_id, matching.other_id, array_agg(reason order by reason) as reasons,
    round(100 * (1 - exp(sum(ln(1 - weight / 100.0)))))::int as score
  from (
    select distinct least(own.person_id, other.person_id) as person_id,
      greatest(own.person_id, other.person_id) as other_id, own.reason
    from person_match_keys own
    cross join lateral (
      select person_id, count(*) over () as sharing
      from (select person_id from person_match_keys
        where account_id = ${accountId} and key = own.key limit ${SHARED_MAX + 1}) alike
    ) other
    where own.account_id = ${accountId} and own.person_id = any(${[...personIds]}::uuid[])
      and other.person_id <> own.person_id and other.sharing <= ${SHARED_MAX}
  ) matching
  join people person on person.account_id = ${accountId} and person.id = matching.person_id
  join people other on other.account_id = ${accountId} and other.id = matching.other_id
  join (select key as reason, value::int as weight from jsonb_each_text(${json(weights)}::text::jsonb)) weights
    using (reason)
  where reason <> 'name-birthdate' or name_words(person.full_name) <@ name_words(other.full_name)
    or name_words(other.full_name) <@ name_words(person.full_name)
  group by 1, 2
  having 100 * (1 - exp(sum(ln(1 - weight / 100.0)))) >= ${SCORE_MIN} - 0.5`;

/** Removes open pairs that are no longer alike. Dismissed pairs stay, so that they are not found again. */
async function removeOthers(
  tx: Tx,
  accountId: string,
  personIds: readonly string[],
  pairs: readonly Pair[],
): Promise<void> {
  const these = tx`any(${[...personIds]}::uuid[])`;
  await tx`
    delete from person_duplicates
    where account_id = ${accountId} and (person_id = ${these} or other_id = ${these}) and status = 'open'
      and (person_id, other_id) not in (select person_id, other_id
        from json_to_recordset(${json(pairs)}::text::json) as found (person_id uuid, other_id uuid))`;
}

async function savePairs(tx: Tx, accountId: string, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const rows = pairs.map((pair) => ({ ...pair, id: newId() }));
  await tx`
    insert into person_duplicates as known (account_id, id, person_id, other_id, score, reasons)
    select ${accountId}, found.id, found.person_id, found.other_id, found.score, found.reasons
    from json_to_recordset(${json(rows)}::text::json)
      as found (id uuid, person_id uuid, other_id uuid, score int, reasons text[])
    -- A person can be deleted while this runs.
    join people person on person.account_id = ${accountId} and person.id = found.person_id
    join people other on other.account_id = ${accountId} and other.id = found.other_id
    on conflict (account_id, person_id, other_id) do update
      set score = excluded.score, reasons = excluded.reasons, ${revised("known")}
      where (known.score, known.reasons) is distinct from (excluded.score, excluded.reasons)`;
}
