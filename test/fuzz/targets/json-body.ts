// Targets: the reader of JSON bodies, and the one of uploads in JSON.

import assert from 'node:assert/strict';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import { parseJsonObject } from '../../../src/http/server/json-body.ts';
import { createJsonParts } from '../../../src/http/transfer/upload-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { requestOf } from '../../helpers/requests/request-of.ts';
import type { FuzzTarget, Verdict } from '../engine/target.ts';
import { refusable } from './refusable.ts';

const mostDepth = 32;

function checkTree(value: unknown, depth: number): void {
  assert.ok(depth <= mostDepth + 1, 'nested too deep');
  if (typeof value === 'string')
    assert.ok(value.isWellFormed() && !value.includes('\0'), 'a text that no database keeps');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    assert.ok(name !== '__proto__' && name.isWellFormed() && !name.includes('\0'), 'a dangerous name');
    checkTree(inner, depth + 1);
  }
}

const body: FuzzTarget = {
  name: 'json-body',
  promise:
    'an object of limited depth without dangerous names and texts, the same as any JSON parser reads, or a refusal',
  run: (input): Verdict => {
    const value = refusable(() => parseJsonObject(input), 'JSON_INVALID', 'REQUEST_INVALID');
    if (value === undefined) return 'refused';
    assert.deepEqual(value, JSON.parse(input.toString('utf8')), 'read differently');
    checkTree(value, 1);
    return 'accepted';
  },
  seeds: () =>
    [
      '{}',
      '{"phone":"+12025550123","otp":"123456"}',
      '{"a":[1,2,{"b":null}],"c":"\\u00e9\\ud83d\\ude00"}',
      '{"__proto__":1}',
      '{"a":"\\u0000"}',
      '{"\\ud800":1}',
      '[]',
      '{"a":1}x',
      `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
    ].map((text) => Buffer.from(text)),
  words: ['"__proto__":', '\\u0000', '\\ud800', '\\u', '{"a":', '[[', ']}', 'null', '1e999', '\ufeff'],
  longest: 2_000,
  mostWork: (size) => 5_000 + 50 * size,
};

const parts = createJsonParts();

async function readUpload(input: Buffer): Promise<Verdict> {
  const [step = 0] = input;
  const rest = input.subarray(1);
  const chunks: Buffer[] = [];
  for (let at = 0; at < rest.length; at += step * 16 + 1) chunks.push(rest.subarray(at, at + step * 16 + 1));
  const times = { ...uploadTimes, now: () => 0 };
  try {
    for await (const part of parts(requestOf(chunks), asUserId('user'), 2 ** 20, times)) {
      if (part.kind === 'field') assert.ok(part.name === 'purpose' && part.value.length <= 1024, 'a strange field');
      else for await (const piece of part.bytes) checkContent(rest, piece);
    }
    return 'accepted';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    assert.ok(['JSON_INVALID', 'REQUEST_INVALID', 'FILE_TOO_LARGE'].includes(error.code), `refused with ${error.code}`);
    return 'refused';
  }
}

/** Decoded by other means: Node ignores what is not base64, and both alphabets are the same to it. */
function checkContent(rest: Buffer, piece: Buffer): void {
  const { content } = JSON.parse(rest.toString('utf8')) as { content: string };
  assert.ok(/^[\w+/=-]*$/.test(content), 'content that is not base64');
  assert.deepEqual(piece, Buffer.from(content, 'base64'), 'content read differently');
}

const upload: FuzzTarget = {
  name: 'json-upload',
  promise:
    'the file that the content encodes, or a refusal, however the body is cut; the first byte is the length of the chunks',
  run: readUpload,
  seeds: () =>
    [
      '{"purpose":"image","content":"YWJj"}',
      '{"content":"YW-_","name":"a.txt","type":"text/plain"}',
      '{"content":"YQ=="}',
      '{"content":"Y"}',
      '{"content":"a b"}',
      '{"content":7}',
      '{"name":[]}',
      '{}',
    ].map((text) => Buffer.concat([Buffer.from([2]), Buffer.from(text)])),
  words: ['"content":"', '"purpose":', '==', '\\/', '"name":', ',[', '{"a":'],
  longest: 3_000,
  mostWork: (size) => 20_000 + 100 * size,
};

export const targets: readonly FuzzTarget[] = [body, upload];
