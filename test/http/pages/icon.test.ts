// The icon of a page: our mark or the initial of the brand, escaped, and one drawing of the mark in all places.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { markPath, writeIcon } from '../../../src/http/pages/icon.ts';

const colours = { accent: '#0a6', onAccent: '#fff' };
const drawn = (icon: string) => decodeURIComponent(icon.slice('data:image/svg+xml,'.length));

describe('the icon of a page', () => {
  it('without a brand the icon is our mark in the accent', () => {
    assert.ok(drawn(writeIcon(null, colours)).includes(`<path fill="#0a6" d="${markPath}"/>`));
  });

  it('the initial of a brand is escaped', () => {
    assert.match(drawn(writeIcon('&', colours)), /fill="#fff"[^>]*>&amp;<\/text><\/svg>$/);
    assert.match(drawn(writeIcon('<', colours)), />&lt;<\/text><\/svg>$/);
  });

  it('the pages with a script draw the same mark', () => {
    const frame = readFileSync(new URL('../../../web/parts/page-frame.tsx', import.meta.url), 'utf8');
    assert.ok(frame.includes(`<path d="${markPath}" />`));
  });
});
