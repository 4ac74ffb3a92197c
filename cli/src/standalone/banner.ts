import { shellQuoted } from "../command-line.ts";
import type { FirstKey } from "./first-key.ts";

export interface BannerFacts {
  /** Address of the API, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Undefined when the demo target is off. */
  readonly demoUrl: string | undefined;
  /** Address of the dashboard; undefined when browsers cannot sign in. */
  readonly publicUrl: string | undefined;
  readonly firstKey: FirstKey;
  /** Undefined once there is a user. */
  readonly firstAdministratorLink: string | undefined;
}

/** The message of `glovebox serve` when it is ready. The last line can be pasted into a shell. */
export function banner({ address, demoUrl, firstKey, ...facts }: BannerFacts): string {
  const { publicUrl, firstAdministratorLink } = facts;
  const { key, file, isNew } = firstKey;
  const lines = [
    `Glovebox is ready at ${address}/v1 (documentation: ${address}/v1/docs)`,
    ...(publicUrl === undefined ? [] : [`Dashboard: ${publicUrl}`]),
    ...(firstAdministratorLink === undefined ? [] : [`First administrator: ${firstAdministratorLink}`]),
    isNew ? `API key, shown only now and kept in ${file}: ${key}` : `API key: in ${file}`,
  ];
  if (demoUrl === undefined) return lines.join("\n");
  const bearer = isNew ? key : `$(cat ${shellQuoted(file)})`;
  return [
    ...lines,
    `Demo target, vulnerable on purpose: ${demoUrl}`,
    "Scan it:",
    curlLine({ address, bearer, demoUrl }),
  ].join("\n");
}

function curlLine({
  address,
  bearer,
  demoUrl,
}: {
  address: string;
  bearer: string;
  demoUrl: string;
}): string {
  const body = JSON.stringify({ url: demoUrl, specUrl: `${demoUrl}/openapi.json` });
  const headers = `-H "Authorization: Bearer ${bearer}" -H 'Content-Type: application/json'`;
  return `curl -s ${address}/v1/scan ${headers} -d '${body}'`;
}
