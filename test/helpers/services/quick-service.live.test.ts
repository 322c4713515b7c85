// The service for many small calls gives every message, also one whose commit others see before the service does.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Config } from '../../../src/config/config.ts';
import { type OpenedStore, openStore } from '../../../src/store/open-store.ts';
import { newPhone } from '../requests/api.ts';
import { isolatedEnv } from './gatehouse.ts';
import { type QuickService, startService } from './quick-service.ts';

/** As on PostgreSQL when the answer to a commit comes later than an answer on another connection. */
async function openLate(config: Config): Promise<OpenedStore> {
  const store = await openStore({ ...config, endsLeases: true });
  let sawInbox: () => void = () => undefined;
  const call: OpenedStore['call'] = async (name, input) => {
    const output = await store.call(name, input);
    if (name === 'inbox.list') sawInbox();
    if (name === 'outbox.finishSent')
      await new Promise<void>((resolve) => {
        sawInbox = () => setImmediate(resolve);
      });
    return output;
  };
  return { ...store, call };
}

describe('the service for many small calls', () => {
  let service: QuickService;
  let dispose: () => Promise<void>;

  before(async () => {
    const isolated = await isolatedEnv('sqlite');
    dispose = isolated.dispose;
    service = await startService(isolated.env, openLate);
  });

  after(async () => {
    await service?.stop();
    await dispose?.();
  });

  it('gives a message that has left the outbox and is announced later', async () => {
    for (const recipient of [newPhone(), newPhone()]) {
      const { verdict } = await service.call('POST', 'phone/send/otp', { 'captcha-token': 'x' }, { recipient });
      assert.equal(verdict, '200');
      const letters = await service.takeLetters();
      assert.deepEqual(
        letters.map(({ to }) => to),
        [recipient],
      );
    }
    assert.deepEqual(await service.takeLetters(), []);
  });
});
