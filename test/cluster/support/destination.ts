/** A place to break out to. */
export interface Destination {
  readonly what: string;
  /** By UDP a DNS query is sent, and any answer counts. */
  readonly protocol: "tcp" | "udp";
  readonly address: string;
  readonly port: number;
}

/** One for each address, with the protocols named. */
export const destinations = (
  what: string,
  addresses: readonly string[],
  ...ends: readonly `${Destination["protocol"]} ${number}`[]
): Destination[] =>
  addresses.flatMap((address) =>
    ends.map((end) => {
      const [protocol, port] = end.split(" ") as [Destination["protocol"], string];
      return { what, protocol, address, port: Number(port) };
    }),
  );

/** How a destination is named in what a test says. */
export const nameOf = ({ what, protocol, address, port }: Destination): string =>
  `${what}: ${protocol} ${address} ${port}`;
