import { exposures } from "../../../attacks/exposure.ts";
import { json, text, titled, page } from "../../../signatures/content.ts";
import { isObject, member } from "../../../json.ts";

export const buildExposures = exposures(
  {
    group: "Build and deployment",
    cwe: 538,
    description:
      "A build or deployment file is public. An attacker learns the components of the system, their versions and their addresses.",
    remediation: "Serve only a directory of published files that the build creates.",
  },
  [
    {
      name: "docker-compose",
      title: "Docker Compose file exposed",
      severity: "medium",
      paths: [
        "/docker-compose.yml",
        "/docker-compose.yaml",
        "/compose.yml",
        "/compose.yaml",
        "/docker-compose.prod.yml",
      ],
      content: text("a container description", /^services:\s*$/m, /^[ \t]+(image|build):/m),
    },
    {
      name: "dockerfile",
      title: "Dockerfile exposed",
      severity: "low",
      paths: ["/Dockerfile", "/dockerfile"],
      content: text(
        "a container image build file",
        /^FROM \S+/m,
        /^(RUN|COPY|CMD|ENTRYPOINT|ADD|ENV|WORKDIR) /m,
      ),
    },
    {
      name: "gitlab-ci",
      title: "GitLab pipeline exposed",
      severity: "low",
      paths: ["/.gitlab-ci.yml"],
      content: text(
        "a GitLab pipeline",
        /^(stages|image|include|variables|default):/m,
        /^\s+(script|stage):/m,
      ),
    },
    {
      name: "ci-pipeline",
      title: "CI pipeline exposed",
      severity: "low",
      paths: [
        "/.travis.yml",
        "/bitbucket-pipelines.yml",
        "/azure-pipelines.yml",
        "/.circleci/config.yml",
        "/.drone.yml",
      ],
      content: text(
        "a pipeline",
        /^(language|pipelines|trigger|pool|version|kind|jobs|steps):/m,
        /^\s*-?\s*(script|steps|step|run|install|commands):/m,
      ),
    },
    {
      name: "github-workflow",
      title: "GitHub workflow exposed",
      severity: "low",
      paths: ["/.github/workflows/ci.yml", "/.github/workflows/main.yml", "/.github/workflows/deploy.yml"],
      content: text("a GitHub workflow", /^on:/m, /^jobs:/m),
    },
    {
      name: "jenkinsfile",
      title: "Jenkinsfile exposed",
      severity: "low",
      paths: ["/Jenkinsfile"],
      content: text("a Jenkins pipeline", /^\s*(pipeline|node)\s*(\([^)\n]{0,80}\)\s*)?\{/m, /\bstage\s*\(/),
    },
    {
      name: "kubernetes-manifest",
      title: "Kubernetes manifest exposed",
      severity: "medium",
      paths: [
        "/k8s.yaml",
        "/deployment.yaml",
        "/kubernetes/deployment.yaml",
        "/k8s/secret.yaml",
        "/values.yaml",
      ],
      content: text("a Kubernetes manifest", /^apiVersion:\s*\S/m, /^kind:\s*[A-Z]\w+/m),
    },
    {
      name: "ansible",
      title: "Ansible inventory exposed",
      severity: "medium",
      paths: ["/hosts.yml", "/inventory.ini", "/ansible/hosts", "/playbook.yml"],
      content: text(
        "an Ansible inventory or playbook",
        /ansible_(host|user|ssh_\w+|password|connection)\s*[:=]|^- hosts:\s*\S/m,
      ),
    },
    {
      name: "npm-manifest",
      title: "npm manifest exposed (package.json)",
      severity: "low",
      product: "node",
      paths: ["/package.json"],
      content: json(
        "an npm manifest",
        (value) =>
          isObject(value) &&
          ["dependencies", "devDependencies", "scripts"].some((name) => isObject(member(value, name))) &&
          ("name" in value || "version" in value || "scripts" in value),
      ),
    },
    {
      name: "npm-lock",
      title: "npm lock file exposed",
      severity: "low",
      product: "node",
      large: true,
      paths: ["/package-lock.json", "/yarn.lock", "/pnpm-lock.yaml"],
      content: text(
        "a package manager lock file",
        /"lockfileVersion"\s*:|^# yarn lockfile|^lockfileVersion:/m,
      ),
    },
    {
      name: "composer-manifest",
      title: "Composer manifest exposed",
      severity: "low",
      product: "php",
      large: true,
      paths: ["/composer.json", "/composer.lock", "/vendor/composer/installed.json"],
      content: text(
        "a Composer manifest",
        /"(require|content-hash|packages|autoload)"\s*:/,
        /"(php|name|packages)"\s*:/,
      ),
    },
    {
      name: "python-requirements",
      title: "Python requirements exposed",
      severity: "low",
      product: "python",
      paths: ["/requirements.txt", "/Pipfile", "/pyproject.toml", "/poetry.lock"],
      content: text(
        "Python requirements",
        /^[A-Za-z][\w.[\]-]{1,60}\s*(==|>=|~=)\s*\d|^\[(tool\.poetry|project|packages|\[package\])\]/m,
      ),
    },
    {
      name: "go-module",
      title: "Go module file exposed",
      severity: "low",
      product: "go",
      paths: ["/go.mod", "/go.sum"],
      content: text("a Go module file", /^module \S+\s*$|^\S+ v\d[\w.+-]* h1:/m),
    },
    {
      name: "gemfile",
      title: "Gemfile exposed",
      severity: "low",
      product: "rails",
      paths: ["/Gemfile.lock", "/Gemfile"],
      content: text("Ruby gems", /^GEM\s*\n\s+remote:|^source ["']https:\/\/rubygems\.org/m),
    },
    {
      name: "maven",
      title: "Maven project exposed",
      severity: "low",
      product: "java",
      paths: ["/pom.xml", "/build.gradle"],
      content: text(
        "a Java build file",
        /<project[^>]{0,300}>[\s\S]{0,3000}<(groupId|artifactId)>|^\s*(plugins|dependencies)\s*\{/m,
      ),
    },
    {
      name: "cargo",
      title: "Cargo manifest exposed",
      severity: "low",
      paths: ["/Cargo.toml", "/Cargo.lock"],
      content: text(
        "a Cargo manifest",
        /^\[(package|\[package\]|workspace)\]/m,
        /^(name|version|members)\s*=/m,
      ),
    },
    {
      name: "server-source",
      title: "Server source code exposed",
      severity: "high",
      paths: [
        "/server.js",
        "/app.js",
        "/index.js",
        "/app.py",
        "/main.py",
        "/server.py",
        "/wsgi.py",
        "/src/index.js",
      ],
      content: text(
        "server source code",
        /\b(require\(["'](express|koa|fastify|mongoose|sequelize|http|mysql2?|pg)["']\)|from ["'](express|koa|fastify|node:http)["'])|^(from|import) (flask|fastapi|django|sqlalchemy)\b/m,
      ),
    },
    {
      name: "webpack-dev-server",
      title: "Development server exposed (webpack, Vite)",
      severity: "medium",
      product: "node",
      paths: ["/webpack-dev-server", "/__inspect/", "/__nuxt_devtools__/client/"],
      content: page(
        "a development server page",
        /<title>webpack-dev-server|<title>[^<]{0,40}(Vite Inspect|Nuxt DevTools)/i,
      ),
    },
    {
      name: "vite-client",
      title: "Vite development server exposed",
      severity: "medium",
      product: "node",
      large: true,
      paths: ["/@vite/client"],
      content: text("the Vite development server client", /import\.meta\.hot|createHotContext|\/@vite\/env/),
    },
    {
      name: "storybook",
      title: "Storybook exposed",
      severity: "low",
      paths: ["/storybook/", "/storybook/index.html"],
      content: titled("Storybook", /storybook/i),
    },
  ],
);
