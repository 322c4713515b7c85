// Reads JSON uploads as they would arrive from a socket, and compares them with a parser of the whole body.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createJsonParts } from '../../../src/http/transfer/upload-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { detailOf } from '../detail-of.ts';
import { asUserId } from '../people/ids.ts';
import { requestOf } from './request-of.ts';

export const mostBytes = 20 * 2 ** 20;
export const jsonParts = createJsonParts();

type Read = { readonly file: string | undefined; readonly fields: Record<string, string | undefined> };

/** The body as it would arrive from a socket, so many bytes at a time. */
export async function readJsonUpload(body: string | Buffer, step: number): Promise<Read | string> {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  );
  const fields: Record<string, string | undefined> = {};
  let file: string | undefined;
  try {
    for await (const part of jsonParts(requestOf(chunks), asUserId('ann'), mostBytes)) {
      if (part.kind === 'field') fields[part.name] = part.value;
      else {
        Object.assign(fields, { name: part.name, type: part.type });
        file = '';
        for await (const piece of part.bytes) file += piece.toString('hex');
      }
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.code, detailOf(error).field].filter((word) => word !== undefined).join(' ');
  }
  return { file, fields };
}

/** Cut into chunks of each of these sizes: the result must be the same. */
export async function readInSteps(body: string | Buffer, steps: readonly number[]): Promise<Read | string> {
  const [whole, ...others] = await Promise.all(steps.map((step) => readJsonUpload(body, step)));
  for (const other of others) assert.deepEqual(other, whole);
  return whole ?? '';
}

/** Objects with the fields of an upload, broken somewhere in the middle. */
export function brokenBodies(): fc.Arbitrary<string> {
  const text = fc.oneof(fc.string(), fc.base64String(), fc.constantFrom('QQ', 'QUJD', '', 'a/b_', 'QQ=='));
  const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('content', 'name', 'other') }, fc.string());
  const object = fc.dictionary(key, fc.oneof({ weight: 3, arbitrary: text }, fc.jsonValue({ maxDepth: 3 })));
  return fc
    .tuple(object, fc.nat(), fc.constantFrom('', '"', '\\', '{', '}', ',', ':', 'x', '\0', '\\u0041'))
    .map(([value, at, insert]) => {
      const whole = JSON.stringify(value);
      const cut = at % (whole.length + 1);
      return whole.slice(0, cut) + insert + whole.slice(cut + (at % 2));
    });
}

/** The file in hex, undefined if there is none, or “refused”. */
export function parseWhole(body: string): string | undefined {
  try {
    const value = JSON.parse(body, (name, inner: unknown) => {
      if (name === '__proto__' || !isPlain(name) || (typeof inner === 'string' && !isPlain(inner)))
        throw new Error(name);
      return inner;
    }) as Record<string, unknown>;
    const { name = '', type = '', purpose = '', content = '' } = value;
    const isText = [name, type, purpose, content].every((each) => typeof each === 'string');
    if (!isText || !/^(?:[\w+/-]{4})*(?:[\w+/-]{2,3})?={0,2}$/.test(content as string)) return 'refused';
    return value.content === undefined ? undefined : Buffer.from(content as string, 'base64').toString('hex');
  } catch {
    return 'refused';
  }
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
