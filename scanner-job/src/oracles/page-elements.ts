import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from "parse5";

/** Characters of a page that are parsed. */
const MAX_CHARACTERS = 262_144;
/** Elements of a page that are built: a few thousand tags can stand for millions of elements (HTML, section 13.2.4.3). */
const MAX_ELEMENTS = 20_000;

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/**
 * The attributes of the first element of this name (in lower case) in a page, as a browser parses it; undefined where there
 * is none. What is in a comment, an attribute, a title, a text area, a script or a template is not an element of the page.
 */
export function attributesIn(page: string, name: string): ReadonlyMap<string, string> | undefined {
  const element = nodesOf(page).find((node) => isElement(node) && node.tagName === name);
  return element && attributesOf(element);
}

/** The text that a page shows, and the data in it; neither attributes nor scripts. */
export function textIn(page: string): string {
  return nodesOf(page, (node) => !isElement(node) || !isCode(node))
    .map((node) => ("value" in node ? node.value : ""))
    .join("\n");
}

/** All nodes of a page in their order, without what is inside of those that `enter` is false for. */
function nodesOf(page: string, enter: (node: Node) => boolean = () => true): readonly Node[] {
  const found: Node[] = [];
  const pending: Node[] = [treeOf(page.slice(0, MAX_CHARACTERS))];
  for (let node = pending.pop(); node; node = pending.pop()) {
    found.push(node);
    // The content of a template is not its child.
    if ("childNodes" in node && enter(node))
      for (const child of node.childNodes.toReversed()) pending.push(child);
  }
  return found;
}

const attributesOf = (node: Node): ReadonlyMap<string, string> | undefined =>
  isElement(node) ? new Map(node.attrs.map(({ name, value }) => [name, value])) : undefined;

const isCode = (element: Element): boolean =>
  element.tagName === "style" ||
  (element.tagName === "script" && !/json/i.test(attributesOf(element)?.get("type") ?? ""));

const isElement = (node: Node): node is Element => "tagName" in node;

class TooManyElements extends Error {}

/** The tree of a page, or of its beginning where it has too many elements. */
function treeOf(page: string): DefaultTreeAdapterTypes.Document {
  const document = defaultTreeAdapter.createDocument();
  let elements = 0;
  try {
    return parse(page, {
      treeAdapter: {
        ...defaultTreeAdapter,
        createDocument: () => document,
        createElement(...of) {
          if (++elements > MAX_ELEMENTS) throw new TooManyElements();
          return defaultTreeAdapter.createElement(...of);
        },
      },
    });
  } catch (error) {
    if (error instanceof TooManyElements) return document;
    throw error;
  }
}
