// The logo of an app: a small picture that its content proves.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestLogo, parseLogo } from '../../../src/apps/clients/app-logo.ts';

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const pictures = {
  'image/png': png,
  'image/jpeg': Buffer.from('ffd8ffe0', 'hex'),
  'image/webp': Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'),
  'image/svg+xml': Buffer.from('\uFEFF<?xml version="1.0"?>\n<svg></svg>'),
};
const asUri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const noFile = () => assert.fail('no file is read');
const isRefused = (text: string, readLogo: (path: string, longest: number) => Buffer = noFile) =>
  'problem' in parseLogo(text, readLogo);

describe('the logo of an app', () => {
  for (const [type, bytes] of Object.entries(pictures)) {
    it(`${type} is taken from a file and from a data: URI`, () => {
      assert.deepEqual(
        parseLogo('logo', () => bytes),
        { logo: asUri(type, bytes) },
      );
      assert.deepEqual(parseLogo(asUri(type, bytes), noFile), { logo: asUri(type, bytes) });
    });
  }

  it('the content decides the type, not its name', () => {
    assert.deepEqual(parseLogo(asUri('image/svg+xml', png), noFile), { logo: asUri('image/png', png) });
  });

  for (const [name, text] of [
    ['nothing', ''],
    ['an address', 'https://a.example.com/logo.png'],
    ['a data: URI of another type', asUri('text/html', png)],
    ['a data: URI without base64', 'data:image/svg+xml,<svg></svg>'],
    ['a data: URI without a comma', 'data:image/png;base64'],
    ['damaged base64', 'data:image/png;base64,iVBORw0KGgo'],
    ['text that is no picture', asUri('image/svg+xml', Buffer.from('hello'))],
    ['a page', asUri('image/svg+xml', Buffer.from('<html></html>'))],
    ['a picture of more than 64 KiB', asUri('image/png', Buffer.concat([png, Buffer.alloc(longestLogo)]))],
    ['a path of more than 1024 characters', 'a'.repeat(1025)],
  ] as const) {
    it(`${name} is refused`, () => assert.ok(isRefused(text)));
  }

  it('a file that is too large, no picture or unreadable is refused', () => {
    assert.ok(isRefused('logo', (_, longest) => Buffer.concat([png, Buffer.alloc(longest)]).subarray(0, longest)));
    assert.ok(isRefused('logo', () => Buffer.from('hello')));
    assert.deepEqual(
      parseLogo('logo.png', () => {
        throw new Error('missing');
      }),
      { problem: 'names a file that cannot be read: "logo.png"' },
    );
  });
});
