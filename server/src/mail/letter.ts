import { escapeHtml } from "../base/html.ts";
import type { Language } from "./languages.ts";
import type { Mail } from "./mailer.ts";

/** The content of a mail: paragraphs around one link. */
export interface Letter {
  language: Language;
  subject: string;
  before: readonly string[];
  link: { label: string; url: string };
  after: readonly string[];
}

/** Writes a letter as plain text and as HTML. Both have the same content. */
export function written(letter: Letter): Pick<Mail, "subject" | "text" | "html"> {
  const subject = letter.subject.replaceAll(/\s+/g, " ");
  return { subject, text: asText(letter), html: asHtml(letter, subject) };
}

const asText = ({ after, before, link }: Letter): string =>
  `${[...before, `${link.label}:\n${link.url}`, ...after].join("\n\n")}\n`;

function asHtml({ after, before, language, link }: Letter, subject: string): string {
  const url = escapeHtml(link.url);
  const paragraphs = (texts: readonly string[]) =>
    texts.map((text) => `<p>${escapeHtml(text)}</p>\n`).join("");
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0 auto;padding:24px;max-width:34em;font:16px/1.5 sans-serif;color:#1f2933;background:#ffffff">
${paragraphs(before)}<p><a href="${url}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">${escapeHtml(link.label)}</a></p>
<p style="font-size:14px;overflow-wrap:anywhere"><a href="${url}">${url}</a></p>
${paragraphs(after)}</body>
</html>
`;
}
