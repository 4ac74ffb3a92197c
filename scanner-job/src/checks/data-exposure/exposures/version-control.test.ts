import { testExposures } from "../../../testing/test-exposures.ts";
import { versionControlExposures } from "./version-control.ts";

testExposures(versionControlExposures, {
  "git-config": ["[core]\n\trepositoryformatversion = 0\n", "[section]\n\tname = core\n"],
  "git-head": ["ref: refs/heads/main\n", "main\n"],
  "git-index": [`DIRC\0\0\0\u0002${"a".repeat(200)}`, `DIRECTORY ${"a".repeat(200)}`],
  "git-log": [
    `${"0".repeat(40)} ${"a".repeat(40)} Ines <ines@example.org> 1 +0000\tinit\n`,
    "commit by Ines\n",
  ],
  "git-credentials": ["https://me:token1@github.com\n", "https://github.com\n"],
  subversion: [`SQLite format 3\0${"a".repeat(200)}`, "no database"],
  "subversion-entries": ["12\n", "13 entries\n"],
  mercurial: ["dotencode\nfncache\nrevlogv1\n", "requires: nothing\n"],
  bazaar: ["This is a Bazaar control directory.\n", "This is a bazaar: come and buy\n"],
  cvs: [":pserver:me@cvs.example.org:/repo\n", "root\n"],
  "ds-store": [`\0\0\0\u0001Bud1${"a".repeat(200)}`, "Bud1"],
  jetbrains: [
    '<?xml version="1.0"?><project version="4"><component name="A"/></project>',
    "<project><name>A</name></project>",
  ],
  vscode: [{ "editor.tabSize": 2 }, { editor: "vim" }],
  "sftp-settings": [
    { host: "h", user: "u", password: "p" },
    { host: "h", user: "u" },
  ],
  "assistant-settings": [{ mcpServers: {} }, { servers: {} }],
  "assistant-prompts": [[{ role: "system", content: "Be kind." }], [{ role: "user", content: "Hi" }]],
});
