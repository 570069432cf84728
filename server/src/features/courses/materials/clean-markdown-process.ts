import { text } from "node:stream/consumers";
import { cleanMarkdown } from "./clean-markdown.ts";

process.stdout.write(cleanMarkdown(await text(process.stdin)));
