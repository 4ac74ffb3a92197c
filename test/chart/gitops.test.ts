import { loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { read } from "../docs/repository.ts";
import { find, render, type Manifest } from "./helm.ts";

const documentsOf = (name: string) => loadAll(read(`k8s/examples/${name}`)) as Manifest[];
const argoCd = documentsOf("argo-cd.yaml");
const flux = documentsOf("flux.yaml");
const kindsOf = (documents: Manifest[]) => documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);

describe("the Argo CD example", () => {
  test("the Argo CD example is an Application with valid values, and a health check", () => {
    expect(kindsOf(argoCd)).toEqual(["argoproj.io/v1alpha1 Application", "v1 ConfigMap"]);
    const { source } = argoCd[0]!["spec"];
    const manifests = render(source.helm.valuesObject);
    expect(find(manifests, "Namespace", "glovebox-scans")).toBeDefined();
    expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
  });

  test("maps the conditions Complete and Failed of a Scan to a health status", () => {
    const lua: string = argoCd[1]!["data"]["resource.customizations.health.glovebox.dev_Scan"];
    for (const [condition, health] of [
      ["Complete", "Healthy"],
      ["Failed", "Degraded"],
    ])
      expect(lua).toMatch(
        new RegExp(`condition.type == "${condition}" then\\s+health = { status = "${health}"`),
      );
  });
});

test("the Argo CD example maps the condition Ready of a ScanSchedule to a health status", () => {
  const lua: string = argoCd[1]!["data"]["resource.customizations.health.glovebox.dev_ScanSchedule"];
  expect(lua).toMatch(/"Ready" and condition.status == "True" then\s+health = {.*"Suspended" or "Healthy"/);
  expect(lua).toMatch(/elseif condition.type == "Ready" then\s+health = { status = "Degraded"/);
});

describe("the Flux example", () => {
  test("the Flux example is a HelmRelease of an OCIRepository, with valid values", () => {
    expect(kindsOf(flux)).toEqual([
      "source.toolkit.fluxcd.io/v1 OCIRepository",
      "helm.toolkit.fluxcd.io/v2 HelmRelease",
    ]);
    const [repository, release] = flux as [Manifest, Manifest];
    const { kind, metadata } = repository as { kind: string; metadata: { name: string } };
    expect(release["spec"].chartRef).toEqual({ kind, name: metadata.name });
    expect(release["metadata"].namespace).toBe(repository["metadata"].namespace);
    expect(render(release["spec"].values).length).toBeGreaterThan(10);
  });

  test("verifies the signature of the release workflow only", () => {
    const [{ issuer, subject }] = flux[0]!["spec"].verify.matchOIDCIdentity;
    const releaseSubject = "https://github.com/OWNER/glovebox/.github/workflows/release.yml@refs/tags/v1.0.0";
    expect("https://token.actions.githubusercontent.com").toMatch(new RegExp(issuer));
    expect(releaseSubject).toMatch(new RegExp(subject));
    expect(releaseSubject.replace("OWNER", "OTHER")).not.toMatch(new RegExp(subject));
    expect(releaseSubject.replace("release.yml", "ci.yml")).not.toMatch(new RegExp(subject));
  });
});

test.each(["argo-cd.yaml", "flux.yaml"])("%s contains the placeholder OWNER instead of an owner", (name) => {
  const owners = [...read(`k8s/examples/${name}`).matchAll(/ghcr\.io\/([^/\s]+)/g)].map(([, owner]) => owner);
  expect(new Set(owners)).toEqual(new Set(["OWNER"]));
});
