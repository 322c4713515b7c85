// What the files of the secrets may hold while the service runs, and what is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeSecrets, rereadSecrets, type SecretPlaces } from '../../src/config/reread-secrets.ts';

const [old, next, other] = ['nineteen violet lanterns, 47', 'eleven copper kettles, 83', 'six quiet harbours, 25'].map(
  (text) => `${text}, over the moor`,
) as [string, string, string];
const used = { secret: old, previousSecret: undefined };
const before: { readonly secret: string; readonly previousSecret: string | undefined } = {
  secret: next,
  previousSecret: old,
};
const production: SecretPlaces = {
  mode: 'production',
  secret: old,
  previousSecret: undefined,
  secretFiles: { current: '/s', previous: '/p' },
  dataDir: '/d',
};

const generated: SecretPlaces = {
  ...production,
  mode: 'local',
  secret: undefined,
  secretFiles: { current: undefined, previous: undefined },
};

function failRead(code: string): never {
  throw Object.assign(new Error(code), { code });
}

function reread(files: Readonly<Record<string, string>>, places = production, texts: typeof before = used) {
  return rereadSecrets(places, texts, (path) => {
    const text = files[path] ?? failRead('ENOENT');
    return text === 'forbidden' ? failRead('EACCES') : text;
  });
}

describe('the files of the secrets', () => {
  for (const [what, places, files, found] of [
    [
      'are read again',
      {},
      { '/s': `${old}\n`, '/p': `${old}\n${next}\n` },
      { secret: old, previousSecret: `${old}\n${next}` },
    ],
    [
      'are none if the settings hold the secrets',
      { secretFiles: { current: undefined, previous: undefined } },
      {},
      undefined,
    ],
    [
      'may be one of the two',
      { secretFiles: { current: undefined, previous: '/p' } },
      { '/p': next },
      { secret: old, previousSecret: next },
    ],
    [
      'are in the data folder in local mode',
      { mode: 'local', secret: undefined, secretFiles: { current: undefined, previous: undefined } },
      { '/d/secret': next, '/d/secret.previous': old },
      { secret: next, previousSecret: old },
    ],
    [
      'need no previous one in local mode',
      { mode: 'local', secret: undefined, secretFiles: { current: undefined, previous: undefined } },
      { '/d/secret': old },
      { secret: old, previousSecret: undefined },
    ],
  ] as [string, Partial<SecretPlaces>, Record<string, string>, unknown][]) {
    it(what, () => assert.deepEqual(reread(files, { ...production, ...places }), found));
  }

  for (const [what, files, problem] of [
    ['one that is being written', { '/s': ' \n', '/p': old }, /^SECRET_FILE names an empty file/],
    ['one that is gone', { '/p': old }, /^SECRET_FILE names a file that cannot be read/],
    ['one that is too short', { '/s': 'short', '/p': old }, /^SECRET is too short/],
    ['one that can be guessed', { '/s': 'a'.repeat(40), '/p': old }, /^SECRET has too few different characters/],
    ['a line that is too short', { '/s': old, '/p': `${old}\nshort` }, /^SECRET_PREVIOUS is too short/],
  ] as [string, Record<string, string>, RegExp][]) {
    it(`${what} is refused, and not shown`, () => {
      const found = reread(files);
      const text = found !== undefined && 'problem' in found ? found.problem : assert.fail();
      assert.match(text, problem);
      for (const secret of [old, 'aaaa', 'short,']) assert.ok(!text.includes(secret));
    });
  }
});

describe('the previous secret in the data folder', () => {
  for (const [what, files, places, found] of [
    ['is none once its file is deleted', { '/d/secret': next }, {}, { secret: next, previousSecret: undefined }],
    [
      'counts no more than a setting',
      { '/d/secret': next, '/d/secret.previous': other },
      { previousSecret: old },
      { secret: next, previousSecret: old },
    ],
  ] as [string, Record<string, string>, Partial<SecretPlaces>, unknown][]) {
    it(what, () => assert.deepEqual(reread(files, { ...generated, ...places }, before), found));
  }

  for (const [what, files] of [
    ['a file that cannot be read', { '/d/secret': next, '/d/secret.previous': 'forbidden' }],
    ['a folder that is gone', {}],
  ] as [string, Record<string, string>][]) {
    it(`stays with ${what}, which is reported`, () => {
      const found = reread(files, generated, before);
      assert.match(found !== undefined && 'problem' in found ? found.problem : '', /names a file that cannot be read/);
    });
  }
});

describe('a change of the secrets', () => {
  for (const [what, before, found, verdict] of [
    ['that changes nothing', [old], [old], 'same'],
    ['that accepts the next secret', [old], [old, `${old}\n${next}`], 'use'],
    [
      'that uses an accepted secret and keeps the one before',
      [old, `${old}\n${next}`],
      [next, `${old}\n${next}`],
      'use',
    ],
    ['that uses a new secret at once and keeps the one before', [old], [next, old], 'use'],
    ['that forgets a secret that is not used', [next, `${old}\n${next}`], [next, next], 'use'],
    ['that forgets the secret in use', [old], [next], 'refused'],
    ['that forgets the secret in use, and names others', [old], [next, other], 'refused'],
  ] as const) {
    it(`${what} is ${verdict === 'use' ? 'taken' : verdict === 'same' ? 'none' : 'refused'}`, () => {
      const textsOf = ([secret = '', previousSecret]: readonly string[]) => ({ secret, previousSecret });
      const judged = judgeSecrets(textsOf(before), textsOf(found));
      assert.equal(typeof judged === 'object' ? 'refused' : judged, verdict);
    });
  }
});
