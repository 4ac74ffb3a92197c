import { randomUUID } from "node:crypto";
import type { SecureContextOptions } from "node:tls";
import { ok } from "../response.ts";
import { type RouteResponse, type Route, type Variant, weak } from "../route.ts";

/** Weaknesses of encryption. Most concern the whole server: protocols, ciphers, HSTS and the plain HTTP port (demo.ts). */
export const encryption: Route[] = [
  {
    method: "GET",
    path: "/openapi.json",
    access: "public",
    weaknesses: [
      weak("encryption", "TLS 1.0, TLS 1.1 and NULL ciphers are enabled"),
      weak("encryption", "`Strict-Transport-Security` is missing"),
      weak("encryption", "The API is served over plain HTTP instead of a redirect"),
      weak("encryption", "The OpenAPI document contains `http:` server and token URLs"),
      weak("inventoryManagement", "The OpenAPI document contains staging and development hosts"),
    ],
    vulnerable: (_call, clinic) => ok(clinic.document),
    hardened: (_call, clinic) => ok(clinic.document),
  },
  {
    method: "GET",
    path: "/",
    access: "public",
    weaknesses: [
      weak("encryption", "The session cookie lacks `Secure`"),
      weak("authentication", "The session cookie lacks `HttpOnly` and `SameSite`"),
    ],
    vulnerable: () =>
      home(
        '<a href="/docs">API</a><script src="/assets/app.js"></script>',
        `session=${randomUUID()}; Path=/`,
      ),
    hardened: () => home("", `__Host-session=${randomUUID()}; Path=/; Secure; HttpOnly; SameSite=Strict`),
  },
];

export const TLS_OPTIONS: Record<Variant, SecureContextOptions> = {
  vulnerable: {
    minVersion: "TLSv1",
    ciphers: "ALL:eNULL:!aNULL:@SECLEVEL=0",
  },
  hardened: {
    minVersion: "TLSv1.2",
    ciphers:
      "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:" +
      "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305",
  },
};

function home(more: string, cookie: string): RouteResponse {
  const body = `<!doctype html><title>Larkfield Clinic</title><h1>Larkfield Clinic</h1>${more}`;
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8", "set-cookie": cookie }, body };
}
