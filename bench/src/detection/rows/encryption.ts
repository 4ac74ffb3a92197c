import { createDemoCertificates, type DemoCertificates } from "@glovebox/demo";
import type { FakeResponse } from "../../../../scanner-job/src/testing/fake-api.ts";
import type { Host, Row, Routes } from "../row.ts";
import { hostRow, shelves } from "./hosts.ts";

const DAY_MS = 86_400_000;

/** The certificates are valid for a year. */
const madeDaysAgo = (days: number): Promise<DemoCertificates> =>
  createDemoCertificates(new Date(Date.now() - days * DAY_MS));
const [current, ending, ended] = (await Promise.all([0, 359, 400].map(madeDaysAgo))) as [
  DemoCertificates,
  DemoCertificates,
  DemoCertificates,
];

const presenting = ({ keyPem, certPem, caPem }: DemoCertificates): Host => ({
  tls: { key: keyPem, cert: certPem },
  caPem,
});
const speaking = (more: NonNullable<Host["tls"]>): Host => ({
  ...presenting(current),
  tls: { key: current.keyPem, cert: current.certPem, ...more },
});
const servers = (url: string): Host => ({ servers: ["/", url] });

const HSTS = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
const sending = (headers: Record<string, string>): Routes => ({
  "GET /": { json: { name: "Town library" }, headers },
  "GET /shelves": { ...shelves, headers },
});
const toHttps: FakeResponse = { status: 308, headers: { location: "https://127.0.0.1/" } };

/** Real TLS servers, each with one weakness of its certificate, its versions, its ciphers or what is beside it. */
export const encryptionRows: readonly Row[] = [
  hostRow({
    checks: ["encryption/certificate"], // its dates
    at: "GET /",
    host: { weak: presenting(ended), safe: presenting(current) },
  }),
  hostRow({
    checks: ["encryption/certificate"], // its name
    at: "GET /",
    host: { weak: { ...presenting(current), name: "api.library.test" }, safe: presenting(current) },
  }),
  hostRow({
    checks: ["encryption/certificate"], // signed by an authority that nobody knows
    at: "GET /",
    host: { weak: { ...presenting(current), caPem: ending.caPem }, safe: presenting(current) },
  }),
  hostRow({
    checks: ["encryption/certificate-expires-soon"],
    at: "GET /",
    host: { weak: presenting(ending), safe: presenting(current) },
  }),
  hostRow({
    checks: ["encryption/weak-protocol"],
    at: "GET /",
    host: {
      weak: speaking({ minVersion: "TLSv1", ciphers: "DEFAULT:@SECLEVEL=0" }),
      safe: speaking({ minVersion: "TLSv1.2" }),
    },
  }),
  hostRow({
    checks: ["encryption/weak-cipher"],
    at: "GET /",
    host: {
      weak: speaking({ ciphers: "ALL:eNULL:!aNULL:@SECLEVEL=0", minVersion: "TLSv1.2" }),
      safe: speaking({ ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256", minVersion: "TLSv1.2" }),
    },
  }),
  hostRow({
    checks: ["encryption/plain-http"],
    at: "GET /",
    host: { weak: { plain: sending({}) }, safe: { plain: { "* *": toHttps } } },
  }),
  hostRow({ checks: ["encryption/hsts"], at: "GET /", weak: sending({}), safe: sending(HSTS) }),
  hostRow({
    checks: ["encryption/http-addresses-in-document"],
    at: "GET /",
    host: { weak: servers("http://api.library.test"), safe: servers("https://api.library.test") },
  }),
];
