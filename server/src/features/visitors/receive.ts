import type { Actor } from "../../access/actor.ts";
import { networkOf } from "../../access/address.ts";
import { now } from "../../base/clock.ts";
import { fail } from "../../base/errors.ts";
import { NIL_ID } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { enqueue } from "../../jobs/queues.ts";
import { signWrites } from "../../events/author.ts";
import type { ResourceInput } from "../../jsonapi/definition/input.ts";
import type { PublicWrite, Received, Visit } from "../../jsonapi/definition/public-write.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { parseResource } from "../../jsonapi/request/input.ts";
import { constraintError } from "../../jsonapi/sql/constraint.ts";
import { writeContextOf } from "../../jsonapi/routes/write-context.ts";
import { keyedHash } from "../../store/counters.ts";
import { inTransaction, type Queryable, type Tx } from "../../store/db.ts";
import { solvedChallenge } from "./challenges.ts";
import { countMail, type VisitedPlace } from "./counts.ts";
import { readFormToken } from "./form-tokens.ts";
import { arrivalMails, confirmationMails } from "./mails.ts";
import { isUsed, type Proof, useOnce } from "./proofs.ts";
import type { OpenReception, Reception } from "./reception.ts";

/** A document of a visitor, and whether a page of the service sent it. */
export interface Sent {
  actor: Actor;
  document: unknown;
  /** The network address of the visitor. */
  address: string;
  isOwnPage?: boolean;
}

/** Parses the document of a visitor and carries it out. Returns the attributes of the receipt. */
export async function receive(
  reception: OpenReception,
  write: PublicWrite,
  { actor, address, document, isOwnPage = false }: Sent,
): Promise<Record<string, unknown>> {
  const { accountId } = actor;
  const input: ResourceInput = parseResource(write, document, { actor, customFields: undefined });
  const resource = definitionOf(reception.catalogue, write.type);
  const db = reception.db.ofAccount(accountId);
  try {
    return await inTransaction(db, accountId, async (tx) => {
      const visit = new CheckedVisit(reception.visitorKey, tx, { accountId, address, isOwnPage });
      await visit.readSettings();
      const context = { ...writeContextOf(reception, tx, actor, resource), visit };
      const received = await write.run(context, input);
      await visit.takeProofs();
      const form = await limitedPlace(tx, accountId, write, input);
      await reception.visitLimits.countStored(tx, { accountId, ...(form && { form }) });
      await sendMails(reception, tx, { accountId, type: write.type }, received);
      signWrites(tx, actor, { cause: "form", type: write.type, ip: address });
      return { status: "received", ...received.receipt };
    });
  } catch (error) {
    const context = { catalogue: reception.catalogue };
    throw constraintError(context, resource, error) ?? error;
  }
}

async function limitedPlace(
  tx: Tx,
  accountId: string,
  { limited }: PublicWrite,
  { toOne }: ResourceInput,
): Promise<VisitedPlace["form"]> {
  const id = limited && toOne[limited.by];
  if (!limited || !id) return undefined;
  const perHour = await limited.perHour(tx, { accountId, id });
  return perHour === undefined ? undefined : { id, perHour };
}

class CheckedVisit implements Visit {
  readonly #key: Uint8Array;
  readonly #tx: Tx;
  readonly #accountId: string;
  readonly #isOwnPage: boolean;
  readonly senderHash: Buffer;
  readonly #proofs: { proof: Proof; used: () => Error }[] = [];
  #needsProof = false;

  constructor(
    key: Uint8Array,
    tx: Tx,
    { accountId, address, isOwnPage }: { accountId: string; address: string; isOwnPage: boolean },
  ) {
    this.#key = key;
    this.#tx = tx;
    this.#accountId = accountId;
    this.#isOwnPage = isOwnPage;
    this.senderHash = keyedHash(key, "sender", networkOf(address));
  }

  async readSettings(): Promise<void> {
    this.#needsProof = await asksForProof(this.#tx, this.#accountId);
  }

  get needsProof(): boolean {
    return this.#needsProof;
  }

  async checkProof(proof: string | null | undefined, isNeeded: boolean): Promise<boolean> {
    if (!isNeeded) return true;
    if ((proof ?? "") === "") {
      if (this.#isOwnPage) return false;
      throw proofInvalid();
    }
    const solved = await solvedChallenge(this.#key, this.#accountId, proof ?? "");
    if (!solved || (await isUsed(this.#tx, this.#accountId, solved))) throw proofInvalid();
    this.#proofs.push({ proof: solved, used: proofInvalid });
    return true;
  }

  async checkToken(token: string, formId: string) {
    const issued = readFormToken(this.#key, this.#accountId, token);
    if (issued?.formId !== formId)
      throw fail("form-token-invalid", "The token is altered, expired or of another form.", {
        pointer: TOKEN,
      });
    if (await isUsed(this.#tx, this.#accountId, issued)) throw tokenUsed();
    this.#proofs.push({ proof: issued, used: tokenUsed });
    return { version: issued.version, isHasty: now() - issued.issuedAt < limits.formFillMsMin };
  }

  /** A request at the same time may have used one of them in the meantime. */
  async takeProofs(): Promise<void> {
    for (const { proof, used } of this.#proofs)
      if (!(await useOnce(this.#tx, this.#accountId, proof))) throw used();
  }
}

const TOKEN = "/data/attributes/form-token";

const tokenUsed = () =>
  fail("form-token-used", "This form was submitted with the same token.", { pointer: TOKEN });

const proofInvalid = () =>
  fail("proof-invalid", "The proof is missing, wrong, used or expired.", {
    pointer: "/data/attributes/proof",
  });

export async function asksForProof(db: Queryable, accountId: string): Promise<boolean> {
  const [account] = await db<{ challenge: string }[]>`
    select public_challenge as challenge from account_facts where account_id = ${accountId}`;
  return account?.challenge === "pow";
}

/** The mails are the same whether or not the account knows the address. */
async function sendMails(
  { sendsMail, visitorKey }: Reception,
  tx: Tx,
  subject: { accountId: string; type: string },
  { arrived, confirms }: Received,
): Promise<void> {
  if (!sendsMail) return;
  if (arrived)
    await enqueue(
      tx,
      arrivalMails,
      ...arrived.personIds.map((personId) => ({ ...subject, id: arrived.id, personId })),
    );
  if (confirms) {
    const isWithinLimit = await countMail(tx, visitorKey, confirms.email);
    // A job without a resource sends nothing. No job would be faster, and show that the address has had its mails.
    const id = isWithinLimit ? confirms.id : NIL_ID;
    await enqueue(tx, confirmationMails, { ...subject, id });
  }
}
