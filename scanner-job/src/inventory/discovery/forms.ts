import { optional } from "../../json.ts";
import {
  discoveredOperation,
  type BodyShape,
  type Field,
  type OperationFacts,
  type Parameter,
} from "../operation.ts";
import { MAX_PAGE } from "./links.ts";
import { templateOf } from "./path-template.ts";

/** A form of a page, as far as a request can be made of it. */
export interface Form {
  readonly method: "GET" | "POST";
  /** As it is written: relative to the page; empty for the page itself. */
  readonly action: string;
  readonly mediaType: string;
  readonly controls: readonly Control[];
  /** The label of its submit button. */
  readonly label: string;
}

interface Control {
  readonly name: string;
  /** In lower case: `text`, `password`, `hidden`, `select`. */
  readonly type: string;
  readonly value: string;
  readonly required: boolean;
  readonly choices: readonly string[];
}

const MAX_FORMS = 20;
const MAX_FORM = 32 * 1024;
const MAX_CONTROLS = 60;
const MAX_CHOICES = 20;

/** The forms of a page that send something. */
export function formsOf(html: string): Form[] {
  const page = html.slice(0, MAX_PAGE);
  const starts = [...page.matchAll(/<form\b([^<>]{0,2000})>/gi)].slice(0, MAX_FORMS);
  return starts.flatMap((start): Form[] => {
    const attributes = start[1]!;
    const inside = page.slice(start.index + start[0].length).slice(0, MAX_FORM);
    const end = inside.search(/<\/form\b|<form\b/i);
    const content = end < 0 ? inside : inside.slice(0, end);
    const controls = controlsOf(content);
    if (controls.length === 0) return [];
    return [
      {
        method: /^post$/i.test(attribute(attributes, "method") ?? "") ? "POST" : "GET",
        action: attribute(attributes, "action") ?? "",
        mediaType: attribute(attributes, "enctype") ?? "application/x-www-form-urlencoded",
        controls,
        label: labelOf(content),
      },
    ];
  });
}

/** What a form calls; `action` is where it leads. */
export function operationOfForm(form: Form, action: URL): OperationFacts {
  const { path, parameters } = templateOf(action.pathname);
  const sent = form.controls.filter(({ type }) => type !== "file" || form.method === "POST");
  return discoveredOperation({
    method: form.method,
    path,
    ...(form.label === "" ? {} : { operationId: form.label, summary: form.label }),
    parameters: [...parameters, ...(form.method === "GET" ? sent.map(parameterOf) : [])],
    ...(form.method === "POST" ? { body: bodyOf(form) } : {}),
  });
}

const bodyOf = ({ mediaType, controls }: Form): BodyShape => ({
  mediaType: /multipart|text\/plain/i.test(mediaType) ? mediaType : "application/x-www-form-urlencoded",
  required: true,
  sample: Object.fromEntries(controls.map((control) => [control.name, sampleOf(control)])),
  fields: controls.map(fieldOf),
  closed: false,
});

const parameterOf = (control: Control): Parameter => ({
  name: control.name,
  in: "query",
  required: true,
  type: control.type === "number" ? "integer" : "string",
  ...(control.choices.length > 0 ? { enum: control.choices } : {}),
  sample: sampleOf(control),
  sampleIsDeclared: control.value !== "" || control.choices.length > 0,
});

const FORMATS: Readonly<Record<string, string>> = {
  email: "email",
  url: "uri",
  date: "date",
  password: "password",
  file: "binary",
};

const fieldOf = ({ name, type, required }: Control): Field => ({
  path: name,
  name,
  type: type === "number" || type === "range" ? "integer" : "string",
  ...optional("format", FORMATS[type]),
  readOnly: false,
  required: required || type === "hidden",
});

const SAMPLES: Readonly<Record<string, string>> = {
  email: "glovebox@glovebox.invalid",
  url: "https://glovebox.invalid/",
  number: "1",
  range: "1",
  date: "2026-01-01",
  tel: "+10000000000",
  checkbox: "on",
  color: "#000000",
};

const sampleOf = ({ value, choices, type }: Control): string =>
  value || choices[0] || SAMPLES[type] || "glovebox";

/** What a form sends; none where it has only buttons. */
function controlsOf(content: string): Control[] {
  const controls: Control[] = [];
  const tags = content.matchAll(/<(input|textarea|select|button|option)\b([^<>]{0,2000})>/gi);
  for (const [, tag = "", attributes = ""] of tags) {
    if (/^option$/i.test(tag)) addChoice(controls, attribute(attributes, "value"));
    else addControl(controls, controlOf(tag.toLowerCase(), attributes));
  }
  return controls.every(({ type }) => type === "submit" || type === "button") ? [] : controls;
}

function controlOf(tag: string, attributes: string): Control | undefined {
  const name = attribute(attributes, "name");
  const type = tag === "input" ? (attribute(attributes, "type") ?? "text").toLowerCase() : tag;
  const required = /(?:^|\s)required\b/i.test(attributes);
  const value = attribute(attributes, "value") ?? "";
  return name && !UNSENT.has(type) ? { name, type, value, required, choices: [] } : undefined;
}

function addControl(controls: Control[], control: Control | undefined): void {
  if (!control || controls.length >= MAX_CONTROLS || controls.some(({ name }) => name === control.name))
    return;
  controls.push(control);
}

/** An option belongs to the select before it. */
function addChoice(controls: Control[], value: string | undefined): void {
  const last = controls.at(-1);
  if (value && last?.type === "select" && last.choices.length < MAX_CHOICES)
    controls[controls.length - 1] = { ...last, choices: [...last.choices, value] };
}

const UNSENT = new Set(["button", "reset", "image"]);

/** The text or value of the first button that sends. */
function labelOf(content: string): string {
  const [, attributes, text] =
    /<button\b([^<>]{0,2000})>([^]{0,400}?)<\/button/i.exec(content) ??
    /<input\b(?=[^<>]{0,2000}type\s{0,5}=\s{0,5}["']?submit)([^<>]{0,2000})>/i.exec(content) ??
    [];
  const words = text?.replace(/<[^<>]{0,400}>/g, " ") || attribute(attributes ?? "", "value") || "";
  return words.replace(/\s+/g, " ").trim().slice(0, 100);
}

/** The value of an attribute, its character references resolved as far as addresses need them. */
function attribute(attributes: string, name: string): string | undefined {
  const pattern = new RegExp(
    `(?:^|\\s)${name}\\s{0,9}=\\s{0,9}(?:"([^"]{0,500})"|'([^']{0,500})'|([^\\s"'>]{1,500}))`,
    "i",
  );
  const [, double, single, bare] = pattern.exec(attributes) ?? [];
  return (double ?? single ?? bare)?.replaceAll("&amp;", "&").replaceAll("&#x2F;", "/").trim();
}

/** The addresses of a page's links and frames. */
export function pageLinks(html: string): string[] {
  const links = [...html.slice(0, MAX_PAGE).matchAll(/<(?:a|area|iframe|frame)\b([^<>]{1,2000})>/gi)]
    .slice(0, 300)
    .map(([, attributes]) => attribute(attributes!, "href") ?? attribute(attributes!, "src"));
  return [...new Set(links.filter((link) => link !== undefined && link !== ""))] as string[];
}
