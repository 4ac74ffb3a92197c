import { exposures } from "../../../attacks/exposure.ts";
import { json, magic, repeated, text } from "../../../signatures/content.ts";
import { objectOf, textMember } from "../../../json.ts";

const PRIVATE_KEY = /^-----BEGIN ([A-Z]{2,9} )?PRIVATE KEY-----/;

export const credentialExposures = exposures(
  {
    group: "Credential files",
    cwe: 522,
    description:
      "A credentials file is public. An attacker can sign in to the services that the credentials belong to.",
    remediation:
      "Revoke and replace the credentials, remove the file, and serve only a directory of published files.",
  },
  [
    {
      name: "aws-credentials",
      title: "AWS credentials exposed",
      severity: "critical",
      paths: ["/.aws/credentials", "/.aws/config"],
      content: text("an AWS credentials file", /^[ \t]*aws_(secret_access_key|session_token)\s*=\s*\S/m),
    },
    {
      name: "ssh-key",
      title: "SSH private key exposed",
      severity: "critical",
      paths: ["/.ssh/id_rsa", "/id_rsa", "/.ssh/id_ed25519", "/.ssh/id_ecdsa", "/id_ed25519"],
      content: text("a private key", PRIVATE_KEY),
    },
    {
      name: "tls-key",
      title: "TLS private key exposed",
      severity: "critical",
      paths: [
        "/server.key",
        "/privkey.pem",
        "/key.pem",
        "/private.key",
        "/ssl/server.key",
        "/certs/server.key",
        "/private.pem",
      ],
      content: text("a private key", PRIVATE_KEY),
    },
    {
      name: "key-store",
      title: "Key store exposed",
      severity: "high",
      large: true,
      paths: ["/keystore.jks", "/keystore.p12", "/server.p12", "/server.jks", "/cert.pfx", "/client.p12"],
      content: magic("Java key store", "PKCS #12 key store"),
    },
    {
      name: "jwt-key",
      title: "Token signing key exposed",
      severity: "critical",
      paths: [
        "/jwt.key",
        "/config/jwt/private.pem",
        "/jwtRS256.key",
        "/oauth-private.key",
        "/storage/oauth-private.key",
      ],
      content: text("a private key", PRIVATE_KEY),
    },
    {
      name: "npm-credentials",
      title: "npm credentials exposed (.npmrc)",
      severity: "high",
      paths: ["/.npmrc"],
      content: text("npm settings with a token", /(_authToken|_auth|_password)\s*=\s*\S/),
    },
    {
      name: "pypi-credentials",
      title: "PyPI credentials exposed (.pypirc)",
      severity: "high",
      paths: ["/.pypirc"],
      content: text("PyPI settings with a password", /^\[[\w-]{2,40}\]/m, /^password\s*[:=]\s*\S/m),
    },
    {
      name: "netrc",
      title: "Credentials for remote hosts exposed (.netrc)",
      severity: "high",
      paths: ["/.netrc", "/_netrc"],
      content: text("a credentials file", /^machine\s+\S{1,200}/m, /\b(login|password)\s+\S/),
    },
    {
      name: "pgpass",
      title: "PostgreSQL passwords exposed (.pgpass)",
      severity: "critical",
      paths: ["/.pgpass"],
      content: text(
        "a PostgreSQL password file",
        /^[\w.*-]{1,100}:(\d{2,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:\S{1,200}\s*$/m,
      ),
    },
    {
      name: "my-cnf",
      title: "MySQL credentials exposed (.my.cnf)",
      severity: "high",
      paths: ["/.my.cnf", "/my.cnf"],
      content: text(
        "MySQL settings with a password",
        /^\[(client|mysql|mysqldump)\]/m,
        /^password\s*=\s*\S/m,
      ),
    },
    {
      name: "htpasswd",
      title: "Password hashes exposed (.htpasswd)",
      severity: "high",
      paths: ["/.htpasswd", "/htpasswd"],
      content: text("a password hash file", /^[\w.@-]{1,60}:(\$(apr1|2[aby]|5|6)\$|\{SHA\})\S{10}/m),
    },
    {
      name: "docker-credentials",
      title: "Docker registry credentials exposed",
      severity: "high",
      paths: ["/.docker/config.json", "/.dockercfg"],
      content: text("Docker registry credentials", /^\s*\{/, /"auth"\s*:\s*"[\w+/=]{8,}"/),
    },
    {
      name: "kubernetes-credentials",
      title: "Kubernetes credentials exposed (kubeconfig)",
      severity: "critical",
      paths: ["/.kube/config", "/kubeconfig", "/kubeconfig.yaml"],
      content: text(
        "a kubeconfig",
        /^apiVersion:\s*v1/m,
        /^\s*(client-key-data|token|client-certificate-data):\s*\S/m,
      ),
    },
    {
      name: "gcp-service-account",
      title: "Google service account key exposed",
      severity: "critical",
      paths: [
        "/serviceAccountKey.json",
        "/service-account.json",
        "/google-credentials.json",
        "/firebase-adminsdk.json",
        "/gcp-key.json",
      ],
      content: json(
        "a Google service account key",
        (value) => textMember(value, "type") === "service_account" && "private_key" in objectOf(value),
      ),
    },
    {
      name: "azure-credentials",
      title: "Azure credentials exposed",
      severity: "high",
      paths: ["/.azure/accessTokens.json", "/azureProfile.json", "/.azure/azureProfile.json"],
      content: text(
        "an Azure account or tokens",
        /"(accessToken|refreshToken)"\s*:\s*"|"subscriptions"\s*:\s*\[/,
      ),
    },
    {
      name: "shell-history",
      title: "Shell history exposed",
      severity: "medium",
      paths: ["/.bash_history", "/.zsh_history", "/.history", "/.sh_history"],
      content: repeated(
        "a command history",
        3,
        /^(?:: \d+:\d+;)?(?:cd|ls|sudo|git|curl|cat|vim?|nano|mysql|psql|docker|ssh|npm|export) ?[^\n]{0,200}$/gm,
      ),
    },
    {
      name: "database-history",
      title: "Database client history exposed",
      severity: "medium",
      paths: ["/.mysql_history", "/.psql_history", "/.sqlite_history"],
      content: repeated(
        "a database statement history",
        3,
        /^(?:select|insert|update|delete|create|alter|drop|grant|show|use)\b[^\n]{1,300}/gim,
      ),
    },
    {
      name: "terraform-state",
      title: "Terraform state exposed",
      severity: "high",
      paths: ["/terraform.tfstate", "/.terraform/terraform.tfstate", "/terraform.tfstate.backup"],
      content: text(
        "a Terraform state",
        /^\s*\{/,
        /"terraform_version"\s*:/,
        /"(resources|modules|backend)"\s*:/,
      ),
    },
    {
      name: "terraform-variables",
      title: "Terraform variables exposed",
      severity: "high",
      paths: ["/terraform.tfvars", "/prod.tfvars"],
      content: repeated("Terraform variables", 2, /^[a-z][a-z\d_]{1,60}\s{1,20}=\s{1,20}["[{\d]/gm),
    },
  ],
);
