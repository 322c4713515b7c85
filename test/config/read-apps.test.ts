// APPS_FILE among the settings: apps, or problems of the setting. Logos are read beside the file.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createEnvReader } from '../../src/config/env-reader.ts';
import { readAppList, readLogoBeside } from '../../src/config/read-apps.ts';

const app = { id: 'shop', name: 'Shop', redirectUris: ['https://shop.example.com/'], firstParty: true };

describe('the apps of the settings', () => {
  const read = (text: string | undefined) => {
    const reader = createEnvReader({ APPS_FILE: '/apps.json' }, () => text ?? assert.fail('missing'));
    return { apps: readAppList(reader), problems: reader.problems };
  };

  it('are none without a file', () => assert.deepEqual(readAppList(createEnvReader({})), []));

  it('are those of the file', () => {
    const { apps, problems } = read(JSON.stringify([app]));
    assert.deepEqual([apps.map(({ id }) => id), problems], [['shop'], []]);
  });

  it('are none if the file is missing or invalid, with every problem of the file', () => {
    assert.deepEqual(read(undefined), {
      apps: [],
      problems: [
        {
          name: 'APPS_FILE',
          trouble: 'names /apps.json, which cannot be read',
          cure: 'check the path and its permissions',
        },
      ],
    });
    const { apps, problems } = read(JSON.stringify([{ ...app, name: '', firstParty: 1 }]));
    assert.deepEqual(apps, []);
    assert.deepEqual(
      problems.map(({ name, trouble, cure }) => `${name} ${trouble}: ${cure}`),
      [
        'APPS_FILE (/apps.json) is invalid: app shop: name must be plain text of 1 to 60 characters',
        'APPS_FILE (/apps.json) is invalid: app shop: firstParty must be true or false',
      ],
    );
  });

  it('have logos whose paths are relative to the file, and only the beginning of a logo is read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'logos-'));
    try {
      writeFileSync(join(folder, 'logo'), 'abcdef');
      const readLogo = readLogoBeside(join(folder, 'apps.json'));
      assert.equal(readLogo('logo', 100).toString(), 'abcdef');
      assert.equal(readLogo('logo', 4).toString(), 'abcd');
      assert.throws(() => readLogo('other', 4));
      assert.throws(() => readLogo('.', 4));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
