// Proves that every regular expression of ours runs in linear time: every literal is analysed, and none is built from foreign text.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, it } from 'node:test';
import { parse, type Token } from 'acorn';
import { analyse } from 'scslre';

type Literal = { readonly place: string; readonly source: string; readonly flags: string };

/** Built at run time, each from text of ours. They are listed here so that a new one is noticed. */
const madeAtRunTime = [
  'media/src/proofs/documents/pdf-xref.ts',
  'scripts/site/page/highlight.ts',
  'src/auth/identity/numbering-plan.ts',
];

/** The guides of the site are left out: they read documents of the project only, when it is built. */
const paths = globSync(['{src,client/src,media/src}/**/*.{ts,js}', 'scripts/site/{,page/,reference/}*.ts'], {
  cwd: new URL('../..', import.meta.url),
}).sort();

const read = (file: string) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
};

/** The token type of Acorn leaves out the value. */
type Held = Token & { readonly value?: string | { readonly pattern?: string; readonly flags?: string } };

function tokensOf(text: string): Held[] {
  const tokens: Held[] = [];
  parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onToken: tokens });
  return tokens;
}

function literalsOf(file: string, tokens: readonly Held[]): Literal[] {
  return tokens.flatMap(({ value, loc }) => {
    const { pattern, flags } = typeof value === 'object' ? value : {};
    if (pattern === undefined || flags === undefined) return [];
    return [{ place: `${file}:${loc?.start.line}`, source: pattern, flags }];
  });
}

/** Repeats that share characters, nested repeats, and a search that restarts at every character of a run. */
function complaints({ place, source, flags }: Literal): string[] {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map(({ type, character }) => `${place} /${source}/${flags} ${type} of “${character.pick}”`);
}

const files = new Map(paths.map((file) => [file, tokensOf(read(file))]));

describe('regular expressions', () => {
  it('every regular expression runs in linear time', () => {
    const literals = [...files].flatMap(([file, tokens]) => literalsOf(file, tokens));
    assert.ok(literals.length > 150, `${literals.length} were found`);
    assert.deepEqual(literals.flatMap(complaints), []);
  });

  it('the analysis detects slow regular expressions', () => {
    const slow = ['/^ +| +$/g', '/^bearer(?: +(.*))?$/is', '/(a+)+$/', '/,\\s*,*\\s*$/', '/^(?:a+b?)*c$/'];
    for (const text of slow) {
      const found = literalsOf('sample', tokensOf(`const sample = ${text};`)).flatMap(complaints);
      assert.notEqual(found.length, 0, text);
    }
  });

  it('only the listed files build regular expressions at run time', () => {
    const found = [...files].filter(([, tokens]) =>
      tokens.some(({ value, type }) => type.label === 'name' && value === 'RegExp'),
    );
    assert.deepEqual(
      found.map(([file]) => file),
      madeAtRunTime,
    );
  });
});
