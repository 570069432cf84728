import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../../base/errors.ts";
import { html } from "../../base/html.ts";
import { newId } from "../../base/ids.ts";
import { confirm, findConfirmation } from "../../features/visitors/confirmations.ts";
import { CONFIRMATION_PATH } from "../../features/visitors/letters.ts";
import type { Reception } from "../../features/visitors/reception.ts";
import { sendData } from "../../features/visitors/routes.ts";
import type { Language } from "../../mail/languages.ts";
import { sendError } from "../http/errors-out.ts";
import { messagePage, type PageFiles } from "./frame.ts";
import { wordsIn } from "./words.ts";

interface Parts {
  files: () => Promise<PageFiles>;
  languageOfReader: (request: FastifyRequest) => Language;
  /** Sends an error as a page. */
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  sendPage: (reply: FastifyReply, page: string) => FastifyReply;
}

/**
 * Registers the page to which the mail of a confirmation leads. Mail scanners follow links, so opening the page changes nothing.
 * Its button sends a form, which works without script.
 */
export function registerConfirmation(
  app: FastifyInstance,
  reception: Reception,
  { fail, files, languageOfReader, sendPage }: Parts,
): void {
  const path = `${CONFIRMATION_PATH}/:token`;
  const tokenIn = ({ params }: FastifyRequest) => (params as { token: string }).token;
  const sendOver = async (request: FastifyRequest, reply: FastifyReply) => {
    const language = languageOfReader(request);
    const { linkOver: title, linkOverText: text } = wordsIn[language];
    return sendPage(
      reply.code(notFound().status),
      messagePage({ language, title, text }, undefined, await files()),
    );
  };

  app.get(path, { errorHandler: (...failed) => void fail(...failed) }, async (request, reply) => {
    const found = await findConfirmation(reception.db, tokenIn(request));
    if (!found) return sendOver(request, reply);
    const { churchName, language } = found;
    const words = wordsIn[language];
    const button = html`<form method="post"><button>${words.confirm}</button></form>`;
    const message = { language, title: words.confirmTitle, text: words.confirmText(churchName) };
    return sendPage(reply, messagePage({ ...message, more: button }, undefined, await files()));
  });

  app.post(
    path,
    {
      errorHandler: (error, request, reply) =>
        isForm(request) ? void fail(error, request, reply) : sendError(error, request, reply),
    },
    async (request, reply) => {
      const token = tokenIn(request);
      const found = await findConfirmation(reception.db, token);
      if (!found || !(await confirm(reception, token))) {
        if (isForm(request)) return sendOver(request, reply);
        throw notFound();
      }
      reply.header("Cache-Control", "no-store");
      if (isForm(request)) return sendPage(reply, thanks(found.language, await files()));
      const attributes = { status: "confirmed" };
      return sendData(reply, 200, { type: "confirmations", id: newId(), attributes });
    },
  );
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;

function thanks(language: Language, files: PageFiles): string {
  const words = wordsIn[language];
  const message = { language, title: words.confirmed, text: words.confirmedText };
  return messagePage(message, undefined, files);
}
