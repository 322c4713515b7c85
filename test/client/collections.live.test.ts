// For users without TypeScript: the curl script runs against a real service, and script and collection contain every call.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { calls } from '../../client/src/api-types.ts';
import { calls as serviceCalls } from '../../client/src/service-types.ts';
import { openStage, type Stage } from '../helpers/client/stage.ts';
import { createServiceKey } from '../helpers/service-keys.ts';

const folder = new URL('../../client/http/', import.meta.url);

describe('client/http', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the script walk.sh runs to its end, with and without a service key, also if the inbox has messages of an earlier run', async () => {
    const script = new URL('walk.sh', folder).pathname;
    const key = await createServiceKey(stage.service);
    for (const KEY of ['', key]) {
      const { stdout } = await promisify(execFile)('sh', [script, stage.url], { env: { ...process.env, KEY } });
      assert.match(stdout, /Every call answered\.\n$/);
    }
  });

  it('the files walk.sh and gatehouse.http contain every call', () => {
    const script = readFileSync(new URL('walk.sh', folder), 'utf8');
    const collection = readFileSync(new URL('gatehouse.http', folder), 'utf8');
    for (const line of [...Object.values<string>(calls), ...Object.values<string>(serviceCalls)]) {
      const [method = '', path = ''] = line.split(' ');
      const filled = path.replaceAll(/\{\w+\}/g, () => String.raw`(\$\w+|\{\{[^}]*\}\})`);
      const end = String.raw`(?=["'\s?]|$)`;
      assert.match(script, new RegExp(`(${method} |curl [^\n]*)["']?(\\$BASE)?${filled}${end}`, 'm'));
      assert.match(collection, new RegExp(`^${method} \\{\\{base\\}\\}${filled}${end}`, 'm'));
    }
  });
});
