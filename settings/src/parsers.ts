import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Setting } from "./setting.ts";

type Parse<T> = Setting<T>["parse"];

/** Text of this form. */
export const matching =
  (form: RegExp, reason: string): Parse<string> =>
  (text) =>
    form.test(text) ? text : refuse(reason);

/** A whole number from `min` to `max`, written in decimal digits. */
export const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : refuse(`must be a whole number from ${min} to ${max}`);
  };

/** One of these values. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Parse<Word> =>
  (text) =>
    words.find((word) => word === text) ??
    refuse(`must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);

/** A URL of one of these protocols (`redis:`). The reason does not repeat the value, which may hold a password. */
const urlOf =
  (...protocols: readonly string[]): Parse<string> =>
  (text) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol)
      ? text
      : refuse(`must be a URL that starts with ${protocols.map((it) => `${it}//`).join(" or ")}`);

export const postgresUrl = urlOf("postgres:", "postgresql:");

/** What the client of Redis accepts: the path is the number of a database, and credentials are percent-encoded. */
export const redisUrl: Parse<string> = (text) => {
  const { pathname, username, password } = new URL(urlOf("redis:", "rediss:")(text));
  if (!/^\/?\d*$/.test(pathname)) return refuse("must have no path other than a database number");
  if (/%(?![0-9a-f]{2})/i.test(username + password))
    return refuse("must have its user name and password in percent-encoding");
  return text;
};

export const ipAddress: Parse<string> = (text) => (isIP(text) !== 0 ? text : refuse("must be an IP address"));

/** RFC 1123 label, as Kubernetes names namespaces. */
export const namespaceName = matching(
  /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  "must be the name of a namespace",
);

/** RFC 1123 subdomain, as Kubernetes names most objects. */
export const objectName = matching(
  /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  "must be the name of an object",
);

export const anyText: Parse<string> = (text) => text;

/** Undefined when unset. */
export const optional =
  <T>(parse: Parse<T>): Parse<T | undefined> =>
  (text) =>
    text === "" ? undefined : parse(text);

/** Values separated by commas or white space; none when unset. */
export const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (text) =>
    text
      .split(/[\s,]+/)
      .filter((entry) => entry !== "")
      .map(parse);

/** Parses the content of a file whose path is the setting. Error messages begin with the path. */
export const contentOf =
  <T>(parse: Parse<T>): Parse<T> =>
  (path) => {
    let content: string;
    try {
      content = readFileSync(path, "utf8");
    } catch (error) {
      throw new Error(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
    }
    try {
      return parse(content);
    } catch (error) {
      throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
    }
  };

function refuse(reason: string): never {
  throw new Error(reason);
}
