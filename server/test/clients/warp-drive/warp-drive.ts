/** WarpDrive brings several hundred packages, so `npm run test:clients` installs it in a temporary folder. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { document, FIRST_PARTY, identifiers, one } from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";
import { courses, startSetting } from "../support.ts";
import { INSTALLING, install, run, temporaryCopy } from "../temporary-folder.ts";

test(
  "WarpDrive logs in, reads, follows links, creates, updates and reports an error",
  INSTALLING,
  async (t) => {
    const folder = await temporaryCopy(t, new URL(".", import.meta.url));
    if (!(await install(t, folder, "npm", "ci", "--no-audit", "--no-fund"))) return;

    const { service, tess } = await startSetting();
    t.after(() => service.stop());
    const { email } = await makeLogin(service.db, service.account, "Lea", {
      administrativeStatus: "full-administrator",
    });
    const relationships = { teachers: identifiers("people", [tess]) };
    const welcome = document("courses", { name: "Welcome" }, { relationships });
    const input = {
      url: service.url,
      origin: FIRST_PARTY,
      login: { username: email, password: PASSWORD, account: service.account.alias },
      courseId: one(await service.post("/v1/courses", welcome)).id,
    };
    // Only the build for unpkg runs without a bundler. Node selects it by this condition.
    const client = ["--conditions=unpkg", "client.mjs", JSON.stringify(input)];
    const { created, ...results } = JSON.parse(await run(folder, process.execPath, ...client));
    assert.deepEqual(results, {
      read: "Welcome",
      listed: [...courses, "Welcome"],
      teachers: ["Tess Teacher"],
      updated: "Followers",
      refused: { status: 422, pointers: ["/data/attributes/name"] },
    });

    const { attributes } = one(await service.get(`/v1/courses/${created}`));
    assert.equal(attributes["name"], "Followers");
    assert.equal(attributes["price"], 1_500);
    assert.equal(attributes["price-currency"], "BRL");
  },
);
