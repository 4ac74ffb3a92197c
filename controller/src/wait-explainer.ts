import type { Subject } from "./runtime/warnings.ts";

export interface WaitExplainerOptions {
  readonly read: (about: Subject) => Promise<string | undefined>;
  /** Takes a turn, and says whether there was one: when very many scans wait, the API server is not asked for each. */
  readonly mayAsk: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

/** What Kubernetes has to say of an object. Nothing depends on it, so what cannot be read is not said. */
export const waitExplainer =
  ({ read, mayAsk, onFailure }: WaitExplainerOptions) =>
  async (about: Subject): Promise<string | undefined> => {
    if (!mayAsk()) return undefined;
    try {
      return await read(about);
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  };
