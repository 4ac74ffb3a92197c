import { growthOfSteps } from "@glovebox/domain/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Operation } from "../operation.ts";
import { TEA_SERVICE } from "../../testing/tea-service.ts";
import { soapOperations } from "./wsdl.ts";
import { xmlElements } from "./xml-elements.ts";

const AT = new URL("https://tea.test/ws?wsdl");

test("the operations of a description are read with their envelopes", () => {
  const [find, order] = soapOperations(TEA_SERVICE, AT);
  expect([find, order].map((facts) => [facts?.soapOperation, facts?.path])).toEqual([
    ["FindTeas", "/tea"],
    ["OrderTea", "/tea"],
  ]);
  const request = new Operation("https://tea.test", find!).request();
  expect(request).toMatchObject({
    method: "POST",
    url: "https://tea.test/tea",
    headers: { "content-type": "text/xml; charset=utf-8", soapaction: '"urn:tea/FindTeas"' },
  });
  expect(request.body).toMatch(
    /^<\?xml .*\?><soap:Envelope xmlns:soap="http:\/\/schemas.xmlsoap.org\/soap\/envelope\/"><soap:Body><FindTeas xmlns="urn:tea"><origin>[^<]+<\/origin><limit>\d+<\/limit><\/FindTeas><\/soap:Body><\/soap:Envelope>$/,
  );
});

test("an operation is called as it is where its name says that it reads", () => {
  const operations = soapOperations(TEA_SERVICE, AT).map((facts) => new Operation("https://tea.test", facts));
  expect(operations.map(({ facts, isRead }) => [facts.soapOperation, isRead])).toEqual([
    ["FindTeas", true],
    ["OrderTea", false],
  ]);
});

test("a service of another host is called where its description is", () => {
  const elsewhere = TEA_SERVICE.replace("https://tea.test/tea", "http://10.0.0.7:8080/internal");
  expect(soapOperations(elsewhere, AT).map(({ path }) => path)).toEqual(["/ws", "/ws"]);
});

test("RPC style has the parts of the message in the operation's element", () => {
  const rpc = TEA_SERVICE.replace(
    '<part name="parameters" element="tns:FindTeas"/>',
    '<part name="origin" type="xs:string"/>',
  );
  const request = new Operation("https://tea.test", soapOperations(rpc, AT)[0]!).request();
  expect(request.body).toContain('<m:FindTeas xmlns:m="urn:tea"><origin>');
});

test.each([["<html><body/></html>"], [""], ["<definitions"], ["{}"]])("%j describes no service", (text) => {
  expect(soapOperations(text, AT)).toEqual([]);
});

test("any text that a host serves is read without an error", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom("<a", " b='c'", ' d="', "</a>", "<!--", "/>", ">", "x:", "<", "\n", "definitions"),
      ),
      (parts) => {
        xmlElements(parts.join(""));
      },
    ),
  );
});

test.each<[string, (size: number) => string]>([
  ["of open tags", (size) => "<a ".repeat(size)],
  ["of white space in a tag", (size) => "<a".padEnd(size)],
  ["of attributes in a tag", (size) => `<a ${"b='c' ".repeat(size)}`],
  ["of open comments", (size) => "<!--".repeat(size)],
])("a text %s is read in steps that grow with it", (_, textOf) => {
  expect(growthOfSteps((size) => soapOperations(textOf(size), AT), 1_000)).toBeLessThan(2.2);
});
