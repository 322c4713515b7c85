// A logo as SVG: what only draws is accepted; scripts, events, foreign content, references to the outside and bombs are not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSvgProblems } from '../../src/brand/svg.ts';
import { checkTimes, longTexts, mixedRuns, runs } from '../helpers/requests/long-texts.ts';

const open = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">';
const svg = (inside: string) => `${open}${inside}</svg>`;
const troubles = (text: string) => findSvgProblems(text).map(({ trouble, cure }) => `${trouble}: ${cure}`);

const good: Readonly<Record<string, string>> = {
  'a path': svg('<path d="M0 0h10v10z" fill="#123456"/>'),
  'an XML declaration, a comment and blanks': `<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn by hand -->\n${svg('<g/>')}\n`,
  'width and height instead of a view box':
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="32px"><g/></svg>',
  'gradients, masks and clip paths of its own': svg(
    '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient><mask id="m"><rect width="5" height="5"/></mask></defs><rect fill="url(#g)" mask="url(#m)" width="9" height="9"/>',
  ),
  'a use of its own part': svg('<defs><path id="p" d="M0 0"/></defs><use href="#p"/><use xlink:href="#p"/>'),
  'the classes of drawing programs': svg(
    '<defs><style>.a{fill:url(#g);stroke:none}</style><linearGradient id="g"><stop/></linearGradient></defs><path class="a" d="M0 0" style="fill:#fff"/>',
  ),
  'text, a title and a filter': svg(
    '<title>Acme</title><filter id="f"><feGaussianBlur stdDeviation="1"/></filter><text x="1" y="2" font-family="Arial" filter="url(#f)">Acme &amp; Co</text>',
  ),
};

const bad: Readonly<Record<string, readonly [text: string, problem: RegExp]>> = {
  'a script': [svg('<script>alert(1)</script>'), /the element <script>: remove it: a logo runs nothing/],
  'a script in another case': [svg('<SCRIPT>alert(1)</SCRIPT>'), /the element <SCRIPT>/],
  'a script with a prefix': [
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><svg:script>1</svg:script></svg>',
    /the element <svg:script>/,
  ],
  'a script of another namespace': [
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml" viewBox="0 0 1 1"><h:script>1</h:script></svg>',
    /the element <h:script>/,
  ],
  'an event': [svg('<path d="M0 0" onload="alert(1)"/>'), /the event attribute onload/],
  'an event of the root': [`${open.replace('>', ' onLoad="x">')}</svg>`, /the event attribute onLoad/],
  'foreign content': [svg('<foreignObject><p>x</p></foreignObject>'), /the element <foreignObject>: remove it/],
  'a picture': [svg('<image href="data:image/png;base64,AA=="/>'), /the element <image>: draw with paths/],
  'a link': [svg('<a href="https://evil.example"><path d="M0 0"/></a>'), /the element <a>/],
  'an animation of a reference': [svg('<set attributeName="href" to="javascript:alert(1)"/>'), /the element <set>/],
  'a use of another file': [svg('<use href="https://evil.example/x.svg#a"/>'), /a reference to “https:\/\/evil/],
  'a use of a script URL': [svg('<use xlink:href="javascript:alert(1)"/>'), /a reference to “javascript:alert\(1\)”/],
  'a use of data': [svg('<use href="data:image/svg+xml,x#a"/>'), /a reference to “data:/],
  'a paint of another file': [
    svg('<path fill="url(https://evil.example/#a)" d="M0 0"/>'),
    /a reference to “https.*in fill/,
  ],
  'a paint that is not closed': [svg('<path style="fill:url(https://evil.example/#a" d="M0 0"/>'), /a reference to/],
  'an import of a style': [
    svg('<style>@import "https://evil.example/x.css";</style>'),
    /“@” in <style>|“\\” or “@” in <style>/,
  ],
  'a paint of another file that an element in a style divides': [
    svg('<style>path{fill:u<title>x</title>rl(//evil.example/#a)}</style>'),
    /an element in <style>: write nothing but rules there/,
  ],
  'a font': [svg('<style>@font-face{font-family:x;src:url(x.woff)}</style>'), /“@” in <style>/],
  'an escape in a style': [svg('<path style="fill:u\\72l(https://evil.example)" d="M0 0"/>'), /“\\” or “@” in style/],
  'a picture of a style': [svg('<path style="background:image-set(\'x.png\')" d="M0 0"/>'), /a function that loads/],
  'a style sheet of an instruction': [
    `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('<g/>')}`,
    /a processing instruction/,
  ],
  'an instruction inside': [svg('<g><?php x ?></g>'), /a processing instruction/],
  'a document type': [`<!DOCTYPE svg>${svg('<g/>')}`, /DOCTYPE or entities: remove the part/],
  'an entity': [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<text>&a;</text>')}`, /DOCTYPE or entities/],
  'an entity that is not declared': [svg('<text>&nbsp;</text>'), /neither PNG nor SVG \(line 1\)/],
  'another base': [svg('<g xml:base="https://evil.example/"/>'), /the attribute xml:base/],
  'metadata of a program': [svg('<metadata>x</metadata>'), /the element <metadata>.*plain SVG/],
  'an unknown attribute': [svg('<path d="M0 0" formaction="x"/>'), /the attribute formaction/],
  'names that every object has': [svg('<constructor/><g constructor="x" __proto__="y"/>'), /the element <constructor>/],
  'no size': ['<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>', /no size: add viewBox/],
  'a view box of nothing': ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 10"><g/></svg>', /no size/],
  'no namespace': ['<svg viewBox="0 0 1 1"/>', /does not begin with <svg xmlns=/],
  'another root': ['<html xmlns="http://www.w3.org/1999/xhtml"/>', /does not begin with <svg/],
  'no XML': ['Logo of Acme', /neither PNG nor SVG/],
  nothing: ['', /neither PNG nor SVG/],
  'another encoding': ['\uFFFDx', /neither PNG nor UTF-8/],
  'a declaration of another encoding': [
    `<?xml version="1.0" encoding='ISO-2022-JP'?>${svg('<g/>')}`,
    /an SVG that says it is not UTF-8: export the logo as plain SVG/,
  ],
  'a style that is deeper than a stack': [
    svg(`<style>${'<g>'.repeat(4000)}${'</g>'.repeat(4000)}</style>`),
    /more than 5000 elements, or more than 100 levels: export it simplified/,
  ],
  'references in a circle': [
    svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    /references that lead back to themselves/,
  ],
};

describe('a logo as SVG', () => {
  for (const [name, text] of Object.entries(good))
    it(`is accepted: ${name}`, () => assert.deepEqual(troubles(text), []));

  for (const [name, [text, problem]] of Object.entries(bad))
    it(`is refused: ${name}`, () => assert.match(troubles(text).join('\n'), problem));

  it('all problems are listed, each once and with its cure, and no more than 20', () => {
    const text = svg('<script/><script/><a/><g onclick="x" onfocus="x"/>');
    assert.equal(troubles(text).length, 4);
    const many = svg(Array.from({ length: 100 }, (_, index) => `<e${index}/>`).join(''));
    assert.equal(troubles(many).length, 20);
  });

  it('a small file whose references draw more and more is refused', () => {
    const level = (index: number, reference: (id: string) => string) =>
      `<g id="l${index}">${index === 0 ? '<path d="M0 0"/>' : reference(`l${index - 1}`).repeat(10)}</g>`;
    const bomb = (reference: (id: string) => string) =>
      svg([0, 1, 2, 3, 4, 5, 6, 7].map((at) => level(at, reference)).join(''));
    assert.match(troubles(bomb((id) => `<use href="#${id}"/>`)).join(), /draw more than 20000/);
    assert.match(troubles(bomb((id) => `<path mask="url(#${id})" d="M0 0"/>`)).join(), /draw more than 20000/);
    const rules = Array.from({ length: 9 }, (_, at) => `.c${at}{mask:url(#m${at})}`).join('');
    const masks = Array.from(
      { length: 9 },
      (_, at) => `<mask id="m${at}">${`<path class="c${at + 1}" d="M0 0"/>`.repeat(8)}</mask>`,
    );
    assert.match(troubles(svg(`<style>${rules}</style>${masks.join('')}`)).join(), /draw more than 20000/);
  });

  it('a file that is deep, or has many elements, is refused', () => {
    assert.match(troubles(svg('<g>'.repeat(20_000) + '</g>'.repeat(20_000))).join(), /levels|neither PNG nor SVG/);
    assert.match(troubles(svg('<g>'.repeat(200) + '</g>'.repeat(200))).join(), /more than 100 levels/);
    assert.match(troubles(svg('<g/>'.repeat(6000))).join(), /more than 5000 elements/);
  });

  it('the cost of the check is linear in the length of the file', async () => {
    const places = ['<path d="', '<style>', '<g ', '', '<path style="fill:url(', '<use href="#'];
    for (const place of places)
      await checkTimes(`after ${place}`, longTexts([...runs, ...mixedRuns]), (text) =>
        findSvgProblems(`${open}${place}${text}`),
      );
  });
});
