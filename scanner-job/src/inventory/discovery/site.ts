import type { ProbeResponse } from "../../transport/exchange.ts";
import { isDestructive } from "../effects.ts";
import type { OperationFacts } from "../operation.ts";
import type { Explorer } from "./explorer.ts";
import { formsOf, operationOfForm, pageLinks } from "./forms.ts";
import { apiPathsIn, MAX_PAGE, scriptsOf, sourceMapOf } from "./links.ts";
import { shapeOf, templateOf } from "./path-template.ts";

const MAX_PAGES = 25;
const MAX_LEVELS = 3;
const MAX_SCRIPTS = 8;
const MAX_MAPS = 3;
const AT_ONCE = 5;

/** The forms of a site, and URLs in its pages that may be operations. */
export interface Site {
  readonly forms: readonly OperationFacts[];
  readonly addresses: readonly string[];
}

/** Reads the entry's page, the pages that it links to, and their scripts; a few levels, on the target's origin. */
export async function readSite(explorer: Explorer, entry: ProbeResponse | undefined): Promise<Site> {
  const reader = new SiteReader(explorer);
  let level = entry && isPage(entry) ? [entry] : [];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    const links = level.flatMap((page) => reader.read(page));
    level = depth + 1 < MAX_LEVELS ? await reader.open(links) : [];
  }
  await reader.readScripts();
  return reader.site;
}

export const isPage = ({ mediaType, status }: ProbeResponse): boolean =>
  mediaType === "text/html" && status < 500;

class SiteReader {
  readonly #explorer: Explorer;
  readonly #forms = new Map<string, OperationFacts>();
  readonly #addresses = new Set<string>();
  readonly #scripts = new Set<string>();
  readonly #seen = new Set<string>();
  #pages = 0;

  constructor(explorer: Explorer) {
    this.#explorer = explorer;
  }

  get site(): Site {
    return { forms: [...this.#forms.values()], addresses: [...this.#addresses] };
  }

  /** Takes what the page holds, and returns the pages that it leads to. */
  read(page: ProbeResponse): URL[] {
    const { url } = page.request;
    this.#seen.add(shapeOf(new URL(url).pathname));
    for (const form of formsOf(page.body)) {
      const action = this.#explorer.locate(form.action || url, url);
      if (!action) continue;
      const operation = operationOfForm(form, action);
      const key = `${operation.method} ${shapeOf(operation.path)}`;
      if (!this.#forms.has(key)) this.#forms.set(key, operation);
    }
    for (const path of apiPathsIn(page.body, MAX_PAGE)) this.#addresses.add(path);
    for (const address of scriptsOf(page.body)) {
      const script = this.#explorer.locate(address, url);
      if (script) this.#scripts.add(script.href);
    }
    return pageLinks(page.body)
      .map((link) => this.#explorer.locate(link, url))
      .filter((link) => link !== undefined);
  }

  async open(links: readonly URL[]): Promise<ProbeResponse[]> {
    const wanted = links.filter((link) => this.#isNew(link)).slice(0, MAX_PAGES - this.#pages);
    this.#pages += wanted.length;
    const pages: ProbeResponse[] = [];
    for (let index = 0; index < wanted.length; index += AT_ONCE) {
      const responses = await Promise.all(
        wanted.slice(index, index + AT_ONCE).map((url) => this.#explorer.open(url)),
      );
      pages.push(...responses.filter((response) => response !== undefined).filter(isPage));
    }
    return pages;
  }

  /** A page of a new shape; an address with a query takes input, so that it is also an operation. */
  #isNew(link: URL): boolean {
    if (isDestructive({ method: "GET", path: link.pathname })) return false;
    if (link.search !== "") this.#addresses.add(link.href);
    const shape = shapeOf(templateOf(link.pathname).path);
    if (FILE.test(link.pathname) || this.#seen.has(shape)) return false;
    this.#seen.add(shape);
    return true;
  }

  async readScripts(): Promise<void> {
    const maps: string[] = [];
    for (const address of [...this.#scripts].slice(0, MAX_SCRIPTS)) {
      const script = await this.#readText(address);
      const map = script === undefined ? undefined : sourceMapOf(script);
      const url = map === undefined ? undefined : this.#explorer.locate(map, address);
      if (url) maps.push(url.href);
    }
    for (const map of maps.slice(0, MAX_MAPS)) await this.#readText(map);
  }

  /** Takes the addresses of a script or a source map, and returns its text. */
  async #readText(address: string): Promise<string | undefined> {
    const response = await this.#explorer.ask(address);
    if (response?.status !== 200 || isPage(response)) return undefined;
    for (const path of apiPathsIn(response.body)) this.#addresses.add(path);
    return response.body;
  }
}

const FILE =
  /\.(js|mjs|css|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|txt|pdf|md|xml|zip|gz|tar|mp4|webm|mp3|csv|docx?|xlsx?)$/i;
