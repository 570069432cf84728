import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, notFound } from "../../base/errors.ts";
import { html, type Html } from "../../base/html.ts";
import { newId } from "../../base/ids.ts";
import {
  type Confirming,
  confirm,
  findConfirmation,
} from "../../features/visitors/confirmations.ts";
import { CONFIRMATION_PATH } from "../../features/visitors/letters.ts";
import type { Reception } from "../../features/visitors/reception.ts";
import { sendData } from "../../features/visitors/routes.ts";
import type { VisitDependencies } from "../../jsonapi/routes/public.ts";
import type { Language } from "../../mail/languages.ts";
import { sendError } from "../http/errors-out.ts";
import { Church } from "./church.ts";
import { messagePage, type PageFiles } from "./frame.ts";
import { wordsIn } from "./words.ts";

interface Parts {
  files: () => Promise<PageFiles>;
  languageOfReader: (request: FastifyRequest) => Language;
  /** Sends an error as a page. */
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  sendPage: (reply: FastifyReply, page: string, church?: Church) => FastifyReply;
}

/**
 * Registers the page to which the mail of a confirmation leads. Mail scanners follow links, so opening the page changes nothing.
 * Its button sends a form, which works without script.
 */
export function registerConfirmation(
  app: FastifyInstance,
  dependencies: VisitDependencies & Reception,
  { fail, files, languageOfReader, sendPage }: Parts,
): void {
  const path = `${CONFIRMATION_PATH}/:token`;
  const tokenIn = ({ params }: FastifyRequest) => (params as { token: string }).token;

  const sendMessage = async (
    reply: FastifyReply,
    { alias, churchName, language }: Confirming,
    message: { title: string; text: string; more?: Html },
  ) => {
    const church = await withPages(Church.named(alias, dependencies));
    const page = messagePage({ language, ...message }, church ?? churchName, await files());
    return sendPage(reply, page, church);
  };

  /** 404 also for a link that was used, which does nothing any more. */
  const sendOver = async (
    request: FastifyRequest,
    reply: FastifyReply,
    found: Confirming | undefined,
  ) => {
    reply.code(notFound().status);
    if (found?.isConfirmed) {
      const words = wordsIn[found.language];
      return sendMessage(reply, found, {
        title: words.confirmedBefore,
        text: words.confirmedBeforeText,
      });
    }
    const language = languageOfReader(request);
    const { linkOver: title, linkOverText: text } = wordsIn[language];
    return sendPage(reply, messagePage({ language, title, text }, undefined, await files()));
  };

  app.get(path, { errorHandler: (...failed) => void fail(...failed) }, async (request, reply) => {
    const found = await findConfirmation(dependencies.db, tokenIn(request));
    if (!found || found.isConfirmed) return sendOver(request, reply, found);
    const words = wordsIn[found.language];
    return sendMessage(reply, found, {
      title: words.confirmTitle,
      text: words.confirmText(found.churchName),
      more: html`<form method="post"><button>${words.confirm}</button></form>`,
    });
  });

  app.post(
    path,
    {
      errorHandler: (error, request, reply) =>
        isForm(request) ? void fail(error, request, reply) : sendError(error, request, reply),
    },
    async (request, reply) => {
      const token = tokenIn(request);
      const found = await findConfirmation(dependencies.db, token);
      if (!found || !(await confirm(dependencies, token))) {
        if (!isForm(request)) throw notFound();
        return sendOver(request, reply, await findConfirmation(dependencies.db, token));
      }
      reply.header("Cache-Control", "no-store");
      if (isForm(request)) {
        const words = wordsIn[found.language];
        return sendMessage(reply, found, { title: words.confirmed, text: words.confirmedText });
      }
      const attributes = { status: "confirmed" };
      return sendData(reply, 200, { type: "confirmations", id: newId(), attributes });
    },
  );
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;

/** Undefined for a church without pages, whose forms stand on its own website. */
const withPages = (found: Promise<Church>): Promise<Church | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
