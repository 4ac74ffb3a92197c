import type { Opens, IsolatedPod } from "./conflicting-policies.ts";
import {
  allOf,
  anyOf,
  joined,
  type LabelValue,
  type LabelView,
  mayBe,
  not,
  UNKNOWN,
  type Ternary,
} from "../kubernetes/label-selector.ts";

interface Spec {
  readonly selector?: string;
  readonly namespaceSelector?: string;
  readonly serviceAccountSelector?: string;
  readonly types?: readonly string[];
  readonly egress?: readonly { readonly action?: string }[];
}

/**
 * Policies of Calico: true if the policy may select the pod and an egress rule allows something, or passes to a profile.
 */
export const calicoOpens: Opens = (spec, pod) => {
  const {
    selector = "",
    namespaceSelector = "",
    serviceAccountSelector = "",
    types,
    egress = [],
  } = spec as Spec;
  if (types && !types.includes("Egress")) return false;
  if (!egress.some(({ action }) => action !== "Deny" && action !== "Log")) return false;
  const labels = endpointLabels(pod);
  return mayBe(
    allOf([
      calicoSelects(selector, labels),
      // `global()` selects objects without a namespace. In `selector` it had other meanings in some versions.
      calicoSelects(namespaceSelector, below(labels, "pcns."), false),
      calicoSelects(serviceAccountSelector, below(labels, "pcsa.")),
    ]),
  );
};

/** A pod as Calico sees it: it inherits the labels of its namespace (`pcns.`) and of its service account (`pcsa.`). */
function endpointLabels({ namespace, namespaceLabels, podLabels, serviceAccount }: IsolatedPod): LabelView {
  const added = new Map([
    ["projectcalico.org/namespace", namespace],
    ["projectcalico.org/orchestrator", "k8s"],
    ["projectcalico.org/serviceaccount", serviceAccount],
    ["pcns.projectcalico.org/name", namespace],
    ["pcsa.projectcalico.org/name", serviceAccount],
    ...Object.entries(namespaceLabels).map(([key, value]) => [`pcns.${key}`, value] as const),
  ]);
  const known = joined(podLabels, added);
  return { get: (key) => known.get(key) ?? (NOT_KNOWN.test(key) ? UNKNOWN : undefined) };
}

/** Further labels that Calico may add; the labels of the service account are not read. */
const NOT_KNOWN = /^(?:pcsa\.|(?:pcns\.)?projectcalico\.org\/)/;

const below = (labels: LabelView, prefix: string): LabelView => ({
  get: (key) => labels.get(`${prefix}${key}`),
});

/**
 * Whether a Calico selector matches the labels, by the reference of NetworkPolicy ("Selectors"): an empty one matches everything,
 * `&&` has precedence over `||`, and `!=` and `not in` match absent labels. A selector that cannot be parsed is unknown.
 * `isGlobal` is the value of `global()`.
 * @internal
 */
export function calicoSelects(selector: string, labels: LabelView, isGlobal: Ternary = UNKNOWN): Ternary {
  try {
    const tokens = tokensOf(selector);
    return tokens.length === 0 ? true : new Evaluation(tokens, labels, isGlobal).result();
  } catch (error) {
    if (error instanceof Unreadable) return UNKNOWN;
    throw error;
  }
}

class Unreadable extends Error {}

/** A quoted text, an operator, or a name: of a label, or of a word such as `has`. */
const TOKEN = /[ \t]*(?:'([^']*)'|"([^"]*)"|(==|!=|&&|\|\||[!(){},])|([\w./-]+))/y;

interface Token {
  readonly is: "text" | "operator" | "name";
  readonly value: string;
}

function tokensOf(selector: string): Token[] {
  const text = selector.trimEnd();
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw new Unreadable();
    const [, single, double, operator, name] = found;
    if (operator !== undefined) tokens.push({ is: "operator", value: operator });
    else if (name !== undefined) tokens.push({ is: "name", value: name });
    else tokens.push({ is: "text", value: single ?? double ?? "" });
  }
  return tokens;
}

/** Limit of nested parentheses, to protect the stack. */
const DEEPEST = 100;

/** A recursive descent parser that evaluates while it parses. */
class Evaluation {
  readonly #tokens: readonly Token[];
  readonly #labels: LabelView;
  readonly #isGlobal: Ternary;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], labels: LabelView, isGlobal: Ternary) {
    this.#tokens = tokens;
    this.#labels = labels;
    this.#isGlobal = isGlobal;
  }

  result(): Ternary {
    const verdict = this.#alternatives();
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return verdict;
  }

  #alternatives(): Ternary {
    const some: Ternary[] = [this.#conjunction()];
    while (this.#takes("||")) some.push(this.#conjunction());
    return anyOf(some);
  }

  #conjunction(): Ternary {
    const some: Ternary[] = [this.#operation()];
    while (this.#takes("&&")) some.push(this.#operation());
    return allOf(some);
  }

  #operation(): Ternary {
    let isNegated = false;
    while (this.#takes("!")) isNegated = !isNegated;
    const verdict = this.#takes("(") ? this.#group() : this.#term();
    return isNegated ? not(verdict) : verdict;
  }

  #group(): Ternary {
    if (++this.#depth > DEEPEST) throw new Unreadable();
    const verdict = this.#alternatives();
    this.#expect(")");
    this.#depth -= 1;
    return verdict;
  }

  #term(): Ternary {
    const name = this.#next("name");
    if (CALLS.has(name) && this.#takes("(")) return this.#call(name);
    return this.#comparison(this.#labels.get(name));
  }

  #call(name: string): Ternary {
    const value = name === "has" ? this.#labels.get(this.#next("name")) : undefined;
    this.#expect(")");
    if (name === "all") return true;
    if (name === "global") return this.#isGlobal;
    return value === UNKNOWN ? UNKNOWN : value !== undefined;
  }

  #comparison(value: LabelValue): Ternary {
    if (this.#takes("==")) return compared(value, isEqual, [this.#next("text")]);
    if (this.#takes("!=")) return not(compared(value, isEqual, [this.#next("text")]));
    switch (this.#next("name")) {
      case "contains":
        return compared(value, (own, text) => own.includes(text), [this.#next("text")]);
      case "starts":
        return this.#with(value, (own, text) => own.startsWith(text));
      case "ends":
        return this.#with(value, (own, text) => own.endsWith(text));
      case "in":
        return compared(value, isEqual, this.#set());
      case "not":
        if (this.#next("name") !== "in") throw new Unreadable();
        return not(compared(value, isEqual, this.#set()));
      default:
        throw new Unreadable();
    }
  }

  #with(value: LabelValue, test: Comparison): Ternary {
    if (this.#next("name") !== "with") throw new Unreadable();
    return compared(value, test, [this.#next("text")]);
  }

  #set(): string[] {
    const values: string[] = [];
    this.#expect("{");
    while (!this.#takes("}")) {
      values.push(this.#next("text"));
      if (this.#takes(",")) continue;
      this.#expect("}");
      break;
    }
    return values;
  }

  #takes(operator: string): boolean {
    const { is, value } = this.#tokens[this.#at] ?? {};
    const isThere = is === "operator" && value === operator;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #expect(operator: string): void {
    if (!this.#takes(operator)) throw new Unreadable();
  }

  #next(is: Token["is"]): string {
    const token = this.#tokens[this.#at++];
    if (token?.is !== is) throw new Unreadable();
    return token.value;
  }
}

const CALLS: ReadonlySet<string> = new Set(["all", "global", "has"]);

type Comparison = (own: string, text: string) => boolean;
const isEqual: Comparison = (own, text) => own === text;

/** Whether the test is true for one of the texts; false for an absent label. */
function compared(value: LabelValue, test: Comparison, texts: readonly string[]): Ternary {
  if (value === UNKNOWN) return UNKNOWN;
  return value !== undefined && texts.some((text) => test(value, text));
}
