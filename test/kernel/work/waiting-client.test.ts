// The client of the work that runs: through waits, for what it begins, and not for what others wait for too.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forClient, waitingClient, withoutClient } from '../../../src/kernel/work/waiting-client.ts';

it('work is for the client of its request, also after waits, and for nobody once the client has left', async () => {
  const [one, other] = [{ isGone: false }, { isGone: false }];
  const seen = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return waitingClient();
  };
  assert.deepEqual(await Promise.all([forClient(one, seen), forClient(other, seen), seen()]), [one, other, undefined]);
  assert.equal(await forClient(one, () => withoutClient(seen)), undefined);
  one.isGone = true;
  assert.equal(await forClient(one, seen), undefined);
});
