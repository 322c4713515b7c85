// Faults that a search must find when it starts from valid inputs only: each breaks one line of the service.
import type { PlantedFault } from './engine/load-instrumented.ts';

export type KnownFault = PlantedFault & {
  readonly name: string;
  readonly target: string;
  /** What the search must report. */
  readonly signature: RegExp;
};

export const knownFaults: readonly KnownFault[] = [
  {
    name: 'an endless loop over sections of a PDF that refer to each other',
    target: 'prove-pdf',
    file: 'src/media/proofs/pdf.ts',
    find: 'if (seen.has(next) || seen.size === maxSections) return',
    replace: 'if (seen.size === maxSections) return',
    signature: /TooMuchWork/,
  },
  {
    name: 'work that grows much faster than the number of WAV chunks',
    target: 'prove-wav',
    file: 'src/media/proofs/wav.ts',
    find: '    chunks.push(chunk);',
    replace:
      '    chunks.push(chunk);\n    for (const one of chunks) for (const other of chunks) if (one.start < 0 && other.start < 0) return "";',
    signature: /TooMuchWork/,
  },
  {
    name: 'the wrong kind of error for a broken index of appended pictures',
    target: 'prove-jpeg',
    file: 'src/media/proofs/jpeg-multi-picture.ts',
    find: 'if (count < 2 || count > maxPictures || table + count * entryBytes > tiff.length) return [];',
    replace:
      "if (count < 2 || count > maxPictures || table + count * entryBytes > tiff.length) throw new TypeError('no index');",
    signature: /TypeError: no index/,
  },
  {
    name: 'a read past the end of an animation chunk behind a checksum',
    target: 'prove-png',
    file: 'src/media/proofs/png.ts',
    find: "    if (length !== 8) return 'wrong acTL';\n",
    replace: '',
    signature: /RangeError/,
  },
  {
    name: 'a read past the end of an Exif directory',
    target: 'strip-webp',
    file: 'src/media/exif.ts',
    find: 'directory + 2 > tiff.length',
    replace: 'directory > tiff.length',
    signature: /RangeError/,
  },
  {
    name: 'a read before the start of an MP3 file',
    target: 'prove-mp3',
    file: 'src/media/proofs/mp3-tags.ts',
    find: 'end < lyricsFooterBytes || ',
    replace: '',
    signature: /read at -/,
  },
  {
    name: 'a ZIP entry with an absolute path',
    target: 'prove-zip',
    file: 'src/media/proofs/zip-names.ts',
    find: '/^(?:\\/|[a-z]:)/i',
    replace: '/^[a-z]:/i',
    signature: /a dangerous name/,
  },
  {
    name: 'a picture that is also a PDF',
    target: 'prove-gif',
    file: 'src/media/proofs/polyglot.ts',
    find: "tail.includes('%%EOF')",
    replace: "tail.subarray(-16).includes('%%EOF')",
    signature: /and a PDF/,
  },
  {
    name: 'markup at the end of a piece of text',
    target: 'prove-text',
    file: 'src/media/proofs/text.ts',
    find: 'const markupBytes = 16;',
    replace: 'const markupBytes = 6;',
    signature: /where the pieces are cut/,
  },
  {
    name: 'a position left in a JPEG between two scans',
    target: 'strip-jpeg',
    file: 'src/media/strip/jpeg.ts',
    find: '  for (const segment of segments) {\n    const edit',
    replace: '  for (const segment of segments.slice(0, 9)) {\n    const edit',
    signature: /metadata left|planted position|stripped again/,
  },
  {
    name: 'a WebP frame whose size is not updated',
    target: 'strip-webp',
    file: 'src/media/strip/webp.ts',
    find: 'bytes: uint32(length + growth(removals)) }',
    replace: 'bytes: uint32(length) }',
    signature: /not the same picture/,
  },
  {
    name: 'a form that is too large in chunks that are not',
    target: 'multipart',
    file: 'src/http/transfer/multipart-parts.ts',
    find: 'if (size > bytes) throw refusal;',
    replace: 'if (chunk.length > bytes) throw refusal;',
    signature: /too large/,
  },
  {
    name: 'two spellings of one access token',
    target: 'access-token',
    file: 'src/auth/access-token.ts',
    find: 'if (parts.length !== 3 || parts.some((part) => !isCanonical(part)))',
    replace: 'if (parts.length !== 3)',
    signature: /AssertionError/,
  },
  {
    name: 'two spellings of one refresh token',
    target: 'refresh-token',
    file: 'src/auth/refresh-token.ts',
    find: "bytes.length !== bodyLength + macLength || bytes.toString('base64url') !== text",
    replace: 'bytes.length !== bodyLength + macLength',
    signature: /another spelling/,
  },
  {
    name: 'an expired ask token',
    target: 'ask-token',
    file: 'src/auth/ask-token.ts',
    find: 'now >= body.readUInt32BE(3 + idLength) * 1000',
    replace: 'now / 1000 > body.readUInt32BE(3 + idLength) * 1000',
    signature: /expired/,
  },
  {
    name: 'a captcha that expired long ago',
    target: 'captcha-token',
    file: 'src/adapters/captcha/altcha-captcha.ts',
    find: 'if (now >= expiresAt) return undefined;',
    replace: 'if (now >= expiresAt && expiresAt > 1000) return undefined;',
    signature: /forgotten at once/,
  },
  {
    name: 'two different cookies of one name',
    target: 'cookies',
    file: 'src/http/interface/cookies.ts',
    find: 'if (new Set(values).size > 1)',
    replace: 'if (new Set(values).size > 1 && values.length > 2)',
    signature: /not the only one/,
  },
  {
    name: 'two ranges that overlap by one byte',
    target: 'byte-ranges',
    file: 'src/http/transfer/byte-ranges.ts',
    find: 'range.start <= other.end + 1 && other.start <= range.end + 1',
    replace: 'range.start < other.end && other.start < range.end',
    signature: /overlap/,
  },
  {
    name: 'a header of a stranger that counts',
    target: 'client-address',
    file: 'src/http/server/client-address.ts',
    find: 'if (address === undefined || !isTrusted(address)) break;',
    replace: 'if (address === undefined || (!isTrusted(address) && hop.length > 2)) break;',
    signature: /stranger/,
  },
  {
    name: 'a NUL in a name deep inside a JSON body',
    target: 'json-body',
    file: 'src/http/server/json-body.ts',
    find: 'if (!isPlainText(name))',
    replace: 'if (entry.depth < 3 && !isPlainText(name))',
    signature: /dangerous name/,
  },
];
