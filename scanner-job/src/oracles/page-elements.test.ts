import { expect, test } from "vitest";
import { attributesIn, textIn } from "./page-elements.ts";

const MARK = `<mark-x title="1'">`;

test.each([
  ["the body", `<p>No ${MARK}</p>`],
  ["a fragment without a document", MARK],
  ["a table, before which it is put", `<table><tr>${MARK}</table>`],
  ["a select", `<select></select>${MARK}`],
  ["a title of a drawing, which is not text", `<svg><title>${MARK}</title></svg>`],
  ["a title that it closes", `<title></title>${MARK}</title>`],
])("an element in %s is found", (_, page) => {
  expect(attributesIn(page, "mark-x")?.get("title")).toBe("1'");
});

test.each([
  ["a title", `<title>${MARK}</title>`],
  ["a text area", `<textarea>${MARK}</textarea>`],
  ["what is shown without scripts", `<body><noscript>${MARK}</noscript>`],
  ["a template", `<template><p>${MARK}</p></template>`],
  ["an attribute", `<input value='<mark-x title="1">'>`],
  ["a comment", `<!-- ${MARK} -->`],
  ["a comment that ends early", `<!-- > ${MARK} -->`],
  ["a script", `<script>var q = '${MARK}';</script>`],
  ["a style", `<style>${MARK}</style>`],
  ["escaped text", "<p>&lt;mark-x&gt;</p>"],
])("an element in %s is none of the page", (_, page) => {
  expect(attributesIn(`<!doctype html>${page}`, "mark-x")).toBeUndefined();
});

test("a page of millions of elements is parsed up to a limit", () => {
  const formats = Array.from({ length: 10_000 }, (_, index) => `<b id=${index}>`).join("");
  const page = `${MARK}${formats}${"<p>".repeat(10_000)}<late-x>`;
  expect(attributesIn(page, "mark-x")).toBeDefined();
  expect(attributesIn(page, "late-x")).toBeUndefined();
});

test("the text of a page is what it shows, and its data, without attributes, scripts and styles", () => {
  const page = `<title>Not found</title><script src="/a.js">run()</script><style>p{}</style>
    <script type="application/json">{"page":1}</script><p class="x">No <b>page</b></p>`;
  expect(textIn(page).split(/\s+/).filter(Boolean)).toEqual(["Not", "found", '{"page":1}', "No", "page"]);
});
