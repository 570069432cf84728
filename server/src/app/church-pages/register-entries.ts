import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, fail as failure, notFound } from "../../base/errors.ts";
import { html } from "../../base/html.ts";
import { limits } from "../../base/limits.ts";
import type { Sign } from "../../features/visitors/counts.ts";
import { receive } from "../../features/visitors/receive.ts";
import { isSigned } from "../../features/visitors/signs.ts";
import type { PublicWrite } from "../../jsonapi/definition/public-write.ts";
import { answerTo } from "../http/errors-out.ts";
import { Church } from "./church.ts";
import {
  type EntryDependencies,
  type EntryKind,
  entryKinds,
  entryPage,
  filledBy,
} from "./entries.ts";
import { type Entry, rejection } from "./entry-page.ts";
import type { Page } from "./frame.ts";
import type { Query } from "./parts.ts";

interface Parts {
  /** Sends an error as a page. */
  fail: (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    church?: Church,
  ) => Promise<unknown>;
  /** Sends a page that no cache keeps. */
  sendFresh: (reply: FastifyReply, church: Church, page: Page) => Promise<FastifyReply>;
}

/**
 * Registers the pages on which visitors write. Each sends its form to its own address, which calls the function of the public
 * area. A form without a proof comes from a browser without script.
 */
export function registerEntries(
  app: FastifyInstance,
  dependencies: EntryDependencies,
  { fail, sendFresh }: Parts,
): void {
  const churches = new WeakMap<FastifyRequest, Church>();
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    void fail(error, request, reply, churches.get(request));
  const churchOf = async (request: FastifyRequest): Promise<Church> => {
    const { alias } = request.params as { alias: string };
    const church = await Church.named(alias, dependencies);
    request.caller = church.actor;
    churches.set(request, church);
    return church;
  };
  const idOf = ({ params }: FastifyRequest) => (params as { id: string }).id;

  const register = (kind: EntryKind, write: PublicWrite) => {
    const path = `/c/:alias${kind.path}`;

    app.get(path, { config: { counted: "visit" }, errorHandler }, async (request, reply) => {
      const church = await churchOf(request);
      const entry = await unlessAbsent(kind.open(church, dependencies, idOf(request)));
      if (!entry) return sendClosed(kind, church, request, reply);
      const filled = filledBy(entry, request.query as Query);
      return sendFresh(reply, church, entryPage(church, entry, filled));
    });

    app.get(
      `${path}/sent`,
      { config: { counted: "visit" }, errorHandler },
      async (request, reply) => {
        const church = await churchOf(request);
        const message = await messageOf(church, kind, idOf(request));
        const isMailed = "mail" in (request.query as Query);
        return sendFresh(reply, church, sentPage(church, kind, { message, isMailed }));
      },
    );

    app.post(
      path,
      {
        config: { body: "form", counted: "visit" },
        bodyLimit: limits.visitBodyBytesMax,
        errorHandler,
        onRequest: async (request) => void (await churchOf(request)),
      },
      async (request, reply) => {
        const church = churches.get(request);
        if (!church) throw notFound();
        const typed =
          request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
        let entry: Entry | undefined;
        try {
          entry = await unlessAbsent(kind.open(church, dependencies, idOf(request)));
          await dependencies.visitLimits.countVisit(
            { accountId: church.actor.accountId, address: request.ip },
            await signOf(church, entry, typed),
          );
          const isMailed = await send(church, { kind, write, request, entry, typed });
          const sent = `${kind.path.replace(":id", encodeURIComponent(idOf(request)))}/sent`;
          return reply.redirect(church.path(isMailed ? `${sent}?mail` : sent), 303);
        } catch (error) {
          const answer = answerTo(error, request);
          if (answer.problems.some(({ code }) => code === "form-closed"))
            return sendClosed(kind, church, request, reply);
          if (answer.problems.some(({ code }) => code === "invalid-relationship")) throw notFound();
          if (!entry || !answer.problems.every(({ code, status }) => isAnswered(code, status)))
            throw answer;
          const seconds = Number(answer.headers["Retry-After"] ?? 60);
          const { alert, problems } = rejection(church, entry, {
            problems: answer.problems,
            seconds,
          });
          const kept = { ...entry, hidden: { ...entry.hidden, ...tokenIn(typed, answer) } };
          reply.code(answer.status).headers(answer.headers);
          return sendFresh(reply, church, entryPage(church, kept, { typed, problems }, alert));
        }
      },
    );
  };

  /** 410 with the name of a form that takes no answers now, or else 404. */
  const sendClosed = async (
    kind: EntryKind,
    church: Church,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const page = await kind.closed?.(church, dependencies, idOf(request));
    if (!page) throw notFound();
    return sendFresh(reply.code(failure("form-closed", "").status), church, page);
  };

  const signOf = async (
    { actor: { accountId } }: Church,
    entry: Entry | undefined,
    typed: URLSearchParams,
  ): Promise<Sign> => {
    const signs = { token: typed.get("form-token"), proof: typed.get("proof") };
    if (await isSigned(dependencies.visitorKey, accountId, signs))
      return entry?.challenge && !signs.proof ? "page" : "signed";
    return entry && !("form-token" in entry.hidden) ? "page" : "none";
  };

  /** Returns whether the visitor gets a mail. */
  const send = async (
    church: Church,
    {
      entry,
      kind,
      request,
      typed,
      write,
    }: {
      entry: Entry | undefined;
      kind: EntryKind;
      request: FastifyRequest;
      typed: URLSearchParams;
      write: PublicWrite;
    },
  ): Promise<boolean> => {
    const proof = typed.get("proof") ?? "";
    const document = {
      data: {
        type: kind.type,
        attributes: {
          ...kind.attributes(entry?.questions ?? [], typed),
          website: typed.get("website") ?? "",
          consent: typed.get("consent") === "true",
          ...(proof !== "" && { proof }),
        },
        relationships: await kind.about(church, dependencies, idOf(request)),
      },
    };
    const { actor } = church;
    const sent = { actor, document, address: request.ip, isOwnPage: true };
    const receipt = await receive(dependencies, write, sent);
    const isProved = !entry?.challenge || proof !== "";
    return dependencies.sendsMail && isProved && receipt["confirmation-sent"] !== false;
  };

  const messageOf = async (church: Church, kind: EntryKind, id: string) => {
    if (kind.type !== "form-submissions") return null;
    return (await unlessAbsent(kind.open(church, dependencies, id)))?.thanks ?? null;
  };

  for (const kind of entryKinds) {
    const write = dependencies.catalogue.publicWrites.get(kind.type);
    if (write) register(kind, write);
  }
}

/** Whether the visitor can correct the form or send it again. */
const isAnswered = (code: string, status: number): boolean =>
  code !== "form-token-used" && [409, 422, 429, 503].includes(status);

/** A new token would mark a quick correction as that of a program. A token that is of no use is replaced. */
function tokenIn(typed: URLSearchParams, { problems }: ApiError): Record<string, string> {
  const isOver = problems.some(({ code }) => code.startsWith("form-"));
  const token = typed.get("form-token");
  return isOver || token === null ? {} : { "form-token": token };
}

/** Undefined for 404. The function of the public area then says why. */
const unlessAbsent = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

function sentPage(
  { name, words }: Church,
  kind: EntryKind,
  { isMailed, message }: { isMailed: boolean; message: string | null },
): Page {
  const thanks = kind.type === "form-submissions" ? words.form.sentText : words.form.requestSent;
  return {
    path: "",
    title: words.form.sent,
    main: html`<h1>${words.form.sent}</h1>
      <p class="prose" dir="auto">${message ?? thanks(name)}</p>
      ${isMailed && html`<p>${words.form.confirmMail}</p>`}`,
  };
}
