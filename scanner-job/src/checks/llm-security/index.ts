import type { Check } from "../../engine/check.ts";
import a2aWithoutAuth from "./a2a-without-auth.ts";
import anonymousInference from "./anonymous-inference.ts";
import anonymousModels from "./anonymous-models.ts";
import mcpWithoutAuth from "./mcp-without-auth.ts";
import promptInjection from "./prompt-injection.ts";
import secretDisclosure from "./secret-disclosure.ts";
import systemPromptLeak from "./system-prompt-leak.ts";
import toolDisclosure from "./tool-disclosure.ts";
import unboundedConsumption from "./unbounded-consumption.ts";
import unsafeOutput from "./unsafe-output.ts";

/** Together they send each model about 25 prompts, repeats included. */
export const llmSecurityChecks: readonly Check[] = [
  anonymousModels,
  anonymousInference,
  mcpWithoutAuth,
  a2aWithoutAuth,
  promptInjection,
  systemPromptLeak,
  secretDisclosure,
  toolDisclosure,
  unboundedConsumption,
  unsafeOutput,
];
