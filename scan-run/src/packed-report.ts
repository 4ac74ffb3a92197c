import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync, gunzip, gunzipSync } from "node:zlib";

/*
 * A report as it is stored: the gzip (RFC 1952) of its JSON, a single member, whose first DEFLATE block is a stored one
 * (RFC 1951, section 3.2.4) with the opening brace alone. Members can therefore be put in front of the members of the report without
 * decompressing it: another first block, and another checksum, which is computed from the one that is known.
 */

/** Deflated at a level that costs about 20 ms a megabyte. */
const OPTIONS = { level: 6 };
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]); // no name, no time, unknown system
const TRAILER_BYTES = 8;
const BLOCK_HEADER_BYTES = 5;
const MAX_BLOCK_BYTES = 0xffff;
const BRACE = Buffer.from("{");
/** Smaller buffers are refused by zlib. */
const MIN_CHUNK_BYTES = 64;
/** Where the deflated rest of a packed object begins. */
const REST_AT = HEADER.length + BLOCK_HEADER_BYTES + BRACE.length;

/** Packs a JSON object. Takes time in proportion to its size: not for a thread that serves requests. */
export function packed(json: string): Buffer {
  const rest = restOf(json);
  return assembled(rest, deflateRawSync(rest, OPTIONS));
}

const deflated = promisify<Buffer, typeof OPTIONS, Buffer>(deflateRaw);

/** As `packed`, and compresses outside the thread. */
export async function packedOutside(json: string): Promise<Buffer> {
  const rest = restOf(json);
  return assembled(rest, await deflated(rest, OPTIONS));
}

const inflated = promisify<Uint8Array, Buffer>(gunzip);

/** The JSON of a packed object; decompresses outside the thread. */
export const unpacked = async (bytes: Uint8Array): Promise<string> => (await inflated(bytes)).toString();

/** The size of the JSON in bytes: gzip has it at its end. */
export const unpackedSize = (bytes: Uint8Array): number => viewOf(bytes).getUint32(bytes.length - 4, true);

/**
 * The gzip of one object with the members of `first`, a JSON object with at least one, and then the members of a packed one with at
 * least one. Compresses and decompresses nothing.
 */
export function joined(first: string, bytes: Uint8Array): Buffer {
  const head = Buffer.from(headOf(first));
  const deflatedRest = bytes.subarray(REST_AT, bytes.length - TRAILER_BYTES);
  const restSize = unpackedSize(bytes) - BRACE.length;
  // The checksum of a concatenation is linear: what differs is the part of the head.
  const checksum = viewOf(bytes).getUint32(bytes.length - TRAILER_BYTES, true);
  const changed = checksum ^ shifted((crc32(BRACE) ^ crc32(head)) >>> 0, restSize);
  const trailer = trailerOf(changed >>> 0, head.length + restSize);
  return Buffer.concat([HEADER, ...storedBlocks(head), deflatedRest, trailer]);
}

/** What `joined` would decompress to. Takes time in proportion to its size: for small objects. */
export function joinedJson(first: string, bytes: Uint8Array): string {
  // One byte more, so that zlib sees the end without a second buffer; the default buffer of 16 KiB would outlive the request.
  const chunkSize = Math.max(MIN_CHUNK_BYTES, unpackedSize(bytes) + 1);
  return headOf(first) + gunzipSync(bytes, { chunkSize }).toString("utf8", BRACE.length);
}

const headOf = (first: string): string => `${first.slice(0, first.lastIndexOf("}"))},`;

function restOf(json: string): Buffer {
  const trimmed = json.trimStart();
  if (!trimmed.startsWith("{")) throw new TypeError("Only a JSON object can be packed");
  return Buffer.from(trimmed.slice(1));
}

const assembled = (rest: Buffer, deflatedRest: Buffer): Buffer =>
  Buffer.concat([
    HEADER,
    ...storedBlocks(BRACE),
    deflatedRest,
    trailerOf(crc32(rest, crc32(BRACE)), BRACE.length + rest.length),
  ]);

/** Blocks that are not the last ones: they begin and end at a byte, and so does what follows. */
function* storedBlocks(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += MAX_BLOCK_BYTES) {
    const part = bytes.subarray(at, at + MAX_BLOCK_BYTES);
    const header = Buffer.alloc(BLOCK_HEADER_BYTES);
    header.writeUInt16LE(part.length, 1);
    header.writeUInt16LE(~part.length & 0xffff, 3);
    yield header;
    yield part;
  }
}

function trailerOf(checksum: number, size: number): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return trailer;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/*
 * CRC-32 is the remainder of a polynomial over GF(2), its lowest coefficient in the highest bit. This many bytes behind a text
 * multiply its remainder by x to the power of eight for each.
 */

const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X_TO_THE_8 = 0x00800000;

/** The remainder of a text that is followed by this many zero bytes. */
function shifted(remainder: number, bytes: number): number {
  let power = ONE;
  for (let [base, left] = [X_TO_THE_8, bytes]; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, base);
    base = product(base, base);
  }
  return product(remainder, power);
}

function product(a: number, b: number): number {
  let [sum, multiple] = [0, b];
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) sum ^= multiple;
    multiple = multiple & 1 ? (multiple >>> 1) ^ POLYNOMIAL : multiple >>> 1;
  }
  return sum >>> 0;
}
