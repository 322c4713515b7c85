// Colours: hexadecimal notation, the contrast of WCAG, and the way to OKLCH and back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Colour, contrastOf, fromOklch, mix, parseHex, toOklch, writeHex } from '../../src/brand/colour.ts';

const anyColour = fc.tuple(
  ...([0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })) as [
    fc.Arbitrary<number>,
    fc.Arbitrary<number>,
    fc.Arbitrary<number>,
  ]),
);

describe('a colour', () => {
  for (const [text, colour] of [
    ['#000000', [0, 0, 0]],
    ['#fff', [255, 255, 255]],
    ['#3346C8', [51, 70, 200]],
    ['#a1c', [170, 17, 204]],
  ] as const)
    it(`${text} is read`, () => assert.deepEqual(parseHex(text), colour));

  for (const text of ['', '#', '#12', '#1234', '#12345', '#1234567', '#12345g', 'red', 'rgb(0,0,0)', ' #fff', '#fff\n'])
    it(`${JSON.stringify(text)} is no colour`, () => assert.equal(parseHex(text), undefined));

  it('a colour is written as it was read', () => {
    fc.assert(fc.property(anyColour, (colour) => assert.deepEqual(parseHex(writeHex(colour)), colour)));
  });

  it('the contrast is that of WCAG: 21 at most, 1 at least, the same in both directions', () => {
    const [black, white]: readonly Colour[] = [
      [0, 0, 0],
      [255, 255, 255],
    ] as const;
    assert.equal(contrastOf(black ?? assert.fail(), white ?? assert.fail()), 21);
    assert.equal(contrastOf([9, 9, 9], [9, 9, 9]), 1);
    // Figures of the contrast checker of WebAIM.
    for (const [one, other, ratio] of [
      ['#777777', '#ffffff', 4.47],
      ['#767676', '#ffffff', 4.54],
      ['#0000ff', '#ffffff', 8.59],
      ['#ff0000', '#ffffff', 3.99],
      ['#ffff00', '#000000', 19.55],
    ] as const) {
      const measured = contrastOf(parseHex(one) ?? assert.fail(), parseHex(other) ?? assert.fail());
      assert.ok(Math.abs(measured - ratio) < 0.02, `${one} on ${other}: ${measured}`);
    }
    fc.assert(fc.property(anyColour, anyColour, (one, other) => contrastOf(one, other) === contrastOf(other, one)));
  });

  it('a colour is the same after the way to OKLCH and back', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const back = fromOklch(toOklch(colour));
        assert.ok(
          back.every((part, index) => Math.abs(part - (colour[index] ?? 0)) <= 1),
          `${colour} ${back}`,
        );
      }),
    );
  });

  it('a colour that no screen shows loses chroma and keeps its hue', () => {
    const vivid = { lightness: 0.6, chroma: 0.9, hue: 2 };
    const shown = toOklch(fromOklch(vivid));
    assert.ok(shown.chroma < 0.4 && Math.abs(shown.hue - 2) < 0.05 && Math.abs(shown.lightness - 0.6) < 0.02);
  });

  it('a mix is between its two colours', () => {
    assert.deepEqual(mix([255, 0, 0], [0, 0, 255], 0), [0, 0, 255]);
    assert.deepEqual(mix([255, 0, 0], [0, 0, 255], 1), [255, 0, 0]);
    assert.deepEqual(mix([200, 100, 0], [0, 0, 0], 0.5), [100, 50, 0]);
  });
});
