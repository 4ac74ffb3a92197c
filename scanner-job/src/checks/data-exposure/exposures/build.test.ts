import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { buildExposures } from "./build.ts";

testExposures(buildExposures, {
  "docker-compose": ["services:\n  app:\n    image: app\n", "services:\n  - hair\n  - nails\n"],
  dockerfile: ["FROM node:24\nRUN npm ci\n", "FROM Ines\nTO Jan\n"],
  "gitlab-ci": ["stages:\n  - test\ntest:\n  script: npm test\n", "stages: two\n"],
  "ci-pipeline": ["language: node_js\nsteps:\n  - script: npm test\n", "language: German\n"],
  "github-workflow": ["on: push\njobs:\n  test: {}\n", "jobs:\n  - cook\n"],
  jenkinsfile: ["pipeline {\n  stage('test') {}\n}\n", "a pipeline of oil\n"],
  "kubernetes-manifest": ["apiVersion: apps/v1\nkind: Deployment\n", "kind: cheerful\n"],
  ansible: ["all:\n  ansible_host: 10.0.0.1\n", "all:\n  host: 10.0.0.1\n"],
  "npm-manifest": [{ name: "app", dependencies: { express: "4.19.2" } }, { name: "app" }],
  "npm-lock": [{ lockfileVersion: 3 }, { version: 3 }],
  "composer-manifest": [{ name: "a/b", require: { php: ">=8" } }, { description: "a" }],
  "python-requirements": ["flask==3.0.0\n", "flask is a bottle\n"],
  "go-module": ["module example.org/app\n\ngo 1.23\n", "module two of the course\n"],
  gemfile: ["GEM\n  remote: https://rubygems.org/\n", "A gem\n"],
  maven: ["<project><groupId>a</groupId></project>", "<project>a</project>"],
  cargo: ['[package]\nname = "a"\n', "[package]\n"],
  "server-source": ["const express = require('express');\n", "document.write('express')\n"],
  "webpack-dev-server": [pageOf("webpack-dev-server"), pageOf("webpack")],
  "vite-client": ["import '/@vite/env';\n", "import './a.js';\n"],
  storybook: [pageOf("Storybook"), pageOf("Books")],
});
