import { testExposures } from "../../../testing/test-exposures.ts";
import { environmentExposures } from "./environment.ts";

testExposures(environmentExposures, {
  "environment-file": ["APP_ENV=production\nDB_HOST=db\n", "This is how to write NAME=value files.\n"],
  environment: [
    { env: { PATH: "/usr/bin:/bin", HOME: "/root", PORT: "80" } },
    { PATH: "left", HOME: "Berlin", env: "production" },
  ],
  "browser-settings": [
    'window.APP_CONFIG = { clientSecret: "f83hf83hf83h" };',
    'window.APP_CONFIG = { apiUrl: "/api", key: "pk_live_1" };',
  ],
  "settings-json": [
    { db: { password: "vr7Zq81x" } },
    { theme: "dark", apiUrl: "/api", password: "changeme" },
  ],
  "secrets-json": [{ apiKey: "a8f7e6d5c4b3a2918070" }, { apiKey: "your-api-key" }],
  "settings-python": ["import os\nSECRET_KEY = 'x8'\n", "# SECRET_KEY belongs here\n"],
  "settings-dotnet": [
    { ConnectionStrings: { Main: "Server=db;Password=Zx81vv" } },
    { ConnectionString: undefined, title: "Settings" },
  ],
  "web-config": [
    "<configuration><appSettings></appSettings></configuration>",
    "<config><appSettings/></config>",
  ],
  "launch-settings": [{ profiles: { web: { commandName: "Project" } } }, { profiles: [{ name: "Ines" }] }],
  "settings-spring": ["spring.datasource.url=jdbc:postgresql://db/app\n", "springs.count=3\n"],
  "settings-rails": ["production:\n  adapter: postgresql\n  database: app\n", "adapter: usb\n"],
  "secrets-rails": ["production:\n  secret_key_base: 5f3c9e\n", "production:\n  name: app\n"],
  "master-key-rails": ["0123456789abcdef0123456789abcdef\n", "0123456789abcdef\n"],
  "settings-yaml": ["db:\n  password: vr7Zq81x\n", "db:\n  host: localhost\n"],
  "settings-php": ["<?php $db_password = 'vr7Zq81x';", "A password is set in PHP.\n"],
  serverless: ["service: app\nprovider:\n  name: aws\n", "service: laundry\nprice: 4\n"],
});
