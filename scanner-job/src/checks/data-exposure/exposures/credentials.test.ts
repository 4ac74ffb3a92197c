import { testExposures } from "../../../testing/test-exposures.ts";
import { credentialExposures } from "./credentials.ts";

const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n";
const publicKey = "-----BEGIN PUBLIC KEY-----\nMIIBIj\n-----END PUBLIC KEY-----\n";

testExposures(credentialExposures, {
  "aws-credentials": ["[default]\naws_secret_access_key = wJalrXUt\n", "[default]\nregion = eu-west-1\n"],
  "ssh-key": [key, publicKey],
  "tls-key": [key, publicKey],
  "key-store": [
    `\u{fffd}\u{fffd}\u{fffd}\u{fffd}\0\0\0\u0002${"a".repeat(200)}`,
    `keystore ${"a".repeat(200)}`,
  ],
  "jwt-key": [key, publicKey],
  "npm-credentials": ["//npm.example.com/:_authToken=npm_1\n", "registry=https://npm.example.com/\n"],
  "pypi-credentials": ["[pypi]\nusername = __token__\npassword = pypi-1\n", "[pypi]\nusername = me\n"],
  netrc: ["machine example.org\nlogin me\npassword vr7Zq81x\n", "machine learning is fun\n"],
  pgpass: ["db.internal:5432:app:app:vr7Zq81x\n", "10:30:00 meeting\n"],
  "my-cnf": ["[client]\nuser = root\npassword = vr7Zq81x\n", "[client]\nuser = root\n"],
  htpasswd: ["admin:$apr1$abcdefgh$ijklmnopqrst\n", "admin: the administrator\n"],
  "docker-credentials": [{ auths: { "ghcr.io": { auth: "bWU6cGFzcw==" } } }, { auths: {} }],
  "kubernetes-credentials": [
    "apiVersion: v1\nkind: Config\nusers:\n- user:\n    token: abc\n",
    "apiVersion: v1\nkind: ConfigMap\n",
  ],
  "gcp-service-account": [
    { type: "service_account", private_key: "-----BEGIN PRIVATE KEY-----" },
    { type: "service_account", project_id: "shop" },
  ],
  "azure-credentials": [[{ accessToken: "eyJ0" }], [{ tenant: "me" }]],
  "shell-history": ["cd app\nls\ngit pull\nsudo reboot\n", "go home\nsleep\n"],
  "database-history": ["SELECT 1;\nSHOW tables;\nDROP TABLE x;\n", "selected\nshown\n"],
  "terraform-state": [
    { version: 4, terraform_version: "1.9", resources: [] },
    { version: 4, resources: [] },
  ],
  "terraform-variables": ['region = "eu"\ncount  = 3\n', "region: eu\n"],
});
