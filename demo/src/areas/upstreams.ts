import { createHmac } from "node:crypto";
import { empty, failure, invalid, json, objectIn, ok, text } from "../response.ts";
import { type Route, weak } from "../route.ts";

const METADATA = "/.well-known/openid-configuration";

/** Weaknesses of the consumption of other APIs. */
export const upstreams: Route[] = [
  {
    method: "GET",
    path: "/v2/insurance/{policyNumber}",
    access: "public",
    operation: {
      summary: "Check an insurance policy",
      tag: "Insurance",
      parameters: [
        {
          name: "policyNumber",
          in: "path",
          required: true,
          schema: { type: "string", pattern: "^LK-\\d{6}$" },
          example: "LK-100200",
        },
      ],
    },
    weaknesses: [
      weak("unsafeConsumption", "Error documents of the upstream are returned"),
      weak("unsafeConsumption", "The response contains `http:` URLs and private addresses of upstreams"),
    ],
    vulnerable: (call) =>
      call.params.policyNumber === "LK-100200"
        ? ok({ policy: "LK-100200", valid: true, source: "http://10.20.0.31:8080/policies/LK-100200" })
        : text(502, "application/xml", UPSTREAM_ERROR),
    hardened: (call) =>
      ok({ policy: call.params.policyNumber, valid: call.params.policyNumber === "LK-100200" }),
  },
  {
    method: "POST",
    path: "/v2/payments",
    access: "user",
    operation: {
      summary: "Pay an invoice",
      tag: "Invoices",
      body: {
        type: "object",
        required: ["amount"],
        properties: { amount: { type: "integer", minimum: 1, maximum: 100_000 } },
      },
    },
    weaknesses: [weak("unsafeConsumption", "A 307 redirects the body of a payment to a third-party host")],
    vulnerable: () => empty(307, { location: "https://checkout.paylark.test/v1/charges" }),
    hardened: (call) => json(201, { amount: objectIn(call).amount, state: "accepted" }),
  },
  {
    method: "POST",
    path: "/v2/webhooks/payments",
    access: "public",
    operation: {
      summary: "Receive the payment provider's events",
      tag: "Webhooks",
      parameters: [{ name: "x-signature", in: "header", required: true, schema: { type: "string" } }],
      body: {
        type: "object",
        required: ["event"],
        properties: { event: { type: "string" }, invoice: { type: "string" } },
      },
    },
    weaknesses: [weak("unsafeConsumption", "Webhook signatures are not verified")],
    vulnerable: () => ok({ received: true }),
    hardened: (call, clinic) => {
      const key = clinic.accounts.find(({ role }) => role === "admin")!.token;
      const expected = createHmac("sha256", key).update(call.body).digest("hex");
      return call.headers["x-signature"] === expected
        ? ok({ received: true })
        : failure(401, "unauthorized", "The signature does not match");
    },
  },
  {
    method: "GET",
    path: METADATA,
    access: "public",
    weaknesses: [
      weak("unsafeConsumption", "The JWKS URL is a plain `http:` URL"),
      weak(
        "authentication",
        "The OpenID Connect metadata offers `none` as a signature algorithm, and no PKCE",
      ),
    ],
    vulnerable: (_call, clinic) =>
      ok({
        issuer: clinic.origin,
        authorization_endpoint: `${clinic.origin}/authorize`,
        token_endpoint: "http://login.larkfield.test/token",
        jwks_uri: "http://login.larkfield.test/jwks.json",
        response_types_supported: ["code", "token", "id_token"],
        id_token_signing_alg_values_supported: ["none", "HS256", "RS256"],
      }),
    hardened: (_call, clinic) =>
      ok({
        issuer: clinic.origin,
        authorization_endpoint: `${clinic.origin}/authorize`,
        token_endpoint: `${clinic.origin}/token`,
        jwks_uri: `${clinic.origin}/.well-known/jwks.json`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        id_token_signing_alg_values_supported: ["ES256"],
      }),
  },
  {
    method: "GET",
    path: "/.well-known/jwks.json",
    access: "public",
    weaknesses: [],
    hardened: () => ok({ keys: [] }),
  },
  {
    method: "GET",
    path: "/v2/currencies",
    access: "public",
    operation: {
      summary: "Exchange rate of a currency",
      tag: "Invoices",
      parameters: [
        {
          name: "code",
          in: "query",
          required: true,
          schema: { type: "string", pattern: "^[A-Z]{3}$" },
          example: "EUR",
        },
      ],
    },
    weaknesses: [weak("unsafeConsumption", "Errors and request ids of the payment provider are returned")],
    vulnerable: (call) =>
      call.query.get("code") === "EUR"
        ? ok({ code: "EUR", rate: 1.17 })
        : json(500, {
            error: {
              type: "StripeInvalidRequestError",
              message: "Invalid currency",
              request_id: "req_8Yh2kLm3nPq",
            },
            stack:
              "AxiosError: Request failed with status code 400\n    at createError (node_modules/axios/lib/core/createError.js:16:15)",
          }),
    hardened: (call) =>
      call.query.get("code") === "EUR" ? ok({ code: "EUR", rate: 1.17 }) : invalid("code: is not offered"),
  },
];

const UPSTREAM_ERROR =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><RequestId>4442587FB7D0A2F9</RequestId><HostId>9Gjjt1m+cjU4OPvX9O9/8RuvnG41MRb=</HostId></Error>';
