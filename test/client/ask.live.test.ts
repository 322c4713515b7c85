// The client proves that it asked for a code, so that guesses of strangers use up none of its user’s attempts.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { memoryStorage } from '../../client/src/storage.ts';
import { createClient, openStage, type Stage } from '../helpers/client/stage.ts';
import { otherThan } from '../helpers/people/users.ts';
import { logIn, newPhone, readCode } from '../helpers/requests/api.ts';

describe('the client in header mode', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the client signs in after strangers have used up their attempts, also after a restart of the app', async () => {
    const phone = newPhone();
    const storage = memoryStorage();
    await createClient(stage.url, { storage }).gatehouse.phone.sendCode(phone);
    const code = await readCode(stage.url, phone);
    for (let count = 0; count < 6; count++) await logIn(stage.url, phone, otherThan(code));
    await assert.rejects(createClient(stage.url).gatehouse.phone.signIn(phone, code), {
      code: 'OTP_ATTEMPTS_EXCEEDED',
    });
    const again = createClient(stage.url, { storage });
    await again.gatehouse.phone.signIn(phone, code);
    assert.equal(await again.gatehouse.isSignedIn(), true);
    assert.equal(await storage.get(`gatehouse:${stage.url}:ask`), undefined);
  });
});
