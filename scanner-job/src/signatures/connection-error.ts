/**
 * What a server's words say of a connection that it tried to make, in the languages of the usual HTTP clients;
 * undefined where they say nothing of the kind.
 */
export function connectionError(text: string): "refused" | "unresolved" | undefined {
  const start = text.slice(0, 16_384);
  if (UNRESOLVED.test(start)) return "unresolved";
  return REFUSED.test(start) ? "refused" : undefined;
}

const REFUSED =
  /ECONNREFUSED|connection (was )?refused|actively refused|refused to connect|couldn'?t connect to (the )?(server|host)|failed to connect to|ConnectException|ConnectError|NewConnectionError|ERR_CONNECTION_REFUSED|HttpHostConnectException/i;
const UNRESOLVED =
  /ENOTFOUND|EAI_AGAIN|getaddrinfo|could ?n[o']t resolve|name or service not known|no such host|nodename nor servname|UnknownHost|name resolution|NXDOMAIN|ERR_NAME_NOT_RESOLVED|no address associated/i;
