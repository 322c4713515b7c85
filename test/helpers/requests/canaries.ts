// Planted secrets, and the search for them in every form in which they could leak.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** Codes are six digits and look like other numbers, so the search for them is stricter. */
export type Planted = { readonly codes: readonly string[]; readonly others: readonly string[] };

/** The text unchanged, encoded, reversed, and hashed without a salt. */
export function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const parts = text.split('.').filter((part) => part.length > 40);
  return [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    ...innerBase64(bytes),
    bytes.toString('hex'),
    [...text].reverse().join(''),
    ...hashesOf(text),
    ...parts,
  ];
}

export function hashesOf(text: string): string[] {
  const hash = createHash('sha256').update(text).digest();
  return [hash.toString('hex'), hash.toString('base64').replace(/=+$/, ''), hash.toString('base64url')];
}

/** Base64 of a text anywhere in a longer one: three alignments, without the letters that depend on its neighbours. */
function innerBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const before = shift === 0 ? 0 : shift + 1;
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    const end = Math.floor((whole.length * 8) / 6);
    return [whole.toString('base64').slice(before, end), whole.toString('base64url').slice(before, end)];
  });
}

/** Ids, hashes and what the runtime measures of itself, such as its memory, are any digits by chance. */
const chance =
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|(?<=^(?:nodejs|process)_\w+(?:\{[^}\n]*\})? )[\d.eE+-]+$/gm;

export function codesIn(text: string, codes: readonly string[]): string[] {
  const rest = text.replaceAll(chance, '');
  return codes.filter((code) => new RegExp(`(?<![\\d.:-])${code}(?![\\d:-])`).test(rest));
}

/** The texts that are found in any form. */
export function foundIn(text: string, others: readonly string[]): string[] {
  return others.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
}

export function expectClean(sink: string, text: string, { codes, others }: Planted): void {
  assert.ok(text.length > 500, `${sink} says too little to judge`);
  assert.deepEqual(foundIn(text, others), [], sink);
  assert.deepEqual(codesIn(text, codes), [], sink);
}

/** Sends requests that fail in the parser, the router, the schema and the guards, with secrets in every place. Returns all answers. */
export async function stumble(url: string, secrets: readonly string[]): Promise<string> {
  let answers = '';
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init });
    const headers = [...response.headers].map((header) => header.join(': '));
    answers += `${headers.join('\n')}\n${await response.text()}\n`;
  };
  for (const text of secrets) {
    const inPath = encodeURIComponent(text);
    const inHeader = encodeURI(text);
    const paths = [
      `/${inPath}`,
      `/api/auth/me?x=${inPath}`,
      `/api/auth/sessions/${inPath}`,
      `/api/inbox?to=${inPath}&wait=x`,
      `/api/file?cursor=${inPath}`,
      `/file/${inPath}`,
      `/api/service/events?after=${inPath}`,
      `/api/service/${inPath}`,
    ];
    for (const path of paths) await ask(path, { headers: { authorization: `Bearer ${inHeader}` } });
    const headers = {
      'content-type': 'application/json',
      'captcha-token': inHeader,
      RT: inHeader,
      'user-agent': inHeader,
      cookie: `JWT=${inHeader}`,
      'x-request-id': inHeader,
      'idempotency-key': inHeader,
      'x-api-key': inHeader,
      origin: `https://${inHeader.replaceAll(/[^\w.-]/g, '-')}`,
    };
    const bodies = [`{"phone":"${text}`, JSON.stringify({ phone: text, otp: text, recipient: text, token: text })];
    for (const body of bodies) {
      for (const path of [
        'phone/login',
        'phone/send/otp',
        'email/login',
        'email/send/login-link',
        'refresh-token',
        inPath,
      ])
        await ask(`/api/auth/${path}`, { method: 'POST', headers, body });
    }
  }
  return answers;
}
