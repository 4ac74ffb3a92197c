import { get } from "node:https";
import { setTimeout as delay } from "node:timers/promises";

export type Fetched =
  | { status: number; contentType: string; body: string }
  | { code: string; message: string; host: string };

const SILENT_AFTER_MS = 2500;
const MAX_BYTES = 64 * 1024;

/**
 * Fetches as a careless server would, but really connects to itself alone (`ownOrigin`), so that no page a user
 * visits can reach through it what else listens on their machine. All else is decided here without a packet or a
 * DNS query: other ports of loopback are closed, names are unknown, the cloud's metadata address answers as a
 * cloud's would, addresses of the documentation and private ranges are silent, and the rest is refused.
 */
export async function fetchAsTheServer(address: string, ownOrigin: string): Promise<Fetched> {
  if (!URL.canParse(address))
    return { code: "ERR_INVALID_URL", message: "Invalid URL", host: address.slice(0, 80) };
  const url = new URL(address);
  const host = url.hostname;
  if (url.origin === ownOrigin) return fromItself(url);
  if (host === "169.254.169.254") return metadata(url.pathname);
  if (/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(host)) return closed(url);
  if (/^(10|192\.0\.2|192\.168|198\.51\.100|203\.0\.113|172\.16)\./.test(host)) return silent(host);
  if (/\.(test|invalid|example)$/.test(host)) {
    return { code: "ENOTFOUND", message: `getaddrinfo ENOTFOUND ${host}`, host };
  }
  return { code: "EACCES", message: "Outgoing requests are limited", host };
}

function closed({ host, hostname, port }: URL): Fetched {
  return { code: "ECONNREFUSED", message: `connect ECONNREFUSED ${hostname}:${port || "80"}`, host };
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

function fromItself(url: URL): Promise<Fetched> {
  return new Promise((resolve) => {
    // Its certificate is its own; there is nobody else to be mistaken for.
    const request = get(
      url,
      { agent: false, rejectUnauthorized: false, timeout: SILENT_AFTER_MS },
      (response) => {
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
      },
    );
    request.on("timeout", () => request.destroy(new Error(`connect ETIMEDOUT ${url.host}`)));
    request.on("error", ({ message }) => resolve({ code: "ECONNRESET", message, host: url.host }));
  });
}
