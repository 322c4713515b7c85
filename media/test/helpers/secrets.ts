// What a phone writes into a picture and a stripped file must not contain.

export const secrets = ['SecretMaker', 'SecretXmp', 'SecretText', rational(3230, 100)];

/** As stored in little-endian Exif, the order that the encoder writes. */
function rational(numerator: number, denominator: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(numerator, 0);
  bytes.writeUInt32LE(denominator, 4);
  return bytes.toString('latin1');
}
