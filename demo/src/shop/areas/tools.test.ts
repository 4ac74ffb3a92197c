import { testShop } from "../testing/shop-tests.ts";
import { tools } from "./tools.ts";

testShop("tools", tools, {
  weaknesses: {
    "Server-side request forgery in `url`, which returns the response": async (api) => {
      const url = encodeURIComponent("http://169.254.169.254/latest/meta-data/");
      return (await (await api.as("alice")).get(`/v2/link-previews?url=${url}`)).text.includes("ami-id");
    },
    "An invalid date returns a stack trace": async (api) => {
      const alice = await api.as("alice");
      const valid = await alice.get("/v2/shipments?since=2027-01-12");
      return valid.status === 200 && (await alice.get("/v2/shipments?since=soon")).text.includes('"stack"');
    },
    "Reflected cross-site scripting: `line` is not escaped": async (api) =>
      (await (await api.as("alice")).get("/v2/labels?line=%3Cimg%3E")).text.includes("<img>"),
  },
});
