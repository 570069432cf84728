import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { startMailServer } from "../../test/support/mail-server.ts";
import { createMailer, type Mail, MailNotSent, MailRefused } from "./mailer.ts";

const mail: Mail = {
  fromName: "Igreja São João, “Centro”",
  replyTo: "secretaria@igreja.example",
  to: { name: "Íñigo Núñez <x>", address: "inigo@igreja.example" },
  subject: "Convite para a Igreja São João",
  text: "Olá, Íñigo!\n\nhttp://localhost/a?b=c&d=e#token=vpt_1\n",
  html: "<p>Olá, Íñigo!</p>",
};

const options = () => ({ id: "0000-1", signal: new AbortController().signal });

async function setUp(context: TestContext) {
  const server = await startMailServer();
  context.after(() => server.stop());
  return { server, mailer: createMailer({ url: server.url, from: "vestry@church.example" }) };
}

test("a mail arrives with its names, its texts and a stable id", async (context) => {
  const { mailer, server } = await setUp(context);
  await mailer.send(mail, options());
  const [got] = server.received;
  assert.deepEqual(got?.from, { name: mail.fromName, address: "vestry@church.example" });
  assert.deepEqual(got.to, [mail.to]);
  assert.equal(got.replyTo?.[0]?.address, mail.replyTo);
  assert.equal(got.subject, mail.subject);
  assert.equal(got.text?.trim(), mail.text.trim());
  assert.equal(got.html?.trim(), mail.html);
  assert.equal(got.messageId, "<0000-1@church.example>");
});

test("a line break in a name or subject adds no header", async (context) => {
  const { mailer, server } = await setUp(context);
  const broken = "Church\r\nBcc: eve@evil.example\r\n\r\nbody";
  const to = { name: broken, address: mail.to.address };
  await mailer.send({ ...mail, fromName: broken, subject: broken, to }, options());
  const [got] = server.received;
  assert.equal(got?.bcc, undefined);
  assert.equal(got?.text?.trim(), mail.text.trim());
});

test("a rejection for good and one for now differ, and neither names the recipient", async (context) => {
  const { mailer, server } = await setUp(context);
  server.reject(
    mail.to.address,
    `550 <${mail.to.address}> unknown`,
    `450 <${mail.to.address}> is greylisted`,
  );
  for (const kind of [MailRefused, MailNotSent])
    await assert.rejects(mailer.send(mail, options()), (error: Error) => {
      assert.ok(error instanceof kind, `${error}`);
      assert.ok(!error.message.includes(mail.to.address), error.message);
      return true;
    });
  assert.equal(server.received.length, 0);
});

test("a wrong password of the service is not an error of the mail", async (context) => {
  const server = await startMailServer({ auth: { user: "vestry", pass: "right" } });
  context.after(() => server.stop());
  // The query overrides the rule that a password needs TLS, which the loopback interface does not have.
  const url = `${server.url.replace("smtp://", "smtp://vestry:wrong@")}?requireTLS=false`;
  const mailer = createMailer({ url, from: "vestry@church.example" });
  await assert.rejects(mailer.send(mail, options()), MailNotSent);
  await assert.rejects(mailer.verify(), /Wrong user or password/);
});

test("a password is not sent without TLS", async (context) => {
  const server = await startMailServer({ auth: { user: "vestry", pass: "right" } });
  context.after(() => server.stop());
  const url = server.url.replace("smtp://", "smtp://vestry:right@");
  const mailer = createMailer({ url, from: "vestry@church.example" });
  await assert.rejects(mailer.send(mail, options()), /STARTTLS/);
});

test("an unreachable mail server is an error that passes", async (context) => {
  const { mailer, server } = await setUp(context);
  await server.stop();
  await assert.rejects(mailer.send(mail, options()), MailNotSent);
});
