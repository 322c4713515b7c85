// The generated documents are up to date, and .env.example names exactly the settings that are read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';

import { createDocs } from '../../scripts/write-docs.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
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

  it('every line of .env.example can be copied as it stands: alone and together with all others it changes nothing', () => {
    const lines = read('.env.example')
      .split('\n')
      .filter((line) => /^# [A-Z_]+=/.test(line))
      .map((line) => line.slice(2));
    assert.equal(lines.length, settingNames.length);
    const configOf = (text: string) => {
      const result = readConfig(parseEnv(text), 0);
      return 'config' in result ? result.config : assert.fail(`${text}: ${JSON.stringify(result.problems)}`);
    };
    // Defaults that depend on the provider are named in words beside the line.
    const shared = ({ publicUrl, listen, loginLinkUrl, dataDir, logFormat, files }: Config) => ({
      publicUrl,
      listen,
      loginLinkUrl,
      dataDir,
      logFormat,
      files,
    });
    const unset = shared(configOf(''));
    for (const line of lines) assert.deepEqual(shared(configOf(line)), unset, line);
    assert.deepEqual(shared(configOf(lines.join('\n'))), unset);
    assert.ok(lines.filter((line) => /=\S/.test(line)).length > 30);
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
