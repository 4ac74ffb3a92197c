const JSON_TYPE = "Content-Type: application/json\r\n";
/** A body that is accepted. */
export const VALID = '{"url":"https://example.com"}';

/** One request of a table: its bytes for a given key, and the response that it must get. */
export type RawCase = readonly [
  name: string,
  bytes: (key: string) => string | Buffer,
  status: number,
  code: string,
];

export interface Post {
  readonly type?: string;
  readonly headers?: string;
  readonly length?: number;
}

export const authorization = (key: string): string => `Authorization: Bearer ${key}\r\n`;

/** A POST of a scan whose bytes are all the test's. */
export function post(body: string | Buffer, { type = JSON_TYPE, headers = "", length }: Post = {}) {
  return (key: string): Buffer => {
    const bytes = Buffer.from(body);
    const isChunked = headers.includes("Transfer-Encoding");
    const framing = isChunked ? "" : `Content-Length: ${length ?? bytes.length}\r\n`;
    const head = `POST /v1/scan HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: respond-async\r\n`;
    return Buffer.concat([Buffer.from(`${head}${authorization(key)}${type}${framing}${headers}\r\n`), bytes]);
  };
}

export function get(path: string, headers = "", method = "GET") {
  return (key: string): string =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization(key)}${headers}\r\n`;
}
