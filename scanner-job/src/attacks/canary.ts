/** A host that cannot exist (RFC 6761, section 6.4): no name server will ever lead a request of the target's to it. */
export const canaryHost = (nonce: string): string => `glovebox-${nonce}.invalid`;
