import { createElement, use, type ComponentType, type ReactNode } from "react";

/** The script of a page could not be loaded: offline, or it belongs to a release that the server no longer has. */
export class PageNotLoaded extends Error {
  override readonly name = "PageNotLoaded";
}

/** A page whose script is loaded when it is first needed. It never reloads the document by itself: what is typed would be lost. */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): (() => ReactNode) & { preload: () => Promise<void> } {
  let page: ComponentType | undefined;
  let failure: PageNotLoaded | undefined;
  let loading: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    failure = undefined;
    try {
      page = (await load())[name];
    } catch (cause) {
      failure = new PageNotLoaded("The page was not loaded.", { cause });
    } finally {
      loading = undefined;
    }
  };
  const preload = (): Promise<void> => (page ? Promise.resolve() : (loading ??= start()));
  function Lazy(): ReactNode {
    if (page) return createElement(page);
    if (failure) throw failure;
    use(preload());
    return null;
  }
  return Object.assign(Lazy, { preload });
}
