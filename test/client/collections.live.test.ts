// For users without TypeScript: the curl script runs against a real service, and script and collection contain every call.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { calls } from '../../client/src/api-types.ts';
import { openStage, type Stage } from '../helpers/client/stage.ts';

const folder = new URL('../../client/http/', import.meta.url);

describe('client/http', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the script walk.sh runs to its end', async () => {
    const script = new URL('walk.sh', folder).pathname;
    const { stdout } = await promisify(execFile)('sh', [script, stage.url]);
    assert.match(stdout, /Every call answered\.\n$/);
  });

  it('the files walk.sh and gatehouse.http contain every call', () => {
    const script = readFileSync(new URL('walk.sh', folder), 'utf8');
    const collection = readFileSync(new URL('gatehouse.http', folder), 'utf8');
    for (const line of Object.values<string>(calls)) {
      const [method = '', path = ''] = line.split(' ');
      const [before = '', hasId] = path.split('{id}');
      const id = hasId === undefined ? String.raw`(?=["\s?]|$)` : '';
      const inScript = new RegExp(`(${method} |curl [^\n]*)"?(\\$BASE)?${before}${id}`, 'm');
      assert.match(script, inScript);
      assert.match(collection, new RegExp(`^${method} \\{\\{base\\}\\}${before}${id}`, 'm'));
    }
  });
});
