// The options of a mail connection: TLS is required for every other machine, and nothing is read from files or URLs.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { smtp } from '../../../src/adapters/mail/smtp.ts';
import { poolOptions, usualWaits } from '../../../src/adapters/mail/smtp-pool.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';
import { useTemporaryFolders } from '../../backup/stage/small-backup.ts';

const url = (text: string) => parseProviderUrl(text, 'host') ?? assert.fail(text);
const options = (text: string, ownHost = 'id.example.com') => poolOptions(url(text), ownHost, usualWaits);

describe('the options of a mail connection', () => {
  for (const [text, host, port, secure, requireTLS, ignoreTLS] of [
    ['smtp://mail.example.com', 'mail.example.com', 587, false, true, false],
    ['smtp://mail.example.com:25', 'mail.example.com', 25, false, true, false],
    ['smtp://mail.example.com?tls=require', 'mail.example.com', 587, false, true, false],
    ['smtp://mail.example.com?tls=off', 'mail.example.com', 587, false, false, true],
    ['smtp://localhost', 'localhost', 587, false, false, false],
    ['smtp://localhost?tls=require', 'localhost', 587, false, true, false],
    ['smtp://[::1]:25', '::1', 25, false, false, false],
    ['smtp://10.0.0.1', '10.0.0.1', 587, false, true, false],
    ['smtps://mail.example.com', 'mail.example.com', 465, true, false, false],
    ['smtps://mail.example.com:2465', 'mail.example.com', 2465, true, false, false],
  ] as const) {
    it(`${text} ${secure ? 'begins with TLS' : requireTLS ? 'requires STARTTLS' : ignoreTLS ? 'has no TLS' : 'takes STARTTLS if offered'}`, () => {
      const made = options(text);
      assert.deepEqual(
        [made.host, made.port, made.secure, made.requireTLS, made.ignoreTLS],
        [host, port, secure, requireTLS, ignoreTLS],
      );
    });
  }

  it('credentials are used only if there are any', () => {
    assert.deepEqual(options('smtp://ann:p%40w@mail').auth, { user: 'ann', pass: 'p@w' });
    assert.equal('auth' in options('smtp://mail'), false);
  });

  it('the own name is sent unless it is an IP address', () => {
    assert.equal(options('smtp://mail').name, 'id.example.com');
    for (const address of ['127.0.0.1', '::1']) assert.equal('name' in options('smtp://mail', address), false);
  });

  it('a message can pull in neither files nor URLs, and waits are bounded', () => {
    const made = options('smtp://mail');
    assert.deepEqual([made.disableFileAccess, made.disableUrlAccess], [true, true]);
    assert.deepEqual(
      [made.connectionTimeout, made.greetingTimeout, made.socketTimeout, made.idleTimeout],
      [3000, 3000, 8000, 4000],
    );
    assert.deepEqual([made.pool, made.maxConnections, made.maxRequeues], [true, 32, 1]);
  });
});

describe('DKIM', () => {
  const newFolder = useTemporaryFolders();

  it('has its key from the file', () => {
    const path = join(newFolder(), 'key.pem');
    writeFileSync(path, 'KEY');
    assert.deepEqual(options(`smtp://mail?dkim_domain=example.com&dkim_selector=s1&dkim_key_file=${path}`).dkim, {
      domainName: 'example.com',
      keySelector: 's1',
      privateKey: 'KEY',
    });
    assert.equal('dkim' in options('smtp://mail'), false);
  });

  for (const query of [
    'dkim_domain=a',
    'dkim_domain=a&dkim_selector=b',
    'dkim_domain=a&dkim_selector=&dkim_key_file=/x',
  ]) {
    it(`with ${query} only is refused, in the settings and here`, () => {
      assert.throws(() => options(`smtp://mail?${query}`), /go together/);
      assert.equal(smtp.isComplete(url(`smtp://mail?${query}`)), false);
    });
  }
});
