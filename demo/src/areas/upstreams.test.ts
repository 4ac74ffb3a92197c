import { testWeaknesses } from "../testing/weaknesses.ts";
import { upstreams } from "./upstreams.ts";

testWeaknesses("upstreams", upstreams, {
  "Error documents of the upstream are returned": async (api) =>
    (await api.get("/v2/insurance/LK-999999")).text.includes("<Code>NoSuchKey</Code>"),
  "The response contains `http:` URLs and private addresses of upstreams": async (api) =>
    (await api.get("/v2/insurance/LK-100200")).text.includes("http://10.20.0.31"),
  "A 307 redirects the body of a payment to a third-party host": async (api) => {
    const { status, headers } = await api.send("POST", "/v2/payments", { body: { amount: 1 } });
    return status === 307 && headers.location !== undefined;
  },
  "Webhook signatures are not verified": async (api) => {
    const sent = { headers: { "x-signature": "wrong" }, body: { event: "paid" } };
    return (await api.send("POST", "/v2/webhooks/payments", sent)).status === 200;
  },
  "The JWKS URL is a plain `http:` URL": async (api) =>
    (await api.get("/.well-known/openid-configuration")).text.includes('"jwks_uri":"http://'),
  "The OpenID Connect metadata offers `none` as a signature algorithm, and no PKCE": async (api) => {
    const { text } = await api.get("/.well-known/openid-configuration");
    return text.includes('"none"') && !text.includes("code_challenge_methods_supported");
  },
  "Errors and request ids of the payment provider are returned": async (api) =>
    (await api.get("/v2/currencies?code=XXX")).text.includes("StripeInvalidRequestError"),
});
