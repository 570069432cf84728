/** launch.mjs loads this file before a script. It stops the script when the launcher ends, even when it was killed. */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
