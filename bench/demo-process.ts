import { startDemo } from "@glovebox/demo";
import { createDemoCertificates } from "@glovebox/demo";
import { announce } from "./src/child.ts";

/** The vulnerable demo target, in a process of its own. */
const tls = await createDemoCertificates(new Date());
const demo = await startDemo({ variant: "vulnerable", port: 0, tls });
announce(JSON.stringify({ url: demo.url, caPem: demo.caPem }));
