// A webhook receiver in one file. It verifies a message, stores it, answers, and processes it afterwards.
// The README in this folder explains how to start it. docs/webhooks/receivers.md explains each step.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { DatabaseSync } from "node:sqlite";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

const { CERTIFICATE_FILE, KEY_FILE, SECRETS_FILE, INBOX_FILE, HOST, PORT } = process.env;

const missing = Object.entries({ CERTIFICATE_FILE, KEY_FILE, SECRETS_FILE, INBOX_FILE })
  .filter(([, value]) => !value)
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(
    `Set ${missing.join(", ")} first. The README in this folder explains each setting.`,
  );
  process.exit(1);
}

/** Every message is smaller than this. */
const BODY_BYTES_MAX = 128 * 1024;

// -- Verify --------------------------------------------------------------------------------------------------------

/** The file is read for each message, so a new secret needs no restart. */
function secrets() {
  const text = existsSync(SECRETS_FILE) ? readFileSync(SECRETS_FILE, "utf8") : "";
  return text.split(/\s+/).filter(Boolean);
}

/** Verifies the raw bytes, before any parser has read them. During a rotation there are two secrets. */
function isSigned(body, headers, knownSecrets) {
  return knownSecrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
}

// -- Keep ----------------------------------------------------------------------------------------------------------

// A message is on disk before it is answered, because the service never resends a message that got a 2xx. The primary
// key drops duplicates. Ids older than 31 days are deleted, because the service sends an event for at most 30 days.
const inbox = new DatabaseSync(INBOX_FILE);
inbox.exec(`
  create table if not exists messages (
    id text primary key, body text, state text not null, received_at integer not null) strict;
  update messages set state = 'waiting' where state = 'failed';
  delete from messages where received_at < unixepoch() - 31 * 86400`);
const keep = inbox.prepare(
  "insert into messages values (?, ?, 'waiting', unixepoch()) on conflict do nothing",
);
const next = inbox.prepare(
  "select id, body from messages where state = 'waiting' order by rowid limit 1",
);
const settle = inbox.prepare("update messages set state = ?, body = ? where id = ?");

// -- Answer --------------------------------------------------------------------------------------------------------

function answerTo(headers, body) {
  const known = secrets();
  // The first verification can arrive before the secret is stored. 503 makes the service retry it.
  if (known.length === 0) return { status: 503 };
  if (!isSigned(body, headers, known)) return { status: 401 };

  const { challenge } = JSON.parse(body).data.attributes;
  if (challenge !== undefined) return { status: 200, json: { meta: { challenge } } };
  keep.run(headers["webhook-id"], body.toString());
  return { status: 204 };
}

async function receive(request, response) {
  if (request.method !== "POST") return response.writeHead(405, { Allow: "POST" }).end();
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return response.writeHead(413, { Connection: "close" }).end();
    chunks.push(chunk);
  }
  const { status, json } = answerTo(request.headers, Buffer.concat(chunks));
  response.writeHead(status, json && { "Content-Type": "application/json" });
  response.end(json && JSON.stringify(json));
  void work();
}

// -- Work ----------------------------------------------------------------------------------------------------------

/**
 * Replace this function with your own. It can see an event twice if the process dies while it runs, and an older event
 * after a newer one. Compare `occurred-at`, or read the subject from the API.
 */
async function handle({ data: { attributes, relationships } }) {
  const { "control-type": control, "event-type": event, "occurred-at": at } = attributes;
  if (control !== undefined) console.log(control, attributes.message);
  else console.log(event, relationships.subject.data.id, at);
}

let working = false;

async function work() {
  if (working) return;
  working = true;
  for (let message = next.get(); message; message = next.get()) {
    const { id, body } = message;
    try {
      await handle(JSON.parse(body));
      // Keep the id to detect duplicates. Delete the body, because it contains personal data.
      settle.run("done", null, id);
    } catch (error) {
      // The next start tries it again. A real receiver needs a retry schedule and an alert.
      console.error(`${id} failed:`, error);
      settle.run("failed", body, id);
    }
  }
  working = false;
}

// -- Start ---------------------------------------------------------------------------------------------------------

const identity = { cert: readFileSync(CERTIFICATE_FILE), key: readFileSync(KEY_FILE) };
const server = createServer(identity, (request, response) => {
  receive(request, response).catch((error) => {
    console.error(error);
    // The receiver failed, not the message. 500 makes the service retry it.
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  });
});
server.listen({ host: HOST, port: Number(PORT ?? 8443) }, () => {
  console.log(`Receiving at port ${server.address().port}.`);
  void work();
});
