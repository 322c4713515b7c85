// What the doctor learns from clamd: version, date of the signatures, the test file and the size limit; and from what is no clamd.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { askClamdState } from '../../../src/adapters/scan/clamd-state.ts';
import { examineScanner } from '../../../src/commands/doctor/examine-scanner.ts';
import { readConfig } from '../../../src/config/config.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { type FakeClamd, startFakeClamd } from '../../helpers/uploads/fake-clamd.ts';

const { signal } = new AbortController();

describe('the state of clamd', () => {
  let clamd: FakeClamd;
  before(async () => {
    clamd = await startFakeClamd();
  });
  afterEach(() => clamd.act(undefined));
  after(() => clamd.stop());
  const ask = () => askClamdState(clamd.place, { largestBytes: 1000, signal });
  const answer = (command: string, text: string) =>
    clamd.act((socket, request) => request.command === command && Boolean(socket.end(`${text}\0`)));
  const examine = async (url: string) => {
    const result = readConfig({ SCAN_URL: url });
    const findings = await examineScanner('config' in result ? result.config : assert.fail(url));
    return findings.map(({ state, detail, cure = '' }) => [state, detail, cure.split(/[,:;]/)[0]]);
  };

  it('clamd says its version and the date of its signatures, finds the test file and takes a large file', async () => {
    assert.deepEqual(await ask(), {
      name: 'ClamAV 1.4.6',
      signaturesAt: Date.UTC(2031, 4, 4, 10, 26, 36),
      findsTestFile: true,
      takesLargest: true,
    });
  });

  it('a clamd without signatures has no date', async () => {
    answer('VERSION', 'ClamAV 1.4.6');
    assert.equal((await ask()).signaturesAt, undefined);
  });

  it('a clamd that lets the test file pass is noticed', async () => {
    clamd.act((socket, { file }) => file !== undefined && Boolean(socket.end('stream: OK\0')));
    assert.equal((await ask()).findsTestFile, false);
  });

  it('a size limit is found by announcing the size, without sending the bytes', async () => {
    const bytes: number[] = [];
    clamd.act((socket, { announced, received }) => {
      if (announced !== 1000) return false;
      bytes.push(received);
      return Boolean(socket.end('INSTREAM size limit exceeded. ERROR\0'));
    });
    assert.equal((await ask()).takesLargest, false);
    assert.deepEqual(bytes, ['zINSTREAM\0'.length + 4]);
  });

  it('the doctor says what is wrong with a scanner that does not answer, and what to do', async () => {
    assert.deepEqual(await examine(`clamd://127.0.0.1:${await freePort()}`), [
      ['bad', 'it does not answer: ECONNREFUSED', 'start clamd'],
    ]);
    assert.deepEqual(await examine('clamd:///no/such/socket'), [['bad', 'it does not answer: ENOENT', 'start clamd']]);
    answer('', 'SSH-2.0-OpenSSH');
    assert.deepEqual(await examine(clamd.url), [
      ['bad', 'it does not answer: it does not answer like clamd', 'check that SCAN_URL names clamd'],
    ]);
  });
});
