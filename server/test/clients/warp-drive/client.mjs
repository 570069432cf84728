/** Uses the service like an application with WarpDrive does, and prints the results as JSON. */
import { cacheKeyFor, Fetch, RequestManager, useRecommendedStore } from "@warp-drive/core";
import { setupSignals } from "@warp-drive/core/configure";
import { checkout, withDefaults } from "@warp-drive/core/reactive";
import { JSONAPICache } from "@warp-drive/json-api";
import {
  createRecord,
  findRecord,
  query,
  serializePatch,
  setBuildURLConfig,
  updateRecord,
} from "@warp-drive/utilities/json-api";

const MEDIA_TYPE = "application/vnd.api+json";
const { url, origin, login, courseId } = JSON.parse(process.argv[2]);

// WarpDrive requires the signals of a framework. Nothing is rendered here, so these signals do nothing.
setupSignals(() => ({
  createSignal: () => ({}),
  notifySignal: () => {},
  consumeSignal: () => {},
  createMemo: (_object, _key, compute) => compute,
  willSyncFlushWatchers: () => false,
}));
setBuildURLConfig({ host: url, namespace: "v1" });

const loggedIn = await new RequestManager().use([Fetch]).request({
  url: `${url}/authenticate`,
  method: "POST",
  headers: new Headers({ "Content-Type": "application/json", "Origin": origin }),
  body: JSON.stringify(login),
});

const authorize = {
  request({ request }, next) {
    const headers = new Headers(request.headers);
    headers.set("Accept", MEDIA_TYPE);
    headers.set("Authorization", `Bearer ${loggedIn.content.access_token}`);
    headers.set("Origin", origin);
    if (request.body) headers.set("Content-Type", MEDIA_TYPE);
    return next({ ...request, headers });
  },
};
const field = (name) => ({ kind: "field", name });
const Store = useRecommendedStore({
  cache: JSONAPICache,
  handlers: [authorize],
  schemas: [
    withDefaults({ type: "people", fields: [field("full-name")] }),
    withDefaults({
      type: "courses",
      fields: [
        field("name"),
        field("price"),
        field("price-currency"),
        {
          kind: "hasMany",
          name: "teachers",
          type: "people",
          options: { async: false, inverse: null, linksMode: true },
        },
      ],
    }),
  ],
});
const store = new Store();
const changesOf = (record) => serializePatch(store.cache, cacheKeyFor(record)).data;

function save(request, data) {
  request.body = JSON.stringify({ data });
  return store.request(request);
}

const { content: read } = await store.request(findRecord("courses", courseId));

const listed = [];
const firstPage = query("courses", { "sort": "name", "page[size]": 1 });
let { content: page } = await store.request(firstPage);
while (page) {
  listed.push(...page.data.map(({ name }) => name));
  page = await page.next();
}

const { related } = read.data.teachers.links;
const { content: teachers } = await store.request({ url: related, op: "query" });

const draft = store.createRecord("courses", {
  "name": "Discipleship",
  "price": 1_500,
  "price-currency": "BRL",
});
// WarpDrive serializes the missing id of a new record as null, which is not valid in JSON:API.
const { id: _id, ...attributesAndType } = changesOf(draft);
const { content: created } = await save(createRecord(draft), attributesAndType);

const editable = await checkout(created.data);
editable.name = "Followers";
const { content: updated } = await save(
  updateRecord(editable, { patch: true }),
  changesOf(editable),
);
const nameAfterUpdate = updated.data.name;

editable.name = "";
const refused = await save(updateRecord(editable, { patch: true }), changesOf(editable)).then(
  () => undefined,
  (error) => error,
);

console.log(
  JSON.stringify({
    read: read.data.name,
    listed,
    teachers: teachers.data.map((person) => person["full-name"]),
    created: created.data.id,
    updated: nameAfterUpdate,
    refused: {
      status: refused?.status,
      pointers: store.cache.getErrors(cacheKeyFor(editable)).map(({ source }) => source.pointer),
    },
  }),
);
