// The commands for apps: add, list, check and secret. Only the hash of a secret is stored, and no change is lost.
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hashSecret } from '../../../src/apps/clients/secret-hash.ts';
import { run } from '../../helpers/services/command-line.ts';

describe('the commands for apps', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'apps-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const place = (name: string) => join(folder, name);
  const read = (name: string) => JSON.parse(readFileSync(place(name), 'utf8'));
  const apps = (file: string, ...args: string[]) => run({ APPS_FILE: place(file) }, 'apps', ...args);
  const addOf = (party: readonly string[], file: string, id: string, ...more: string[]) => {
    const app = ['--id', id, '--name', `The ${id}`, '--redirect-uri', `https://${id}.example.com/back`];
    return apps(file, 'add', ...app, ...party, ...more);
  };
  const add = (file: string, id: string, ...more: string[]) => addOf(['--first-party'], file, id, ...more);

  it('an app is added to a new file, listed and checked, and its secret is printed once and stored as a hash', async () => {
    const options = ['--redirect-uri', 'http://localhost:3000/back', '--logout-uri', 'https://shop.example.com/bye'];
    const more = [...options, '--confidential', '--scopes', 'openid,files'];
    const added = await addOf(['--third-party'], 'new.json', 'shop', ...more);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /^gas_[\w-]{43}\n$/, 'the secret alone, for a pipe');
    assert.match(
      added.stderr,
      /The shop was added\. Restart the service: it reads .*new\.json when it starts\.\n.*shown once/,
    );
    assert.deepEqual(read('new.json'), [
      {
        id: 'shop',
        name: 'The shop',
        redirectUris: ['https://shop.example.com/back', 'http://localhost:3000/back'],
        logoutUris: ['https://shop.example.com/bye'],
        secretHash: hashSecret(added.stdout.trim()),
        scopes: ['openid', 'files'],
        firstParty: false,
      },
    ]);
    const listed = await apps('new.json', 'list');
    assert.match(
      listed.stdout,
      /^name +id +kind +party +scopes +redirect URIs\nThe shop +shop +confidential +third party +openid,files +https:/,
    );
    const checked = await apps('new.json', 'check', '--json');
    assert.deepEqual([checked.data.apps, checked.data.problems], [1, []]);
    assert.equal(existsSync(`${place('new.json')}.lock`), false);
  });

  it('a new secret replaces the hash of the old one', async () => {
    await add('secret.json', 'shop');
    const changed = await apps('secret.json', 'secret', 'shop', '--json');
    assert.equal(read('secret.json')[0].secretHash, hashSecret(changed.data.secret));
    const again = await apps('secret.json', 'secret', 'shop');
    assert.notEqual(again.stdout.trim(), changed.data.secret);
    assert.equal(read('secret.json')[0].secretHash, hashSecret(again.stdout.trim()));
    const unknown = await apps('secret.json', 'secret', 'shep');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /no app shep/);
  });

  it('several apps that are added at the same time are all there', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const results = await Promise.all(ids.map((id) => add('race.json', id)));
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0, 0, 0],
    );
    assert.deepEqual(
      read('race.json')
        .map(({ id }: { id: string }) => id)
        .sort(),
      ids,
    );
  });

  it('the file keeps its form, its indentation, its permissions and the link to it', async () => {
    const old = { id: 'old', name: 'Old', redirectUris: ['https://old.example.com/'], firstParty: true };
    writeFileSync(place('real.json'), JSON.stringify({ apps: [old] }, undefined, '\t'));
    chmodSync(place('real.json'), 0o640);
    symlinkSync('real.json', place('link.json'));
    assert.equal((await add('link.json', 'shop')).code, 0);
    const text = readFileSync(place('real.json'), 'utf8');
    assert.match(text, /^\{\n\t"apps": \[\n\t\t\{\n/);
    assert.deepEqual(read('link.json').apps[0], old);
    assert.equal(statSync(place('real.json')).mode & 0o777, 0o640);
  });

  it('what the service would refuse is not added, and all of it is explained', async () => {
    await add('wrong.json', 'shop');
    const before = readFileSync(place('wrong.json'), 'utf8');
    const wrong = await apps(
      'wrong.json',
      'add',
      '--id',
      'a b',
      '--name',
      'A',
      '--redirect-uri',
      'http://a.example.com/',
      '--first-party',
    );
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(
      wrong.stderr,
      /Nothing was changed\.\n.*app 2: id must[\s\S]*redirectUris “http:\/\/a\.example\.com\/” must begin with https/,
    );
    const twice = await add('wrong.json', 'shop');
    assert.deepEqual([twice.code, /There is an app shop already/.test(twice.stderr)], [1, true]);
    const logo = await add('wrong.json', 'next', '--logo', place('missing.png'));
    assert.match(logo.stderr, /app next: logo names a file that cannot be read/);
    assert.equal(readFileSync(place('wrong.json'), 'utf8'), before);
  });

  it('an app is added only if the command says whose it is, and the file says so too', async () => {
    for (const party of [[], ['--first-party', '--third-party']]) {
      const refused = await addOf(party, 'party.json', 'shop');
      assert.deepEqual([refused.code, refused.stdout], [2, '']);
      assert.match(refused.stderr, /Say whose app it is: --first-party .*, or --third-party /);
      assert.ok(!existsSync(place('party.json')));
    }
    for (const party of ['first', 'third']) await addOf([`--${party}-party`], 'party.json', party);
    assert.deepEqual(
      read('party.json').map(({ firstParty }: { firstParty: unknown }) => firstParty),
      [true, false],
    );
  });

  it('a file with problems is shown with all of them, and never changed', async () => {
    const text = JSON.stringify([{ id: 'shop', secret: 'x' }]);
    writeFileSync(place('bad.json'), text);
    const checked = await apps('bad.json', 'check');
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /bad\.json has problems\.\n.*“secret” is not a known field[\s\S]*name must[\s\S]*$/);
    for (const result of [
      await apps('bad.json', 'list'),
      await add('bad.json', 'next'),
      await apps('bad.json', 'secret', 'shop'),
    ])
      assert.deepEqual([result.code, /has problems/.test(result.stderr)], [1, true]);
    assert.equal(readFileSync(place('bad.json'), 'utf8'), text);
  });

  it('a logo on the command line is relative to the current folder, and in the file to the file', async () => {
    writeFileSync(place('logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
    assert.equal((await add('logo.json', 'shop', '--logo', place('logo.svg'))).code, 0);
    assert.equal(read('logo.json')[0].logo, 'logo.svg');
  });

  it('a file must be named, by the setting or by an option', async () => {
    const nothing = await run({}, 'apps', 'list');
    assert.deepEqual([nothing.code, /Set APPS_FILE/.test(nothing.stderr)], [2, true]);
    const missing = await run({}, 'apps', 'check', '--file', place('missing.json'));
    assert.deepEqual([missing.code, /does not exist.*gatehouse apps add --help/.test(missing.stderr)], [1, true]);
    writeFileSync(place('empty.json'), '[]');
    const empty = await run({}, 'apps', 'list', '--file', place('empty.json'));
    assert.deepEqual([empty.code, empty.stdout, /No apps yet/.test(empty.stderr)], [0, '', true]);
    const option = ['--file', place('empty.json')];
    const added = await run(
      {},
      'apps',
      'add',
      '--id',
      'x',
      '--name',
      'X',
      '--redirect-uri',
      'https://x.example.com/',
      '--first-party',
      ...option,
    );
    assert.match(added.stderr, /the service needs APPS_FILE=.*empty\.json/);
  });
});
