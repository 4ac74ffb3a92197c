import { isObject, walk } from "../json.ts";
import { isNoSecret, isSecretName } from "./assigned-secrets.ts";
import { sensitiveFields } from "./sensitive-fields.ts";

/** True for JSON with at least two variables that the environment of a process has, with values as they have them. */
export const isEnvironment = (json: unknown): boolean =>
  [...walk(json, { depth: 3, values: 2_000, items: 5 })].some(
    ({ value }) =>
      isObject(value) &&
      Object.entries(value).filter(
        ([name, text]) =>
          typeof text === "string" && VARIABLES.some(([form, holds]) => form.test(name) && holds.test(text)),
      ).length >= 2,
  );

const ANY = /\S/;
const VARIABLES: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^path$/i, /^(\/[\w./-]{2,80}[:;]|[A-Z]:\\)/],
  [/^(home|pwd|oldpwd|virtual_env|java_home|npm_config_cache)$/i, /^(\/|[A-Z]:\\)/],
  [
    /^(NODE_ENV|FLASK_ENV|RAILS_ENV|APP_ENV|ASPNETCORE_ENVIRONMENT|DJANGO_SETTINGS_MODULE|NODE_VERSION|PYTHON_VERSION|LANG|SHLVL)$/,
    ANY,
  ],
  [/^(DATABASE|REDIS|MONGO|MONGODB|AMQP|RABBITMQ|POSTGRES|MYSQL|DB)_(URL|URI|DSN|HOST|USER|NAME)$/, ANY],
  [/^[A-Z][A-Z\d_]{1,40}_(SECRET|TOKEN|PASSWORD|API_KEY|KEY)$/, /^\S{6,}$/],
  [/^(KUBERNETES_SERVICE_HOST|HOSTNAME|AWS_REGION|AWS_EXECUTION_ENV)$/, ANY],
];

/** True for JSON with a field that is named as a secret and holds one. */
export const holdsSecret = (json: unknown): boolean =>
  sensitiveFields(json).length > 0 ||
  [...walk(json, { depth: 5, values: 2_000, items: 20 })].some(
    ({ key, value }) =>
      typeof value === "string" &&
      SECRET.test(key) &&
      isSecretName(key) &&
      value.length >= 8 &&
      !/\s/.test(value) &&
      !isNoSecret(value),
  );

const SECRET = /(secret|password|passwd|private_?key|access_?key|api_?key|token)$/i;
