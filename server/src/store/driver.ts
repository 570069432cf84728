import assert from "node:assert/strict";
import { registerHooks } from "node:module";

/**
 * The driver, mended as it is loaded. It answers every statement of a connection that lives; of one that is lost it keeps
 * what it was in the middle of, and the connection that takes its place begins with that (its issues 1154, 1193, 1208 and
 * 1216, open at the time of writing, are parts of it). Nobody outside can reach what it keeps, so what it forgets to do
 * stands here, in its own words, between two lines that it has.
 *
 * The last ones are for its speed: where the work of a statement grows with what the driver has done or with its text,
 * where a transaction waits for the answer to its BEGIN, and where one write becomes two.
 *
 * The version is an exact one in package.json. `test/connection-loss.test.ts` fails without any of the first, and a version
 * in which one finds no place does not load.
 */
interface Mend {
  readonly file: string;
  readonly after: string;
  readonly put: string;
  /** What followed, where that is what was wrong. */
  readonly insteadOf?: string;
}

const connection = "connection.js";
const pool = "index.js";
const queue = "queue.js";

const mends: readonly Mend[] = [
  // Whoever waits is told, also who came between the error and the close; and nothing is kept: neither bytes that were not
  // written yet, which kept the next connection from writing at all, nor rows and an error of somebody else's answer.
  {
    file: connection,
    after: `    socket.removeAllListeners()
    socket = null
`,
    insteadOf: `
    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    put: `
    const lost = Errors.connection('CONNECTION_CLOSED', options, socket)
    errored(lost)
    while (sent.length)
      queryError(sent.shift(), lost)
    query = results = errorResponse = chunk = nextWriteTimer = null
    result = new Result()
    rows = 0
    ahead = false
`,
  },
  // A network that swallows everything says nothing of it. PostgreSQL ends a statement at its time limit, so one that has
  // not been heard of after twice that time never will be.
  {
    file: connection,
    after: `      socket.on('data', data)
`,
    put: `      socket.setTimeout(2 * options.connection.statement_timeout)
      socket.on('timeout', () => query && socket.destroy())
`,
  },
  // A transaction whose connection is lost sends nothing any more, its ROLLBACK first of all: to a socket that is gone it
  // ended the process, and on the next connection it ran outside of itself. PostgreSQL has rolled back by then.
  {
    file: pool,
    after: `    let savepoints = 0
      , connection
`,
    put: `      , lost = null
`,
  },
  {
    file: pool,
    after: `        scope(connection, fn),
`,
    insteadOf: `        new Promise((_, reject) => connection.onclose = reject)
`,
    put: `        new Promise((_, reject) => connection.onclose = error => {
          reject(lost = error)
          while (queries.length)
            queries.shift().reject(lost)
        })
`,
  },
  {
    file: pool,
    after: `        q.catch(e => uncaughtError || (uncaughtError = e))
`,
    put: `        if (lost)
          return q.reject(lost)
`,
  },
  // When no connection can be opened and none is open, nobody waits for one, and everybody hears the reason: each attempt
  // told one of them, with a pause before the next.
  {
    file: connection,
    after: `  function errored(err) {
`,
    put: `    if (initial)
      connection.refusal = err
`,
  },
  {
    file: pool,
    after: `  function onclose(c, e) {
`,
    put: `    if (c.queue === connecting && open.length + busy.length + full.length + reserved.length === 0)
      while (queries.length)
        queries.shift().reject(c.refusal || e)
    c.refusal = null
`,
  },
  // A queue kept a place for each that had ever left it until it was empty for once, and the pool looks through all of them
  // whenever a connection goes from one queue to another: where one connection is always free, each statement took a little
  // longer than the one before.
  {
    file: queue,
    after: `        xs[index - 1] = undefined
`,
    put: `        if (2 * index > xs.length) {
          xs = xs.slice(index)
          index = 0
        }
`,
  },
  // A prepared statement is found by its types and text together: a new string of some thousand characters for each time that
  // it runs, which had to be hashed to be looked up. The string that was made before has its hash.
  {
    file: connection,
    after: `export default Connection
`,
    put: `
const signatures = new Map()
function signatureOf(types, string) {
  let known = signatures.get(string)
  if (!known) {
    if (signatures.size === 1_000)
      signatures.clear()
    signatures.set(string, known = Object.create(null))
  }
  return known[types] ||= types + string
}
`,
  },
  {
    file: connection,
    after: `    q.string = string
`,
    insteadOf: `    q.signature = q.prepare && types + string
`,
    put: `    q.signature = q.prepare && signatureOf(types, string)
`,
  },
  // `begin("ahead", …)`: BEGIN says nothing that a transaction has to know. It is written without waiting for an answer, and
  // without the Sync after which PostgreSQL would send one, so that it goes along with the first statement: if it fails, that
  // one is skipped and fails with its error. What it answers comes before the answer of that statement.
  {
    file: pool,
    after: `      , prepare = null

    try {
`,
    insteadOf: `      await sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute }).execute()
`,
    put: `      const ahead = options === 'ahead'
      await sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute, ahead }).execute()
      // It is ours, and nobody will say that it is free.
      ahead && move(connection, reserved)
`,
  },
  {
    file: connection,
    after: `    , incomings = null
`,
    put: `    // A BEGIN was written, and nothing yet that ends with a Sync.
    , ahead = false
`,
  },
  {
    file: connection,
    after: `    try {
      q.state = backend
`,
    put: `      ahead = q.options.ahead === true
      if (ahead) {
        write(BEGIN)
        q.resolve(new Result())
        return q.options.onexecute(connection)
      }
`,
  },
  // Others may have had statements on the wire when it was written: what they are told does not end the transaction.
  {
    file: connection,
    after: `    if (query)
      return // Consider opening if able and sent.length < 50
`,
    put: `    if (ahead)
      return
`,
  },
  {
    file: connection,
    after: `      return errored(Errors.generic('UNSAFE_TRANSACTION', 'Only use sql.begin, sql.reserved or max: 1'))
`,
    put: `    if (result.command === 'BEGIN')
      return result = new Result()
`,
  },
  // Refused before there was a statement to be told: whatever follows would be skipped as well.
  {
    file: connection,
    after: `      errorResponse = Errors.postgres(parseError(x))
    } else {
`,
    put: `      ahead && socket.destroy()
`,
  },
  {
    file: connection,
    after: `const signatures = new Map()
`,
    put: `// Parse, Bind, Execute.
const BEGIN = Buffer.from('P\\0\\0\\0\\r\\0begin\\0\\0\\0B\\0\\0\\0\\f\\0\\0\\0\\0\\0\\0\\0\\0E\\0\\0\\0\\t\\0\\0\\0\\0\\0', 'latin1')
`,
  },
  // More than a kilobyte was written at once, and what the same turn sent after it had a write of its own: a captured event
  // and the COMMIT behind it.
  {
    file: connection,
    after: `    chunk = chunk ? Buffer.concat([chunk, x]) : Buffer.from(x)
`,
    insteadOf: `    if (fn || chunk.length >= 1024)
`,
    put: `    if (fn || chunk.length >= 16_384)
`,
  },
];

const left = new Set(mends);

function mended(source: string, mend: Mend): string {
  const { after, insteadOf = "", put } = mend;
  const parts = source.split(after + insteadOf);
  assert.equal(parts.length, 2, `The driver has changed, and nothing fits after: ${after}`);
  left.delete(mend);
  return parts.join(after + put);
}

const hooks = registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const fitting = mends.filter(({ file }) => url.endsWith(`/postgres/src/${file}`));
    if (fitting.length === 0) return loaded;
    const source = new TextDecoder().decode(loaded.source as Uint8Array);
    return { ...loaded, source: fitting.reduce(mended, source) };
  },
});
export const { default: driver } = await import("postgres");
hooks.deregister();
assert.equal(left.size, 0, "Somebody else loaded the driver before it could be mended.");
