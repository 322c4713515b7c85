// Takes the base64 text of `content` out of a JSON object that arrives in chunks; the small rest is kept to be parsed as JSON.
import { Failure } from '../../kernel/failure.ts';
import { maxDepth, shownName } from '../server/json-body.ts';
import { createBase64Decoder } from './base64-decoder.ts';

/** Everything but the content: names, types, fields that nobody asked for, white space. */
export const restBytes = 64 * 1024;

export type ContentSplitter = {
  /** Bytes of the file that the chunk held, in a buffer that is used again; undefined while the content has not begun. */
  take(chunk: Uint8Array): Buffer | undefined;
  /** The object with an empty text as its content: well-formed exactly when the whole is. */
  rest(): Buffer;
};

const [quote, backslash, slash, letterU] = [0x22, 0x5c, 0x2f, 0x75];
const otherEscapes = new Set(Buffer.from('"\\bfnrt'));
const openers = new Set(Buffer.from('{['));
const closers = new Set(Buffer.from('}]'));
const blanks = new Set(Buffer.from(' \t\r\n'));
const [openBrace, comma, colon] = [0x7b, 0x2c, 0x3a];
/** No longer name can mean `content`, however it is escaped. */
const keyBytes = 64;

export function createContentSplitter(): ContentSplitter {
  const kept = Buffer.allocUnsafeSlow(restBytes);
  const decoder = createBase64Decoder();
  const single = new Uint8Array(1);
  let keptSize = 0;
  /** Takes the next byte, by where it stands. */
  let takeNext: (byte: number) => void = takeBetween;
  let depth = 0;
  let textStart = 0;
  let isKeyNext = false;
  let isValueNext = false;
  let key = '';
  let hasContent = false;
  let code = '';

  function keep(byte: number): void {
    if (keptSize === restBytes)
      throw depth < 1 ? new Failure('JSON_INVALID') : new Failure('REQUEST_INVALID', { field: shownName(key) });
    kept[keptSize] = byte;
    keptSize += 1;
  }

  function takeBetween(byte: number): void {
    if (byte === quote) beginText();
    else if (openers.has(byte)) {
      depth += 1;
      if (depth > maxDepth) throw new Failure('JSON_INVALID');
      isKeyNext = depth === 1 && byte === openBrace;
    } else if (closers.has(byte)) depth -= 1;
    else if (byte === comma) isKeyNext = depth === 1;
    if (!blanks.has(byte)) isValueNext = byte === colon && depth === 1;
    keep(byte);
  }

  function beginText(): void {
    textStart = keptSize;
    takeNext = isValueNext && key === 'content' ? takeContent : takeText;
    if (takeNext === takeText) return;
    // Its bytes have gone to the file already.
    if (hasContent) throw contentInvalid();
    hasContent = true;
  }

  function takeText(byte: number): void {
    keep(byte);
    if (byte === backslash) takeNext = takeEscape;
    if (byte !== quote) return;
    takeNext = takeBetween;
    if (!isKeyNext) return;
    isKeyNext = false;
    key = readKey(kept.subarray(textStart, keptSize));
  }

  function takeEscape(byte: number): void {
    keep(byte);
    takeNext = takeText;
  }

  /** Where no letter of base64 stands. */
  function takeContent(byte: number): void {
    if (byte === backslash) takeNext = takeContentEscape;
    else if (byte < 0x20) throw new Failure('JSON_INVALID');
    else if (byte !== quote || !decoder.isWhole()) throw contentInvalid();
    else {
      takeNext = takeBetween;
      keep(byte);
    }
  }

  function takeContentEscape(byte: number): void {
    if (byte === letterU) {
      code = '';
      takeNext = takeContentCode;
    } else {
      if (byte !== slash) throw otherEscapes.has(byte) ? contentInvalid() : new Failure('JSON_INVALID');
      decode(byte);
      takeNext = takeContent;
    }
  }

  function takeContentCode(byte: number): void {
    code += String.fromCharCode(byte);
    if (!/^[\da-f]+$/i.test(code)) throw new Failure('JSON_INVALID');
    if (code.length < 4) return;
    decode(Number.parseInt(code, 16));
    takeNext = takeContent;
  }

  function decode(letter: number): void {
    single[0] = letter;
    if (letter > 0x7f || decoder.take(single, 0) === 0) throw contentInvalid();
  }

  return {
    take: (chunk) => {
      decoder.makeRoom(chunk.length);
      for (let at = 0; at < chunk.length; at++) {
        if (takeNext === takeContent) at = decoder.take(chunk, at);
        const byte = chunk[at];
        if (byte !== undefined) takeNext(byte);
      }
      return hasContent ? decoder.bytes() : undefined;
    },
    rest: () => kept.subarray(0, keptSize),
  };
}

function readKey(text: Buffer): string {
  if (text.length > keyBytes) return '';
  try {
    return JSON.parse(text.toString()) as string;
  } catch {
    throw new Failure('JSON_INVALID');
  }
}

function contentInvalid(): Failure {
  return new Failure('REQUEST_INVALID', { field: 'content' });
}
