/**
 * Loaded before a script by launch.mjs. Descriptor 3 is a pipe nobody writes to; it ends when the launcher is gone,
 * also when it was killed and could not pass a signal on. The script is then told to end, as by SIGTERM: otherwise it
 * would keep the port and the data directory, and the next start would find both taken.
 */
import { Socket } from "node:net";

const launcher = new Socket({ fd: 3, readable: true, writable: false });
launcher.on("close", () => process.kill(process.pid, "SIGTERM"));
launcher.on("error", () => undefined);
launcher.resume();
launcher.unref();
