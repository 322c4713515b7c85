// POST /api/admin/users/{id}/messages/{message}/resend: staff send a message again that no provider took.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setSmsRecorder } from '../../../helpers/people/sms-recorder.ts';
import { enterStaff, issueTo } from '../../../helpers/people/staff.ts';
import { codeIn, me } from '../../../helpers/people/users.ts';
import { logIn, newPhone, sendOtp } from '../../../helpers/requests/api.ts';
import { setStage } from '../../../helpers/services/stage.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

describe('resending a message', () => {
  const recorder = setSmsRecorder();
  const stage = setStage('sqlite', () => ({ SMS_URL: recorder.url }));

  it('staff can resend a message that no provider took, and not once it was sent', async () => {
    const { ask } = await enterStaff(stage.url, (await issueTo(stage.service, stage.clock, 'Ada')).token);
    const phone = newPhone();
    await sendOtp(stage.url, phone);
    const [first = assert.fail('no message')] = await recorder.expect(phone, 1);
    const { JWT } = (await logIn(stage.url, phone, codeIn(first))).body.data;
    const { id } = (await me(stage.url, JWT)).body.data;
    const untilNewestIs = (state: string) =>
      waitUntil(`the newest message is ${state}`, async (): Promise<{ id: string } | undefined> => {
        const [newest] = (await ask(`GET /users/${id}/messages`)).data.messages;
        return newest?.state === state ? newest : undefined;
      });
    await untilNewestIs('sent');
    recorder.answer(503);
    stage.clock.advance(600);
    await sendOtp(stage.url, phone);
    await recorder.expect(phone, 2);
    const failed = await untilNewestIs('queued');
    recorder.answer(200);
    const resend = () => ask(`POST /users/${id}/messages/${failed.id}/resend`, { reason: 'ticket 8' });
    assert.equal((await resend()).outcome, '200');
    await untilNewestIs('sent');
    assert.equal((await resend()).outcome, '409 MESSAGE_GONE');
    assert.equal((await recorder.expect(phone, 3)).length, 3);
  });
});
