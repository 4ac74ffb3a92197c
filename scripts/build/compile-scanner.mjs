// `compile-scanner.mjs FOLDER`: starts the scanner in it on its own target, up to its second request, and writes
// down what V8 has compiled by then: what every scan needs, and no more to be read at every start.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.splice(2);
const target = createServer((_req, res) => res.setHeader("Connection", "close").end("{}"));
await new Promise((resolve) => target.listen(0, "127.0.0.1", resolve));
target.unref();

const { port } = target.address();
const order = {
  scanId: "compile",
  url: `http://127.0.0.1:${port}/`,
  pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
  limits: { deadlineSeconds: 10, maxRequests: 1 },
};
const file = join(folder, "scanner-job.cache");
writeFileSync(file, JSON.stringify(order)); // until the code replaces it
process.argv.push("--order", file);

const { script } = await import(pathToFileURL(join(folder, "scanner-job.mjs")).href);
process.once("exit", () => {
  const id = readFileSync(join(folder, "scanner-job.bundle.cjs"), "latin1").slice(-64);
  writeFileSync(file, Buffer.concat([Buffer.from(id, "latin1"), script.createCachedData()]));
});
