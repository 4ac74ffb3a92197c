import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freshDatabase } from "@glovebox/store/testing";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { blocksOf } from "../docs/markdown.ts";
import { read } from "../docs/repository.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "./command.ts"; // builds dist/
import { runLastLine } from "./service.ts";

interface ComposeService {
  readonly image: string;
  readonly user: string;
  readonly read_only: boolean;
  readonly cap_drop: string[];
  readonly security_opt: string[];
  readonly ports?: string[];
  readonly networks: string[];
  readonly environment: Record<string, string>;
  readonly command?: string[];
  readonly healthcheck: { readonly test: string[] };
}
interface Compose {
  readonly services: Record<"glovebox" | "postgres" | "redis", ComposeService>;
  readonly networks: Record<string, { internal?: boolean }>;
}

const { services, networks } = load(read("compose.yaml"), {
  schema: CORE_SCHEMA.withTags(mergeTag),
}) as Compose;
const SECRETS = { POSTGRES_PASSWORD: "5ecret", REDIS_PASSWORD: "0ther" };

/** Interpolates ${NAME:?…}, ${NAME:-default} and $$ as Compose does. */
const interpolated = (text: string): string =>
  text
    .replaceAll(/\$\{(\w+)(?::\?[^}]*|:-([^}]*))\}/g, (_all, name: string, otherwise?: string) => {
      return SECRETS[name as keyof typeof SECRETS] ?? otherwise ?? "";
    })
    .replaceAll("$$", "$");

/** The Dockerfile instructions of the target `standalone` and the stage that it copies from. */
const instructions = ["standalone-program", "standalone"].flatMap((stage) => {
  const [, text] = read("Dockerfile").split(new RegExp(`^FROM \\S+ AS ${stage}$`, "m"));
  return text!
    .split(/^FROM /m)[0]!
    .replaceAll("\\\n", " ")
    .split("\n");
});
const argumentsOf = (name: string): string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

describe("compose.yaml", () => {
  test.each(Object.entries(services))(
    "runs %s as non-root, without capabilities, with a read-only file system",
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        user: expect.stringMatching(/^(65532:65532|postgres|redis)$/),
      });
    },
  );

  test("publishes one port, on loopback only, and gives the databases an internal network", () => {
    expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual(["127.0.0.1:8080:8080"]);
    expect([services.postgres.networks, services.redis.networks]).toEqual([["stores"], ["stores"]]);
    expect(networks["stores"]).toEqual({ internal: true });
  });

  test("pins the versions of the databases, and fails with a reason if a password is missing", () => {
    for (const name of ["postgres", "redis"] as const)
      expect(services[name].image).toMatch(new RegExp(`^${name}:\\d+\\.\\d+(\\.\\d+)?$`));
    const given = Object.values(services).flatMap(({ environment }) => Object.values(environment));
    const secret = given.filter((value) => value.includes("PASSWORD"));
    expect(secret).toHaveLength(4);
    for (const value of secret) expect(value).toContain("PASSWORD:?set it in .env}");
  });
});

describe("docs/docker.md", () => {
  const isOfCompose = ({ language, note }: { language: string; note: string }) =>
    language === "sh" && note === "compose";
  const [images, passwords, up, logs, keys] = blocksOf(read("docs/docker.md"))
    .find(isOfCompose)!
    .text.split("\n");

  test("writes both passwords into .env before it starts the services", () => {
    using folder = temporaryFolder();
    execFileSync("sh", ["-c", passwords!], { cwd: folder.path });
    expect(readFileSync(join(folder.path, ".env"), "utf8")).toMatch(
      /^POSTGRES_PASSWORD=[\da-f]{48}\nREDIS_PASSWORD=[\da-f]{48}\n$/,
    );
  });

  test("builds the image of compose.yaml, and uses its service and program", () => {
    expect(images).toBe("npm run images -- standalone");
    expect(services.glovebox.image).toBe("localhost/glovebox/standalone:dev");
    expect(up).toBe("docker compose up --wait");
    expect(logs).toMatch(/^docker compose logs glovebox /);
    expect(keys).toContain(
      `exec glovebox ${(JSON.parse(argumentsOf("ENTRYPOINT")[0]!) as string[]).join(" ")} keys`,
    );
  });
});

describe("the service of compose.yaml, with PostgreSQL and Redis", () => {
  const folder = temporaryFolder();
  const app = join(folder.path, "app");
  const cleanup = new AsyncDisposableStack();
  let port: number;
  let output = "";

  beforeAll(async () => {
    const database = await freshDatabase(inject("databaseUrl"));
    cleanup.defer(() => database.drop());
    const redis = await freePort();
    const [shell, ...args] = services.redis.command!.map(interpolated) as [string, ...string[]];
    const script = `${args.at(-1)} --port ${redis} --bind 127.0.0.1`;
    start(shell, [...args.slice(0, -1), script], services.redis.environment);

    copyApplication();
    port = await freePort();
    const [image] = argumentsOf("ENTRYPOINT").map((text) => JSON.parse(text) as string[]);
    const [command] = argumentsOf("CMD").map((text) => JSON.parse(text) as string[]);
    const environment = { ...imageEnvironment(), ...services.glovebox.environment };
    const overrides = {
      DATABASE_URL: database.url,
      REDIS_URL: environment.REDIS_URL!.replace("@redis:6379", `@127.0.0.1:${redis}`),
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_DATA_DIR: join(folder.path, "data"),
      NODE_COMPILE_CACHE: join(folder.path, "cache"),
      PORT: String(port),
      GLOVEBOX_DEMO_PORT: "0",
      GLOVEBOX_WAIT_SECONDS: "120", // a scan on a busy machine takes longer than the default
    };
    const program = image!.map((word) => word.replace(/^node$/, process.execPath).replace("/app", app));
    const service = start(program[0]!, [...program.slice(1), ...command!], { ...environment, ...overrides });
    await new Promise<void>((resolve, reject) => {
      const take = (chunk: Buffer): void => {
        output += chunk.toString();
        if (/^curl .*\n/m.test(output)) resolve();
      };
      service.stdout.on("data", take);
      service.stderr.on("data", take);
      service.once("exit", () => reject(new Error(`The service ended: ${output}`)));
    });
  });
  afterAll(async () => {
    await cleanup.disposeAsync();
    folder[Symbol.dispose]();
  });

  test("passes its health check", async () => {
    const [how, program, ...args] = services.glovebox.healthcheck.test;
    expect([how, program]).toEqual(["CMD", "node"]);
    const onItsPort = args.map((text) => text.replace("127.0.0.1:8080", `127.0.0.1:${port}`));
    const [code] = (await once(spawn(process.execPath, onItsPort), "close")) as [number];
    expect(code, output).toBe(0);
  });

  test("uses the PostgreSQL and the Redis of its settings", () => {
    expect(output).not.toContain("set REDIS_URL");
    expect(globSync("data/*", { cwd: folder.path }).map((path) => basename(path))).not.toContain("postgres");
  });

  test("prints a command that scans the demo target", async () => {
    expect(JSON.parse(await runLastLine(/^curl .*$/m.exec(output)![0]))).toMatchObject({
      status: "completed",
    });
  });

  function start(program: string, args: readonly string[], environment: Record<string, string>) {
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, text]) => [name, interpolated(text)]),
    );
    const child = spawn(program, args, { cwd: folder.path, env: { PATH: process.env["PATH"], ...env } });
    cleanup.defer(async () => {
      const ended = child.exitCode === null && once(child, "close");
      child.kill("SIGTERM");
      await ended;
    });
    return child;
  }

  /** Copies the same files as the Dockerfile into the application folder. */
  function copyApplication(): void {
    mkdirSync(app, { recursive: true });
    const root = fileURLToPath(new URL("../../", import.meta.url));
    const copies = argumentsOf("COPY").filter((line) => !/^--from|cdx\.json/.test(line));
    for (const words of copies.map((line) => line.split(" ")))
      for (const path of globSync(words.slice(0, -1), { cwd: root }))
        cpSync(join(root, path), join(app, basename(path)), { recursive: true });
  }
});

function imageEnvironment(): Record<string, string> {
  const pairs = argumentsOf("ENV").flatMap((line) => line.trim().split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => pair.split("=") as [string, string]));
}
