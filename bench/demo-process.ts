import { startDemo, createDemoCertificates } from "@glovebox/demo";
import { announce } from "./src/child.ts";

/** The demo target, in a process of its own: the vulnerable one unless told otherwise. */
const variant = process.env["BENCH_DEMO"] === "hardened" ? "hardened" : "vulnerable";
const tls = await createDemoCertificates(new Date());
const demo = await startDemo({ variant, port: 0, tls });
announce(JSON.stringify({ url: demo.url, caPem: demo.caPem }));
