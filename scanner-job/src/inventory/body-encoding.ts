import { randomBytes } from "node:crypto";
import { isObject } from "../json.ts";
import type { BodyShape } from "./operation.ts";
import { asText } from "./serialization.ts";

export interface EncodedBody {
  readonly contentType: string;
  readonly body: string;
}

/** A value written as the media type of the body wants it: JSON, a form, several parts, XML, or text. */
export function encodeBody(
  shape: Pick<BodyShape, "mediaType" | "fields" | "xml">,
  value: unknown,
): EncodedBody {
  const { mediaType } = shape;
  if (/\bmultipart\/form-data\b/i.test(mediaType)) return multipart(shape, value);
  if (/x-www-form-urlencoded/i.test(mediaType)) return { contentType: mediaType, body: form(value) };
  if (/[/+]xml\b/i.test(mediaType)) return { contentType: mediaType, body: xml(shape, value) };
  if (/^(text\/|application\/octet-stream)/i.test(mediaType))
    return { contentType: mediaType, body: asText(value) };
  return {
    contentType: /json/i.test(mediaType) ? mediaType : "application/json",
    body: JSON.stringify(value) ?? "null",
  };
}

/** Lists are repeated, objects are JSON (OpenAPI 3.1, 4.8.14.4). */
function form(value: unknown): string {
  return new URLSearchParams(membersOf(value)).toString();
}

function membersOf(value: unknown): [string, string][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member]).map((item): [string, string] => [name, asText(item)]),
  );
}

function multipart({ fields }: Pick<BodyShape, "fields">, value: unknown): EncodedBody {
  const boundary = `glovebox${randomBytes(8).toString("hex")}`;
  const isFile = (name: string): boolean =>
    fields.some((field) => field.path.replace(/\[\]$/, "") === name && field.format === "binary");
  const parts = membersOf(value).map(([name, text]) => {
    const quoted = name.replace(/["\r\n]/g, "_");
    const file = isFile(name) ? '; filename="test.txt"\r\nContent-Type: text/plain' : "";
    return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n\r\n${text}\r\n`;
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `${parts.join("")}--${boundary}--\r\n`,
  };
}

function xml({ xml: naming }: Pick<BodyShape, "xml">, value: unknown): string {
  const root = naming?.root ?? "root";
  return `<?xml version="1.0" encoding="UTF-8"?>${element({ tag: root, path: "" }, value, naming?.members ?? {})}`;
}

/** One element; a list is one element for each item, inside one more where the document wraps it. */
function element(
  { tag, path }: { tag: string; path: string },
  value: unknown,
  members: NonNullable<BodyShape["xml"]>["members"],
): string {
  if (Array.isArray(value)) {
    const itemTag = members[`${path}[]`]?.name ?? tag;
    const items = value.map((item) => element({ tag: itemTag, path: `${path}[]` }, item, members)).join("");
    return members[path]?.wrapped || path === "" ? `<${tag}>${items}</${tag}>` : items;
  }
  if (!isObject(value)) return `<${tag}>${escaped(asText(value ?? ""))}</${tag}>`;
  const inner = Object.entries(value).map(([key, member]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return { name: members[at]?.name ?? key, at, member, isAttribute: members[at]?.attribute === true };
  });
  const attributes = inner
    .filter(({ isAttribute }) => isAttribute)
    .map(({ name, member }) => ` ${tagOf(name)}="${escaped(asText(member))}"`);
  const elements = inner
    .filter(({ isAttribute }) => !isAttribute)
    .map(({ name, at, member }) => element({ tag: tagOf(name), path: at }, member, members));
  return `<${tag}${attributes.join("")}>${elements.join("")}</${tag}>`;
}

const tagOf = (name: string): string => name.replace(/[^\w.:-]/g, "_").replace(/^(?![A-Za-z_])/, "_");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
