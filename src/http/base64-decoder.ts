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

export function createBase64Decoder(): Base64Decoder {
  let decoded = Buffer.alloc(0);
  let size = 0;
  let bits = 0;
  let bitCount = 0;
  let paddings = 0;

  function takeLetters(letters: Uint8Array, from: number): number {
    let at = from;
    for (; at < letters.length; at++) {
      const value = values[letters[at] as number] as number;
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
