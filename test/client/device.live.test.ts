// The client keeps the token of its device, so that its user signs in during an attack and gets no notice of a new device each time.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createGatehouse } from '../../client/src/create-gatehouse.ts';
import { memoryStorage } from '../../client/src/storage.ts';
import { createClient, type Intercept, openStage, type Stage } from '../helpers/client/stage.ts';
import { codeIn, messagesTo } from '../helpers/people/users.ts';
import { newPhone, readCode } from '../helpers/requests/api.ts';
import { setStage } from '../helpers/services/stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe('the device of the client in header mode', () => {
  const night = setStage('sqlite', { TRUSTED_PROXIES: '127.0.0.1' });
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const signIn = async (storage: ReturnType<typeof memoryStorage>, phone: string) => {
    const { gatehouse } = createClient(stage.url, { storage });
    const known = new Set((await messagesTo(stage.url, phone)).map(({ id }) => id));
    await gatehouse.phone.sendCode(phone);
    const message = await waitUntil('a code', async () =>
      (await messagesTo(stage.url, phone)).find(({ id }) => !known.has(id)),
    );
    await gatehouse.phone.signIn(phone, codeIn(message));
    return gatehouse;
  };

  it('the client keeps its device token when the user signs out, and forgets it with the account', async () => {
    const key = `gatehouse:${stage.url}:device`;
    const storage = memoryStorage();
    const phone = newPhone();
    const gatehouse = await signIn(storage, phone);
    const first = await storage.get(key);
    assert.match(String(first), /^[\w-]{75}$/);
    await gatehouse.signOut();
    assert.equal(await storage.get(key), first);
    const again = await signIn(storage, phone);
    const second = String(await storage.get(key));
    assert.equal(second.slice(4, 16), String(first).slice(4, 16), 'the device keeps its id');
    await again.deleteAccount();
    assert.equal(await storage.get(key), undefined);
  });

  it('the client of a phone that sleeps over a lost answer stays signed in, with a new version and in another network', async () => {
    const storage = memoryStorage();
    const phone = newPhone();
    let isCut = false;
    const cut: Intercept = async (_line, pass) => {
      const response = await pass();
      if (isCut) throw new TypeError('the phone is in a tunnel');
      return response;
    };
    const evening = createClient(night.url, { storage }, cut).gatehouse;
    await evening.phone.sendCode(phone);
    await evening.phone.signIn(phone, await readCode(night.url, phone));
    isCut = true;
    await assert.rejects(evening.refresh(), { code: 'NETWORK' });
    night.clock.advance(9 * 3600);
    const sent: Headers[] = [];
    const moved = { 'user-agent': 'the next version', 'x-forwarded-for': '198.51.100.7' };
    const fetchElsewhere: typeof fetch = (input, init) => {
      const headers = new Headers({ ...Object.fromEntries(new Headers(init?.headers)), ...moved });
      sent.push(headers);
      return fetch(input, { ...init, headers });
    };
    const morning = createGatehouse({ url: night.url, storage, fetch: fetchElsewhere });
    await morning.refresh();
    await morning.refresh();
    assert.equal((await morning.me()).phone, phone);
    const device = await storage.get(`gatehouse:${night.url}:device`);
    assert.deepEqual(
      sent.slice(0, 2).map((headers) => headers.get('device-token')),
      [device, device],
    );
  });

  it('the client removes the e-mail address and reports a change that was not the user’s', async () => {
    const gatehouse = await signIn(memoryStorage(), newPhone());
    await gatehouse.email.remove();
    assert.equal((await gatehouse.me()).email, null);
    await assert.rejects(gatehouse.reportNotMe('A'.repeat(32)), { code: 'LINK_INVALID' });
  });
});
