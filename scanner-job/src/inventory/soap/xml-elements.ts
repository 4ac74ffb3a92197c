/** An element of an XML document: its local name, its attributes by their local names, and the elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

const MAX_TEXT = 512 * 1024;
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 40;
const TAG =
  /<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]{0,2000}"|'[^'<]{0,2000}'))*)\s*(\/?)>/g;
const ATTRIBUTE = /(?:^|\s)(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/**
 * The root element of a document, without texts, declarations and entities, which are not read at all; undefined where there
 * is none. Tolerant: what does not close ends with what it is in.
 */
export function xmlElements(document: string): XmlElement | undefined {
  const root: Draft = { name: "", attributes: {}, children: [] };
  const open = [root];
  let count = 0;
  for (const [, end, name = "", attributes = "", empty] of document
    .slice(0, MAX_TEXT)
    .replace(/<!--[^]*?(?:-->|$)/g, "")
    .matchAll(TAG)) {
    if (end) {
      if (open.at(-1)!.name === name) open.pop();
      continue;
    }
    if (++count > MAX_ELEMENTS || open.length > MAX_DEPTH) break;
    const element: Draft = { name, attributes: attributesIn(attributes), children: [] };
    open.at(-1)!.children.push(element);
    if (!empty) open.push(element);
  }
  return root.children[0];
}

interface Draft extends XmlElement {
  readonly children: Draft[];
}

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = "", double, single]) => [name, double ?? single ?? ""]),
  );
