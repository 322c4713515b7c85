// The secret of local mode: made once, kept, rotated, and never weaker than it must be.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadSecrets, makeSecret, rotateSecret } from '../../src/config/service-secret.ts';
import { useTemporaryFolders } from '../backup/stage/small-backup.ts';

const none = { secret: undefined, previousSecret: undefined };
const long = 'x'.repeat(32);

describe('the service secret', () => {
  const newFolder = useTemporaryFolders();

  it('a made secret has 64 characters and never repeats', () => {
    const made = Array.from({ length: 20 }, makeSecret);
    for (const secret of made) assert.match(secret, /^[\w-]{64}$/);
    assert.equal(new Set(made).size, made.length);
  });

  it('the settings win, and the data folder is not touched', () => {
    const dataDir = newFolder();
    assert.deepEqual(loadSecrets({ secret: 'set', previousSecret: 'before', dataDir }), {
      secret: 'set',
      previousSecret: 'before',
    });
    assert.deepEqual(readdirSync(dataDir), []);
  });

  it('without a setting, a secret is made once, readable by its owner only, and loaded again', () => {
    const dataDir = join(newFolder(), 'data');
    const { secret, previousSecret } = loadSecrets({ ...none, dataDir });
    assert.equal(previousSecret, undefined);
    assert.equal(loadSecrets({ ...none, dataDir }).secret, secret);
    assert.equal(readFileSync(join(dataDir, 'secret'), 'utf8'), `${secret}\n`);
    assert.equal(statSync(join(dataDir, 'secret')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dataDir), ['secret']);
  });

  it('a rotation announces the next secret before it is used, keeps the old one, and a second one forgets the first', async () => {
    const dataDir = newFolder();
    const first = loadSecrets({ ...none, dataDir }).secret;
    let announced: ReturnType<typeof loadSecrets> | undefined;
    await rotateSecret(dataDir, async () => {
      announced = loadSecrets({ ...none, dataDir });
    });
    const second = loadSecrets({ ...none, dataDir });
    assert.deepEqual(announced, { secret: first, previousSecret: `${first}\n${second.secret}` });
    assert.equal(second.previousSecret, announced.previousSecret);
    assert.notEqual(second.secret, first);
    await rotateSecret(dataDir, async () => undefined);
    const third = loadSecrets({ ...none, dataDir });
    assert.equal(third.previousSecret, `${second.secret}\n${third.secret}`);
    assert.deepEqual(readdirSync(dataDir).sort(), ['secret', 'secret.previous']);
  });

  it('a previous secret in the settings replaces the one in the data folder', () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'secret'), `${long}\n`);
    writeFileSync(join(dataDir, 'secret.previous'), `${long}y\n`);
    assert.deepEqual(loadSecrets({ ...none, dataDir }), { secret: long, previousSecret: `${long}y` });
    assert.equal(loadSecrets({ ...none, previousSecret: 'set', dataDir }).previousSecret, 'set');
  });

  it('a file with fewer than 32 characters is no previous secret, and no service starts on it as its secret', () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'secret'), long);
    writeFileSync(join(dataDir, 'secret.previous'), 'x'.repeat(31));
    assert.equal(loadSecrets({ ...none, dataDir }).previousSecret, undefined);
    writeFileSync(join(dataDir, 'secret'), 'x'.repeat(31));
    assert.throws(() => loadSecrets({ ...none, dataDir }), /cannot read .*secret/);
    assert.deepEqual(readdirSync(dataDir).sort(), ['secret', 'secret.previous']);
  });

  it('a secret that cannot be read is an error, not a reason to make another', () => {
    const dataDir = newFolder();
    assert.throws(() => loadSecrets({ ...none, dataDir: join(dataDir, 'x', '\0') }));
  });
});
