import { createSocket } from "node:dgram";
import { once } from "node:events";

const A = 1;
const AAAA = 28;

export interface NameServer {
  /** For `systemLookup`. */
  readonly address: string;
  /** What it was asked so far: `A api.example.com`. */
  readonly asked: readonly string[];
  close(): void;
}

/** A name server on loopback, over UDP. Of names that are not in its zone it says nothing at all. */
export async function startNameServer(
  zone: Readonly<Record<string, { readonly a?: string; readonly aaaa?: "silent" }>>,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port }) => {
    const { name, type, end } = questionOf(query);
    asked.push(`${type === AAAA ? "AAAA" : "A"} ${name}`);
    const known = zone[name];
    if (!known || (type === AAAA && known.aaaa === "silent")) return;
    const address = type === A ? known.a?.split(".").map(Number) : undefined;
    const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0]);
    const record = Buffer.from(address ? [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : []);
    socket.send(Buffer.concat([header, query.subarray(12, end), record]), port, "127.0.0.1");
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { asked, address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

/** RFC 1035, section 4.1.2: labels with their lengths, the type, the class. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!));
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
