/** Markup; the only text that goes into a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup with values in it, which are escaped unless they are markup; null and undefined are nothing. */
export const html = (markup: TemplateStringsArray, ...values: readonly Part[]): Html =>
  new Html(String.raw({ raw: markup }, ...values.map(render)));

function render(part: Part): string {
  if (part === null || part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
