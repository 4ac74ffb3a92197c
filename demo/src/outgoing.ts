import { get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export type Fetched =
  | { status: number; contentType: string; body: string }
  | { code: string; message: string; host: string };

const SILENT_AFTER_MS = 2500;
const MAX_BYTES = 64 * 1024;

/**
 * Fetches as a careless server would, but really connects to loopback over HTTP alone. All else is decided
 * here without a packet or a DNS query: names are unknown, the cloud's metadata address answers as a cloud's
 * would, addresses of the documentation and private ranges are silent, and the rest is refused.
 */
export async function fetchAsTheServer(address: string): Promise<Fetched> {
  if (!URL.canParse(address))
    return { code: "ERR_INVALID_URL", message: "Invalid URL", host: address.slice(0, 80) };
  const url = new URL(address);
  const host = url.hostname;
  if (host === "169.254.169.254") return metadata(url.pathname);
  if (/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(host)) return fromLoopback(url);
  if (/^(10|192\.0\.2|192\.168|198\.51\.100|203\.0\.113|172\.16)\./.test(host)) return silent(host);
  if (/\.(test|invalid|example)$/.test(host)) {
    return { code: "ENOTFOUND", message: `getaddrinfo ENOTFOUND ${host}`, host };
  }
  return { code: "EACCES", message: "Outgoing requests are limited", host };
}

async function silent(host: string): Promise<Fetched> {
  await delay(SILENT_AFTER_MS);
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

/** Loopback is named by address, so that no name is ever looked up. */
function fromLoopback(url: URL): Promise<Fetched> {
  const host = url.hostname === "[::1]" ? "::1" : url.hostname === "localhost" ? "127.0.0.1" : url.hostname;
  const failed = (error: NodeJS.ErrnoException): Fetched => ({
    code: error.code ?? "ECONNRESET",
    message: error.message,
    host: url.host,
  });
  if (url.protocol !== "http:")
    return Promise.resolve(failed(new Error(`Unsupported protocol ${url.protocol}`)));
  return new Promise((resolve) => {
    const options = { host, port: url.port || 80, path: url.pathname + url.search, timeout: SILENT_AFTER_MS };
    const request = get({ ...options, agent: false, headers: { host: url.host } }, (response) => {
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
    request.on("timeout", () =>
      request.destroy(Object.assign(new Error(`connect ETIMEDOUT ${host}`), { code: "ETIMEDOUT" })),
    );
    request.on("error", (error) => resolve(failed(error)));
  });
}
