// Reads EBML elements, which make up WebM: an identifier, a length that may be unknown, and small values (RFC 8794).
export type Element = {
  readonly id: number;
  /** Where the content begins: at least two bytes after the start of the element. */
  readonly start: number;
  /** Undefined if unknown: the element then ends before the next element that it cannot contain. */
  readonly length: number | undefined;
  /** The first bytes of the content, or all of it if it is short. */
  readonly head: Buffer;
};

export const ids = {
  header: 0x1a45dfa3,
  docType: 0x4282,
  void: 0xec,
  checksum: 0xbf,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  audio: 0xe1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cuePositions: 0xb7,
  tags: 0x1254c367,
  tag: 0x7373,
  targets: 0x63c0,
  simpleTag: 0x67c8,
  chapters: 0x1043a770,
  attachments: 0x1941a469,
} as const;

const maxHeadBytes = 64;

/** The number of bytes that `parseElement` needs. */
export const elementBytes = 12 + maxHeadBytes;

/** Undefined if there is no element at this position. */
export function parseElement(bytes: Buffer, position: number): Element | undefined {
  const idWidth = widthAt(bytes, 0);
  const lengthWidth = widthAt(bytes, idWidth);
  if (idWidth > 4 || lengthWidth > 8 || bytes.length < idWidth + lengthWidth) return undefined;
  const length = lengthAt(bytes, idWidth, lengthWidth);
  if (length !== undefined && !Number.isSafeInteger(length)) return undefined;
  const headAt = idWidth + lengthWidth;
  const head = bytes.subarray(headAt, headAt + Math.min(length ?? 0, maxHeadBytes));
  return { id: bytes.readUIntBE(0, idWidth), start: position + headAt, length, head };
}

/** The leading zero bits of the first byte give the number of bytes that follow it. 9 for a zero, and at the end. */
function widthAt(bytes: Buffer, at: number): number {
  return Math.clz32(bytes[at] ?? 0) - 23;
}

function lengthAt(bytes: Buffer, at: number, width: number): number | undefined {
  let value = bytes.readUInt8(at) & (0xff >>> width);
  let isUnknown = value === 0xff >>> width;
  for (const byte of bytes.subarray(at + 1, at + width)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return isUnknown ? undefined : value;
}

/** Trailing zeros are padding, not part of the text. */
export function textOf({ head }: Element): string {
  return head.toString('latin1').replace(/(?<!\0)\0+$/, '');
}

/** NaN if the value is longer than eight bytes. */
export function unsignedOf({ head }: Element): number {
  return head.length > 8 ? Number.NaN : head.reduce((sum, byte) => sum * 256 + byte, 0);
}
