import { get } from "node:https";
import { setTimeout as delay } from "node:timers/promises";

export type Fetched =
  | { status: number; contentType: string; body: string }
  | { code: string; message: string; host: string };

const TIMEOUT_MS = 2500;
const MAX_BYTES = 64 * 1024;

/**
 * Fetches a URL like a server without protection against SSRF, but only connects to itself (`ownOrigin`): otherwise any web page
 * could use it to reach other servers on the user's machine. All other responses are simulated, without packets and DNS queries:
 * other loopback ports refuse connections, names do not resolve, the metadata address responds like a cloud's, addresses of
 * documentation and private ranges time out, and all others are rejected.
 */
export async function simulatedFetch(address: string, ownOrigin: string): Promise<Fetched> {
  if (!URL.canParse(address))
    return { code: "ERR_INVALID_URL", message: "Invalid URL", host: address.slice(0, 80) };
  const url = new URL(address);
  const host = url.hostname;
  if (url.origin === ownOrigin) return fetchFromItself(url);
  if (host === "169.254.169.254") return metadata(url.pathname);
  if (/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(host)) return refusedConnection(url);
  if (/^(10|192\.0\.2|192\.168|198\.51\.100|203\.0\.113|172\.16)\./.test(host)) return timedOut(host);
  if (/\.(test|invalid|example)$/.test(host)) {
    return { code: "ENOTFOUND", message: `getaddrinfo ENOTFOUND ${host}`, host };
  }
  return { code: "EACCES", message: "Outgoing requests are limited", host };
}

function refusedConnection({ host, hostname, port }: URL): Fetched {
  return { code: "ECONNREFUSED", message: `connect ECONNREFUSED ${hostname}:${port || "80"}`, host };
}

async function timedOut(host: string): Promise<Fetched> {
  await delay(TIMEOUT_MS);
  return { code: "ETIMEDOUT", message: `connect ETIMEDOUT ${host}`, host };
}

function metadata(path: string): Fetched {
  const credentials = JSON.stringify({
    Code: "Success",
    Type: "AWS-HMAC",
    AccessKeyId: "ASIAIOSFODNN7EXAMPLE",
    SecretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    Token: "FwoGZXIvYXdzEXAMPLE",
    Expiration: "2027-01-01T00:00:00Z",
  });
  const body = path.includes("security-credentials/")
    ? credentials
    : "ami-id\nami-launch-index\ninstance-id\ninstance-type\nlocal-ipv4\niam/security-credentials/";
  return { status: 200, contentType: "text/plain; charset=utf-8", body };
}

function fetchFromItself(url: URL): Promise<Fetched> {
  return new Promise((resolve) => {
    // It connects to its own port, so the certificate proves nothing.
    const request = get(url, { agent: false, rejectUnauthorized: false, timeout: TIMEOUT_MS }, (response) => {
      let body = "";
      const finish = () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "application/octet-stream",
          body,
        });
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
        if (body.length > MAX_BYTES) response.destroy();
      });
      response.on("end", finish).on("close", finish).on("error", finish);
    });
    request.on("timeout", () => request.destroy(new Error(`connect ETIMEDOUT ${url.host}`)));
    request.on("error", ({ message }) => resolve({ code: "ECONNRESET", message, host: url.host }));
  });
}
