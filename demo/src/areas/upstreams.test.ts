import { testContrast } from "../testing/contrast.ts";
import { upstreams } from "./upstreams.ts";

testContrast("upstreams", upstreams, {
  "The upstream's own error document is passed on": async (api) =>
    (await api.get("/v2/insurance/LK-999999")).text.includes("<Code>NoSuchKey</Code>"),
  "The body names upstreams at plain `http:` and private addresses": async (api) =>
    (await api.get("/v2/insurance/LK-100200")).text.includes("http://10.20.0.31"),
  "A 307 sends the payment's body on to another company's host": async (api) => {
    const { status, headers } = await api.send("POST", "/v2/payments", { body: { amount: 1 } });
    return status === 307 && headers.location !== undefined;
  },
  "An event is believed whatever its signature says": async (api) => {
    const sent = { headers: { "x-signature": "wrong" }, body: { event: "paid" } };
    return (await api.send("POST", "/v2/webhooks/payments", sent)).status === 200;
  },
  "Keys are fetched from a plain `http:` address": async (api) =>
    (await api.get("/.well-known/openid-configuration")).text.includes('"jwks_uri":"http://'),
  "Sign-in metadata offers `none` as a signature and no proof of key (PKCE)": async (api) => {
    const { text } = await api.get("/.well-known/openid-configuration");
    return text.includes('"none"') && !text.includes("code_challenge_methods_supported");
  },
  "The payment provider's error and request id are passed on": async (api) =>
    (await api.get("/v2/currencies?code=XXX")).text.includes("StripeInvalidRequestError"),
});
