import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from "parse5";

/** Characters of a page that are parsed. */
const MAX_CHARACTERS = 262_144;
/** Elements of a page that are built: a few thousand tags can stand for millions of elements (HTML, section 13.2.4.3). */
const MAX_ELEMENTS = 20_000;

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/**
 * The attributes of the first element of this name (in lower case) in a page, as a browser parses it; undefined where there
 * is none. What is in a comment, an attribute, a title, a text area, a script or a template is no element of the page.
 */
export function attributesIn(page: string, name: string): ReadonlyMap<string, string> | undefined {
  const pending: Node[] = [treeOf(page.slice(0, MAX_CHARACTERS))];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isElement(node) && node.tagName === name)
      return new Map(node.attrs.map((attribute) => [attribute.name, attribute.value]));
    // The content of a template is no child of it.
    if ("childNodes" in node) for (const child of node.childNodes) pending.push(child);
  }
  return undefined;
}

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
