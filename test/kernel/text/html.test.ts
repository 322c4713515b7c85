// The HTML tag: every value is escaped, except what the tag itself made.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { html, type Markup, toText, type Value } from '../../../src/kernel/text/html.ts';
import { seed } from '../../helpers/faults/rounds.ts';

describe('the HTML tag', () => {
  for (const [what, value, expected] of [
    ['a text', 'a', 'a'],
    ['every special character', `&<>"'`, '&amp;&lt;&gt;&quot;&#39;'],
    ['an entity', '&amp;', '&amp;amp;'],
    ['a number', 5, '5'],
    ['zero', 0, '0'],
    ['nothing', undefined, ''],
    ['an empty text', '', ''],
    ['markup', html`<b>${'<'}</b>`, '<b>&lt;</b>'],
    ['a list', ['<', html`<br>`, 7, ['&']], '&lt;<br>7&amp;'],
    ['an empty list', [], ''],
  ] as [string, Value, string][]) {
    it(`${what} is written as ${expected || 'nothing'}`, () => assert.equal(toText(html`${value}`), expected));
  }

  it('the text of the template stays as it is, around several values', () => {
    assert.equal(toText(html`<a href="${'"'}">${'<'}</a>`), '<a href="&quot;">&lt;</a>');
    assert.equal(toText(html`<p>`), '<p>');
  });

  it('data that looks like markup is not markup', () => {
    const forged = JSON.parse('{"made":"<script>","Symbol(markup)":"<script>"}') as Markup;
    assert.throws(() => html`${forged}`);
  });

  it('no text can leave its place in an attribute or an element', () => {
    const character = fc.constantFrom(...`&<>"'#39;/= ampltgtquot\u0000\n\u{1f600}`);
    const property = fc.property(fc.string({ unit: character }), (text) => {
      const written = toText(html`<i a="${text}">${text}</i>`);
      assert.match(written, /^<i a="[^"<>]*">[^<>]*<\/i>$/);
      const decoded = written.slice(6, written.indexOf('">'));
      const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
      assert.equal(
        decoded.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? ''),
        text,
      );
    });
    fc.assert(property, { seed, numRuns: 200, examples: [[`">'<script>&#39;`]] });
  });
});
