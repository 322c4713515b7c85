// The logo of a brand: SVG or PNG from a file beside it, of at most 100 KB, and nothing else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestLogo, readLogo } from '../../src/brand/logo.ts';
import { pngOf } from '../helpers/browser/pictures.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>';
const png = pngOf(64, 32);

function read(bytes: Buffer | string, value: unknown = 'logo.svg') {
  const result = readLogo(value, (_, longest) => Buffer.from(bytes).subarray(0, longest));
  return 'logo' in result ? result.logo : result.problems.map(({ trouble, cure }) => `${trouble}: ${cure}`).join('\n');
}

const refused = (bytes: Buffer | string, problem: RegExp, value?: unknown) => {
  const result = read(bytes, value);
  assert.match(typeof result === 'string' ? result : 'accepted', problem);
};

describe('the logo of a brand', () => {
  it('is an SVG or a PNG by its content, with a hash that changes with it', () => {
    const [one, other, picture] = [read(svg), read(svg.replace('M0 0', 'M1 1')), read(png)];
    assert.ok(typeof one === 'object' && typeof other === 'object' && typeof picture === 'object');
    assert.deepEqual([one.type, picture.type], ['image/svg+xml', 'image/png']);
    assert.equal(Buffer.from(picture.base64, 'base64').compare(png), 0);
    assert.match(one.hash, /^[\w-]{22}$/);
    assert.notEqual(one.hash, other.hash);
  });

  it('is no address, because another server would learn who signs in', () => {
    for (const value of [
      'https://cdn.example/logo.svg',
      'HTTP://x/y',
      'data:image/png;base64,AA==',
      '',
      7,
      null,
      ['a'],
    ])
      refused(svg, /is (?:an address|not a path): write the path of an SVG or PNG file/, value);
  });

  it('has at most 100 KB', () => {
    const filled = (length: number) => svg.replace('M0 0', 'M0 0'.padEnd(length - svg.length + 4));
    assert.equal(typeof read(filled(longestLogo)), 'object');
    refused(filled(longestLogo + 1), /more than 100 KB: export it smaller/);
  });

  it('is refused if its file cannot be read', () => {
    const result = readLogo('logo.svg', () => assert.fail('missing'));
    assert.deepEqual(result, {
      problems: [
        {
          trouble: 'names a file that cannot be read',
          cure: 'check the path, relative to this file, and its permissions',
        },
      ],
    });
  });

  it('is a whole PNG of at most 4096 pixels', () => {
    for (const cut of [8, 20, 40, png.length - 1]) refused(png.subarray(0, cut), /a PNG that is damaged/);
    refused(Buffer.concat([png, Buffer.from('<script>')]), /a PNG that is damaged/);
    const large = Buffer.from(png);
    large.writeUInt32BE(4097, 16);
    refused(large, /wider or higher than 4096 pixels/);
    const flat = Buffer.from(png);
    flat.writeUInt32BE(0, 20);
    refused(flat, /damaged/);
  });

  it('is no other picture', () => {
    refused(Buffer.from('GIF89a'), /neither PNG nor SVG/);
    refused(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /neither PNG nor UTF-8/);
  });
});
