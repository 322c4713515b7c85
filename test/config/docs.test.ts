// The generated documents are up to date, and .env.example names exactly the settings that are read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createDocs } from '../../scripts/write-docs.ts';
import { readConfig } from '../../src/config/config.ts';
import { isSecret, settingNames } from '../../src/config/settings.ts';
import { failureCodes } from '../../src/kernel/failure.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('generated documents', () => {
  for (const [path, text] of Object.entries(createDocs())) {
    it(`the generated file ${path} is up to date`, () => {
      assert.equal(read(path), text, 'run npm run docs');
    });
  }

  it('.env.example names every setting that is read, and no other', () => {
    const named = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);
    assert.deepEqual(new Set(named), readNames());
    assert.deepEqual(new Set(named), new Set(settingNames));
    assert.equal(named.length, settingNames.length);
  });

  it('.env.example contains only comments, so that copying it changes nothing', () => {
    for (const line of read('.env.example').split('\n')) assert.match(line, /^(# .+)?$/);
  });

  it('every default shown in .env.example as a value is accepted', () => {
    const lines = [...read('.env.example').matchAll(/^# ([A-Z_]+)=([^<\s]\S*) {2}— \S/gm)];
    assert.ok(lines.length > 30);
    const env = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
    assert.deepEqual('problems' in readConfig(env) ? readConfig(env) : undefined, undefined);
  });

  it('docs/errors.md lists every code once', () => {
    const codes = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
    assert.deepEqual(codes, [...failureCodes]);
  });
});

/** The settings that are looked up while the config is read. */
function readNames(): Set<string> {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void asked.add(String(name)) });
  readConfig(env);
  const files = settingNames.filter(isSecret).map((name) => `${name}_FILE`);
  return asked.difference(new Set(files));
}
