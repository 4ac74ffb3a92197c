import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApi, type ApiProcess } from "./api-process.ts";

// Verdaccio's default configuration, without an upstream registry and with a maximum of one account.
const CONFIGURATION = `
storage: ./storage
web: { title: Town registry }
auth: { htpasswd: { file: ./htpasswd, max_users: 1 } }
uplinks: {}
packages:
  "@town/*": { access: $authenticated, publish: $authenticated, unpublish: $authenticated }
  "**": { access: $all, publish: $authenticated, unpublish: $authenticated }
log: { type: stdout, format: json, level: warn }
`;

/** A public package, and one that requires a token. */
export const PUBLIC_PACKAGE = "opening-hours";
export const PRIVATE_PACKAGE = "@town/payroll";

/** A package registry with one account and two packages. */
export async function startVerdaccio(): Promise<ApiProcess> {
  const api = await startApi({
    program: "verdaccio/bin/verdaccio",
    prepare: (folder) => writeFileSync(join(folder, "verdaccio.yaml"), CONFIGURATION),
    args: (port) => ["--config", "verdaccio.yaml", "--listen", `127.0.0.1:${port}`],
    readyPath: "/-/ping",
  });
  const account = { name: "librarian", password: "a-long-Passphrase-7", type: "user", roles: [] };
  const { token } = await put(`${api.address}/-/user/org.couchdb.user:librarian`, account);
  for (const name of [PUBLIC_PACKAGE, PRIVATE_PACKAGE])
    await put(`${api.address}/${encodeURIComponent(name)}`, publication(name, api.address), token);
  return api;
}

async function put(url: string, body: object, token?: string): Promise<{ token?: string }> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { "content-type": "application/json", ...authorization };
  const response = await fetch(url, { method: "PUT", headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${url} returned ${response.status}`);
  return (await response.json()) as { token?: string };
}

/** The body that `npm publish` sends. */
function publication(name: string, address: string): object {
  const archive = Buffer.from(`the archive of ${name}`);
  const file = `${name.split("/").at(-1)}-1.0.0.tgz`;
  const dist = { tarball: `${address}/${name}/-/${file}` };
  const attachment = {
    content_type: "application/octet-stream",
    data: archive.toString("base64"),
    length: archive.length,
  };
  return {
    _id: name,
    name,
    "dist-tags": { latest: "1.0.0" },
    versions: { "1.0.0": { name, version: "1.0.0", description: `About ${name}`, dist } },
    _attachments: { [file]: attachment },
  };
}
