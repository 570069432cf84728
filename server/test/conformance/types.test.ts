import { after } from "node:test";
import { furnish } from "./furnish.ts";
import { specialMakers } from "./makers.ts";
import { catalogue, startStage } from "./stage.ts";
import { conform, conformCommand } from "./suite.ts";

/** Every type keeps the promises that hold for all types. */
const service = await startStage();
after(() => service.stop());
const { account, db } = service;
const rows = await furnish(db, catalogue, account, specialMakers(db, account.id));

const stage = { service, catalogue, rows };
for (const resource of catalogue.commands.values()) conformCommand(stage, resource);
conform(stage, [...catalogue.resources.values()]);
