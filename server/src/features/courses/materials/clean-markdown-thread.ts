import { parentPort, workerData } from "node:worker_threads";
import { cleanMarkdown } from "./clean-markdown.ts";

parentPort?.postMessage(cleanMarkdown(workerData as string));
