// oidc-provider is a library: one client, no development screens, behind a TLS proxy.
import Provider from "oidc-provider";

const [port, issuer] = process.argv.slice(2);
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "reader",
      client_secret: "a-long-secret-of-the-reader-7",
      redirect_uris: ["https://reader.example/callback"],
    },
  ],
  cookies: { keys: ["a-long-key-for-the-cookies-7"] },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    revocation: { enabled: true },
  },
});
provider.proxy = true;
provider.listen(Number(port), "127.0.0.1");
