// BRAND_FILE: a whole brand, or every problem with its place in the file and its cure.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Brand, noBrand, showBrand } from '../../src/brand/brand.ts';
import { describeProblem, parseBrand } from '../../src/brand/parse-brand.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>';
const files: Readonly<Record<string, string>> = {
  'logo.svg': svg,
  'dark.svg': svg.replace('M0', 'M1'),
  'bad.svg': svg.replace('path', 'script'),
};

function parse(file: unknown, name?: string): Brand | string[] {
  const result = parseBrand(typeof file === 'string' ? file : JSON.stringify(file), {
    name,
    publicUrl: 'https://login.example.com',
    readBeside: (path) => Buffer.from(files[path] ?? assert.fail('missing')),
  });
  return 'brand' in result ? result.brand : result.problems.map(describeProblem);
}

const accept = (file: unknown, name?: string): Brand => {
  const brand = parse(file, name);
  return Array.isArray(brand) ? assert.fail(brand.join('\n')) : brand;
};

const refuse = (file: unknown, name?: string): string[] => {
  const problems = parse(file, name);
  return Array.isArray(problems) ? problems : assert.fail('accepted');
};

describe('the file of a brand', () => {
  it('the example of the documentation is a whole brand', () => {
    const page = readFileSync(new URL('../../docs/brand.md', import.meta.url), 'utf8');
    const example = /```json\n(\{[^`]*\})\n```/.exec(page)?.[1] ?? assert.fail('no example');
    const { name, logo, accent, links, texts } = accept(example.replaceAll('logo-dark.svg', 'dark.svg'));
    assert.equal(name, 'Northwind');
    assert.ok(logo !== null && accent !== null && texts.de !== undefined);
    assert.deepEqual(links.support, 'mailto:help@northwind.example');
  });

  it('a name is enough', () => {
    assert.deepEqual(accept({ name: 'Acme' }), { ...noBrand, name: 'Acme', isNamed: true });
    assert.deepEqual(showBrand(accept({ name: 'écru' })), {
      name: 'écru',
      logo: null,
      initial: 'É',
      links: { terms: null, privacy: null, support: null },
    });
    assert.equal(showBrand(noBrand).initial, null, 'without a brand, the mark is ours');
  });

  it('the name may be in BRAND_NAME instead, and must not differ from it', () => {
    assert.equal(accept({}, 'Acme').name, 'Acme');
    assert.equal(accept({ name: 'Acme' }, 'Acme').name, 'Acme');
    assert.deepEqual(refuse({ name: 'Acme' }, 'Other'), [
      'name is not the name in BRAND_NAME: remove BRAND_NAME, or write the same name in both',
    ]);
    assert.match(refuse({}).join(), /^name is missing: write the name/);
    for (const name of ['', 'a'.repeat(31), '<b>', '{x}', 'a\u200bb', ' a', 7, null])
      assert.match(refuse({ name }).join(), /^name is not plain text of 1 to 30 characters/);
  });

  it('one logo and one accent stand for light and dark; the dark accent is derived', () => {
    const { logo, accent } = accept({ name: 'Acme', logo: 'logo.svg', accent: '#0f766e' });
    assert.equal(logo?.light.hash, logo?.dark.hash);
    assert.deepEqual(accent, {
      light: { accent: '#0f766e', strong: '#0c5e58', onAccent: '#ffffff', tint: '#ecf4f3' },
      dark: { accent: '#79d0c6', strong: '#94d9d1', onAccent: '#0b0c0f', tint: '#202c30' },
    });
  });

  it('a page finds logos at addresses that change with their content', () => {
    const { logo } = showBrand(accept({ name: 'Acme', logo: { light: 'logo.svg', dark: 'dark.svg' } }));
    assert.match(logo?.light ?? '', /^\/brand\/logo-light\?v=[\w-]{22}$/);
    assert.match(logo?.dark ?? '', /^\/brand\/logo-dark\?v=[\w-]{22}$/);
    assert.notEqual(logo?.light.split('=')[1], logo?.dark.split('=')[1]);
  });

  it('an accent that is hard to read is refused with the nearest colour that works', () => {
    assert.deepEqual(refuse({ name: 'Acme', accent: { light: '#ffcc00', dark: '#222' } }), [
      'accent.light is hard to read: #ffcc00 on #f4f5f8 has a contrast of 1.38, and 4.5 is needed: write "#886c00", the nearest colour that works',
      'accent.dark is hard to read: #222222 on #1b1e24 has a contrast of 1.04, and 4.5 is needed: write "#8a8a8a", the nearest colour that works',
    ]);
    assert.deepEqual(
      accept({ name: 'Acme', accent: { light: '#886c00', dark: '#8a8a8a' } }).accent?.light.accent,
      '#886c00',
    );
  });

  it('links are https addresses, and support may be an e-mail address', () => {
    const links = (value: object) => accept({ name: 'Acme', links: value }).links;
    assert.deepEqual(links({ terms: 'https://a.example/t?x=1#y', support: 'help@a.example' }), {
      terms: 'https://a.example/t?x=1#y',
      privacy: null,
      support: 'mailto:help@a.example',
    });
    assert.equal(links({ support: 'mailto:help@a.example' }).support, 'mailto:help@a.example');
    assert.equal(links({ support: 'https://a.example/help' }).support, 'https://a.example/help');
    for (const url of [
      'http://a.example',
      'javascript:alert(1)',
      'https://ann:pw@a.example',
      'https://a.example/ x',
      '//a.example',
      'a.example',
      'help@a.example',
      `https://a.example/${'a'.repeat(500)}`,
      7,
    ])
      assert.deepEqual(refuse({ name: 'Acme', links: { terms: url } }), [
        'links.terms is not an https address: write "https://example.com/terms"',
      ]);
    for (const support of [
      'help',
      'mailto:',
      'a@b',
      'a@b.example?subject=x',
      'Ann <a@b.example>',
      'mailto:a@b.example,c@d.example',
    ])
      assert.match(refuse({ name: 'Acme', links: { support } }).join(), /^links.support is neither/);
  });

  it('all problems are listed at once, each with its place and its cure', () => {
    const problems = refuse({
      nmae: 'Acme',
      logo: { light: 'bad.svg', dark: 'none.svg', wide: 'x' },
      accent: { light: 'red' },
      links: { imprint: 'https://a.example', terms: 'x' },
      texts: { xx: {}, en: { sms: { code: 'no placeholders' }, mail: 7 } },
      colour: '#fff',
    });
    const places = problems.map((problem) => problem.split(' ')[0]);
    assert.deepEqual(places, [
      ...[
        'nmae',
        'colour',
        'name',
        'logo.wide',
        'logo.light',
        'logo.dark',
        'accent.light',
        'links.imprint',
        'links.terms',
      ],
      ...['texts.xx', 'texts.en.sms.code', 'texts.en.mail'],
    ]);
    for (const problem of problems) assert.match(problem, /: (?:write|remove|check|add) /, problem);
  });

  for (const [text, problem] of [
    ['', /^the file is empty: write/],
    ['[]', /^the file is not an object: write \{ … \}/],
    ['{"name": "a",}', /^the file is not JSON( in line 1, column 14)?: look for comments/],
    ['{"name": "\uFFFD"}', /^the file is not UTF-8/],
    [`{"name": "${'a'.repeat(1_000_000)}"}`, /^the file has more than 1 MB/],
  ] as const)
    it(`a file is refused: ${text.slice(0, 20)}`, () => assert.match(refuse(text).join(), problem));

  it('a mark at the beginning, which some editors write, is no problem', () => {
    assert.equal(accept('\uFEFF{"name": "Acme"}').name, 'Acme');
  });

  it('a field whose name is almost right is named', () => {
    assert.match(refuse({ name: 'Acme', Accents: '#000' }).join(), /^Accents is not a known field: write accent$/);
    assert.match(refuse({ name: 'Acme', link: {} }).join(), /^link is not a known field: write links$/);
  });
});
