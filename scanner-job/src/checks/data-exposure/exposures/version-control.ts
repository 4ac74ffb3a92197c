import { exposures } from "../../../attacks/exposure.ts";
import { json, magic, text } from "../../../signatures/content.ts";

export const versionControlExposures = exposures(
  {
    group: "Version control and editors",
    cwe: 538,
    description:
      "Files of version control or of an editor are public. An attacker can obtain source code, its history and deployment credentials.",
    remediation:
      "Deploy a build instead of a working directory, and deny every path with a segment that starts with a dot.",
  },
  [
    {
      name: "git-config",
      title: "Git configuration exposed",
      severity: "high",
      below: "base",
      paths: ["/.git/config"],
      content: text("a Git configuration", /^[ \t]*\[core\]/m, /repositoryformatversion|\[remote /),
    },
    {
      name: "git-head",
      title: "Git repository exposed",
      severity: "high",
      below: "base",
      paths: ["/.git/HEAD"],
      content: text("the HEAD of a Git directory", /^(ref: refs\/\S{1,200}|[\da-f]{40})\s*$/),
    },
    {
      name: "git-index",
      title: "Git index exposed",
      severity: "high",
      large: true,
      paths: ["/.git/index"],
      content: magic("Git index"),
    },
    {
      name: "git-log",
      title: "Git history exposed",
      severity: "high",
      paths: ["/.git/logs/HEAD"],
      content: text("a Git reference log", /^[\da-f]{40} [\da-f]{40} [^\n<]{1,100}<[^\n>]{1,100}>/m),
    },
    {
      name: "git-credentials",
      title: "Git credentials exposed",
      severity: "critical",
      paths: ["/.git-credentials", "/.git/credentials"],
      content: text("a Git credentials file", /^https?:\/\/[^:@\s/]{1,100}:[^@\s/]{1,200}@[\w.-]+/m),
    },
    {
      name: "subversion",
      title: "Subversion directory exposed",
      severity: "medium",
      large: true,
      paths: ["/.svn/wc.db"],
      content: magic("SQLite database"),
    },
    {
      name: "subversion-entries",
      title: "Subversion entries exposed",
      severity: "medium",
      paths: ["/.svn/entries"],
      content: text("a Subversion file list", /^(8|9|10)\n\n?dir\n|^12\n$/),
    },
    {
      name: "mercurial",
      title: "Mercurial repository exposed",
      severity: "medium",
      paths: ["/.hg/requires", "/.hg/hgrc"],
      content: text(
        "a Mercurial repository file",
        /^(revlogv1|dotencode|fncache|generaldelta)\s*$|^\[paths\]/m,
      ),
    },
    {
      name: "bazaar",
      title: "Bazaar repository exposed",
      severity: "medium",
      paths: ["/.bzr/README"],
      content: text("the README of a Bazaar directory", /^This is a Bazaar/),
    },
    {
      name: "cvs",
      title: "CVS directory exposed",
      severity: "medium",
      paths: ["/CVS/Root"],
      content: text("the location of a CVS repository", /^:(pserver|ext|local):\S{1,200}\s*$/m),
    },
    {
      name: "ds-store",
      title: "macOS folder index exposed (.DS_Store)",
      severity: "low",
      large: true,
      paths: ["/.DS_Store"],
      content: magic("macOS folder index"),
    },
    {
      name: "jetbrains",
      title: "JetBrains project exposed (.idea)",
      severity: "low",
      paths: [
        "/.idea/workspace.xml",
        "/.idea/dataSources.xml",
        "/.idea/WebServers.xml",
        "/.idea/modules.xml",
      ],
      content: text("a JetBrains project file", /<project version=/, /<component name=/),
    },
    {
      name: "vscode",
      title: "Visual Studio Code settings exposed",
      severity: "low",
      paths: ["/.vscode/settings.json", "/.vscode/launch.json"],
      content: text(
        "Visual Studio Code settings",
        /^\s*(\/\/[^\n]{0,200}\s*)*\{/,
        /"(editor|files|python|java|eslint|typescript)\.[\w.]{2,60}"\s*:|"configurations"\s*:\s*\[/,
      ),
    },
    {
      name: "sftp-settings",
      title: "Credentials for file transfer exposed (sftp.json)",
      severity: "high",
      paths: ["/.vscode/sftp.json", "/sftp-config.json", "/.ftpconfig"],
      content: json(
        "JSON with a host, a user and a password",
        (value) =>
          /"(host|hostname)"/.test(JSON.stringify(value)) &&
          /"(password|privateKeyPath|passphrase)":"/.test(JSON.stringify(value)),
      ),
    },
    {
      name: "assistant-settings",
      title: "Coding assistant settings exposed",
      severity: "medium",
      paths: [
        "/.mcp.json",
        "/.cursor/mcp.json",
        "/.vscode/mcp.json",
        "/.claude/settings.json",
        "/.claude/settings.local.json",
      ],
      content: text("coding assistant settings", /^\s*\{/, /"(mcpServers|permissions|hooks)"\s*:\s*\{/),
    },
    {
      name: "assistant-prompts",
      title: "Prompt file exposed",
      severity: "low",
      paths: ["/prompts.json", "/system_prompt.txt", "/ai_config.json"],
      content: text("instructions for a language model", /"role"\s*:\s*"system"|^You are (an?|the) /m),
    },
  ],
);
