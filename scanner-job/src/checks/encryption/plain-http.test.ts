import { createDemoCertificates } from "@glovebox/demo";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import plainHttp from "./plain-http.ts";

const { keyPem, certPem } = await createDemoCertificates();
const tls = { key: keyPem, cert: certPem };
const target = fakeApi({ "GET /": { json: { name: "Larkfield", rooms: ["blue", "green"] } } });
const responding = (response: object) => fakeApi({ "* *": response });

testCheck(plainHttp, {
  positive: [
    {
      name: "the same responses without TLS",
      target,
      tls,
      plain: target,
      finding: { severity: "high" },
      count: 1,
    },
  ],
  negative: [
    { name: "a port that speaks TLS alone", target, tls },
    {
      name: "a redirect to HTTPS",
      target,
      tls,
      plain: responding({ status: 308, headers: { location: "https://127.0.0.1/" } }),
    },
    {
      name: "a server that says that it requires TLS",
      target,
      tls,
      plain: responding({ status: 400, body: "Use HTTPS" }),
    },
  ],
  inconclusive: [
    { name: "a target without TLS", target },
    { name: "a fault of the plain port", target, tls, plain: responding({ status: 500 }) },
    {
      name: "something else on the plain port",
      target,
      tls,
      plain: responding({ json: { name: "Router" } }),
    },
  ],
});
