// The accent: its shades are readable in light and dark, the nearest readable colour is one, and the style sheets say the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  deriveDark,
  measureContrast,
  nearestReadable,
  pageColours,
  schemes,
  shadesOf,
  usualAccent,
  worstContrast,
} from '../../src/brand/accent.ts';
import { variablesOf } from '../../src/brand/brand-css.ts';
import { type Colour, parseHex, toOklch, writeHex } from '../../src/brand/colour.ts';

const part = fc.integer({ min: 0, max: 255 });
const anyColour = fc.tuple(part, part, part);
const colour = (hex: string): Colour => parseHex(hex) ?? assert.fail(hex);

describe('the accent', () => {
  for (const scheme of schemes) {
    it(`the nearest colour is readable in ${scheme}, whatever the accent, and a readable accent stays as it is`, () => {
      const property = fc.property(anyColour, (given) => {
        const near = nearestReadable(given, scheme);
        assert.equal(worstContrast(scheme, shadesOf(near, scheme)), undefined, `${writeHex(given)} ${writeHex(near)}`);
        if (worstContrast(scheme, shadesOf(given, scheme)) === undefined) assert.deepEqual(near, given);
      });
      fc.assert(property, { numRuns: 300 });
    });

    it(`one step towards the accent in ${scheme}, the nearest colour is no longer readable`, () => {
      for (const hex of ['#ffcc00', '#00aa55', '#ff5a5f', '#123456', '#e11d48']) {
        const given = colour(hex);
        const [from, to] = [toOklch(given).lightness, toOklch(nearestReadable(given, scheme)).lightness];
        if (worstContrast(scheme, shadesOf(given, scheme)) === undefined) continue;
        assert.ok(scheme === 'light' ? to < from : to > from, hex);
        const worst = measureContrast(scheme, shadesOf(nearestReadable(given, scheme), scheme));
        assert.ok(Math.min(...worst.map(({ ratio, least }) => ratio / least)) < 1.03, `${hex} is moved no further`);
      }
    });
  }

  it('the dark accent that is derived is readable and keeps the hue', () => {
    fc.assert(
      fc.property(anyColour, (light) => {
        const dark = deriveDark(light);
        assert.equal(worstContrast('dark', shadesOf(dark, 'dark')), undefined);
        const [one, other] = [toOklch(light), toOklch(dark)];
        const turn = Math.abs(one.hue - other.hue);
        if (one.chroma > 0.08 && other.chroma > 0.04)
          assert.ok(Math.min(turn, 2 * Math.PI - turn) < 0.25, writeHex(light));
      }),
    );
  });

  it('text on the accent, links and rings are measured on every background, in each scheme', () => {
    const light = measureContrast('light', shadesOf(colour('#0f766e'), 'light'));
    assert.deepEqual(
      light.map(({ what, foreground, background, least }) => `${what} ${foreground} ${background} ${least}`),
      [
        'button #ffffff #0f766e 4.5',
        'button-hover #ffffff #0c5e58 4.5',
        'link #0f766e #ffffff 4.5',
        'link #0f766e #f7f8fa 4.5',
        'link #0f766e #f4f5f8 4.5',
        'link #0f766e #ecf4f3 4.5',
        'focus #0f766e #ffffff 3',
        'focus #0f766e #f7f8fa 3',
      ],
    );
    assert.deepEqual(worstContrast('dark', shadesOf(colour('#0f766e'), 'dark'))?.what, 'link');
  });

  it('the usual colours are readable, and they are those of the style sheet', () => {
    const css = readFileSync(new URL('../../web/style/colours.css', import.meta.url), 'utf8');
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
    for (const [scheme, text] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      assert.equal(worstContrast(scheme, usualAccent[scheme]), undefined);
      const { page, ground, soft } = pageColours[scheme];
      const all = { ...variablesOf(usualAccent[scheme]), '--page': page, '--ground': ground, '--soft': soft };
      for (const [name, value] of Object.entries(all))
        assert.ok(text.includes(`${name}: ${value};`), `${scheme} ${name}`);
    }
  });
});
