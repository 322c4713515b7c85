// The samples in the documents use only calls of the client and fields of its error that exist.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createGatehouse, GatehouseError } from '../../client/src/create-gatehouse.ts';
import { createService } from '../../client/src/service.ts';

const folder = new URL('../../', import.meta.url).pathname;
const gatehouse = createGatehouse({ url: 'http://localhost:8080' });
const service = createService({ url: 'http://localhost:8080', key: 'gks_0_0' });
const failure = new GatehouseError({ code: 'NETWORK', message: '' });
const documents = [...globSync('docs/*.md', { cwd: folder }), 'client/README.md', 'examples/README.md', 'README.md'];

const samplesOf = (document: string) =>
  [...readFileSync(`${folder}${document}`, 'utf8').matchAll(/^```(?:tsx?|js)\n(.*?)^```/gms)].map(
    ([, sample = '']) => sample,
  );

const find = (client: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], client);

describe('the samples in the documents', () => {
  it('the samples call only what the client has, and read only what its error has', () => {
    const samples = documents.flatMap(samplesOf);
    const calls = samples.flatMap((sample) =>
      [...sample.matchAll(/\bgatehouse\.([\w.]+)\(/g)].map(([, path = '']) => path),
    );
    const ofBackEnds = samples
      .filter((sample) => sample.includes('createService('))
      .flatMap((sample) => [...sample.matchAll(/\bservice\.([\w.]+)\(/g)].map(([, path = '']) => path));
    const fields = samples.flatMap((sample) => [...sample.matchAll(/\berror\??\.(\w+)/g)].map(([, name = '']) => name));
    assert.ok(calls.includes('phone.claim') && fields.includes('proofTicket'), 'the samples were found');
    assert.deepEqual(
      calls.filter((path) => typeof find(gatehouse, path) !== 'function'),
      [],
    );
    assert.ok(ofBackEnds.includes('events.follow'), 'the samples for back ends were found');
    assert.deepEqual(
      ofBackEnds.filter((path) => typeof find(service, path) !== 'function'),
      [],
    );
    assert.deepEqual(
      fields.filter((name) => !(name in failure)),
      [],
    );
  });
});
