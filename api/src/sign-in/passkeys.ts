import { newToken, type Passkey, type User } from "@glovebox/store";
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";

/*
 * Passkeys as a second factor (Web Authentication, level 3): they prove that the authenticator is there. The password, or the
 * provider, has said who the user is, so the authenticator need not verify that.
 */

/** Loaded when a passkey is first used: it takes 10 MiB. */
const library = () => import("@simplewebauthn/server");

const NAME = "Glovebox";
/** EdDSA, ES256 and RS256 (COSE): what authenticators have, and Node verifies without a warning. */
const ALGORITHMS = [-8, -7, -257];

/** The options for `navigator.credentials.create`, as JSON. */
export async function registrationOptions(
  user: Pick<User, "id" | "email" | "name">,
  passkeys: readonly Passkey[],
  publicUrl: URL,
): Promise<{ challenge: string; options: string }> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: publicUrl.hostname,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge: Buffer.from(newToken(), "base64url"),
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(credentialOf),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  return { challenge: options.challenge, options: JSON.stringify(options) };
}

/** The passkey that the browser made; undefined when it is not a response to this challenge from this origin. */
export async function registeredPasskey(
  credential: string,
  challenge: string,
  publicUrl: URL,
): Promise<Pick<Passkey, "id" | "publicKey" | "counter" | "transports"> | undefined> {
  return unlessInvalid(async () => {
    const { verifyRegistrationResponse } = await library();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(credential) as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: publicUrl.origin,
      expectedRPID: publicUrl.hostname,
      requireUserVerification: false,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { id, counter, transports, publicKey: Buffer.from(publicKey).toString("base64url") };
  });
}

/** The options for `navigator.credentials.get`, as JSON. */
export async function signInOptions(
  passkeys: readonly Passkey[],
  publicUrl: URL,
): Promise<{ challenge: string; options: string }> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: publicUrl.hostname,
    challenge: Buffer.from(newToken(), "base64url"),
    allowCredentials: passkeys.map(credentialOf),
    userVerification: "preferred",
  });
  return { challenge: options.challenge, options: JSON.stringify(options) };
}

/** Which of these passkeys signed the challenge, and its new counter; undefined when none did. */
export async function usedPasskey(
  credential: string,
  challenge: string,
  { passkeys, publicUrl }: { passkeys: readonly Passkey[]; publicUrl: URL },
): Promise<Pick<Passkey, "id" | "counter"> | undefined> {
  return unlessInvalid(async () => {
    const response = JSON.parse(credential) as AuthenticationResponseJSON;
    const passkey = passkeys.find(({ id }) => id === response.id);
    if (!passkey) return undefined;
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: publicUrl.origin,
      expectedRPID: publicUrl.hostname,
      requireUserVerification: false,
      credential: {
        id: passkey.id,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
    });
    return verified ? { id: passkey.id, counter: authenticationInfo.newCounter } : undefined;
  });
}

const credentialOf = ({ id, transports }: Passkey) => ({
  id,
  transports: transports as AuthenticatorTransport[],
});

/** The library throws for anything that is wrong with a response, and the response is what a browser sent. */
async function unlessInvalid<T>(verify: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
