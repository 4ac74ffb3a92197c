import { Worker } from "node:worker_threads";

// In a thread of its own: while SQLite works on an injected statement, nothing else happens in the main one.
const WATCH = `
  const { Socket } = require("node:net");
  const end = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: 0 }).on("error", end).on("close", end).resume();
`;

/** Ends this process when its standard input does: when its parent is gone, in whatever way. It must be a pipe. */
export const endWithParent = (): void => new Worker(WATCH, { eval: true }).unref();
