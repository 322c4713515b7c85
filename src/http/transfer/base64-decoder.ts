// Decodes base64 as it comes, in both alphabets and with or without padding; what is not base64 is told, not dropped.

export type Base64Decoder = {
  /** From here on so many letters come at most; what was decoded before is forgotten. */
  makeRoom(letterCount: number): void;
  /** Takes letters from there on and gives the position of the first one that has no place here. */
  take(letters: Uint8Array, from: number): number;
  /** What was decoded since the room was made, in a buffer that is used again. */
  bytes(): Buffer;
  /** Whether the letters so far make whole bytes. */
  isWhole(): boolean;
};

const padding = 0x3d;
const invalid = 64;
const values = new Uint8Array(256).fill(invalid);
for (const alphabet of [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
]) {
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
}

const anyInvalid = 0x40404040;

/** Behind the end stands no letter either. */
function bitsOf(letters: Uint8Array, at: number): number {
  return values[letters[at] ?? 0] as number;
}

export function createBase64Decoder(): Base64Decoder {
  let decoded = Buffer.alloc(0);
  let size = 0;
  let bits = 0;
  let bitCount = 0;
  let paddings = 0;

  /** Three bytes at a time, as long as nothing is left over from before and four letters follow. */
  function takeGroups(letters: Uint8Array, from: number): number {
    let at = from;
    let end = size;
    for (; at + 4 <= letters.length; at += 4) {
      const group =
        (bitsOf(letters, at) << 24) |
        (bitsOf(letters, at + 1) << 16) |
        (bitsOf(letters, at + 2) << 8) |
        bitsOf(letters, at + 3);
      if ((group & anyInvalid) !== 0) break;
      decoded[end] = (group >> 22) | ((group >> 20) & 0x03);
      decoded[end + 1] = ((group >> 12) & 0xf0) | ((group >> 10) & 0x0f);
      decoded[end + 2] = ((group >> 2) & 0xc0) | (group & 0x3f);
      end += 3;
    }
    size = end;
    return at;
  }

  function takeLetters(letters: Uint8Array, from: number): number {
    let at = from;
    for (; at < letters.length; at++) {
      if (bitCount === 0) at = takeGroups(letters, at);
      const value = bitsOf(letters, at);
      if (value === invalid) break;
      bits = ((bits << 6) | value) & 0xfff;
      bitCount += 6;
      if (bitCount >= 8) {
        bitCount -= 8;
        decoded[size] = bits >> bitCount;
        size += 1;
      }
    }
    return at;
  }

  return {
    makeRoom: (letterCount) => {
      if (decoded.length < letterCount) decoded = Buffer.allocUnsafeSlow(letterCount);
      size = 0;
    },
    take: (letters, from) => {
      let at = paddings === 0 ? takeLetters(letters, from) : from;
      for (; letters[at] === padding && paddings < 2; at++) paddings += 1;
      return at;
    },
    bytes: () => decoded.subarray(0, size),
    // A single letter behind whole groups holds no byte.
    isWhole: () => bitCount !== 6,
  };
}
