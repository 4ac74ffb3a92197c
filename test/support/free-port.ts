import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A TCP port of the address that is free at the moment. It stays free until another program takes it. */
export async function freePort(address = "127.0.0.1"): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
