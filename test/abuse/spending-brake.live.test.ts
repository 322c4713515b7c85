// The SMS spending brake: allowed countries, messages a day, blocks of numbers, and unused codes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../helpers/databases/raw-store.ts';
import { setSmsRecorder } from '../helpers/people/sms-recorder.ts';
import { outcomeOf } from '../helpers/people/users.ts';
import { logIn, sendOtp } from '../helpers/requests/api.ts';
import { tierStoreKinds } from '../helpers/services/gatehouse.ts';
import { setStage } from '../helpers/services/stage.ts';

const off = {
  SMS_DAILY_LIMIT: 'off',
  SMS_DAILY_LIMIT_PER_COUNTRY: 'off',
  SMS_LIMIT_PER_PREFIX: 'off',
  SMS_UNUSED_SHARE: 'off',
  LIMIT_SENDS_PER_IP: 'off',
  OTP_RESEND_AFTER: 'off',
};
const span = 600;
let serial = 0;

/** Numbers that have nothing in common but the country. */
const american = () => `+1202${200 + (serial++ % 700)}${String(1000 + serial).slice(-4)}`;
const german = () => `+49151${String(10_000_000 + 12_347 * ++serial).slice(-8)}`;
const french = () => `+336${String(10_000_000 + 12_347 * ++serial).slice(-8)}`;

for (const kind of tierStoreKinds) {
  describe(`the spending brake, on ${kind}`, () => {
    const recorder = setSmsRecorder();
    const stage = setStage(kind, () => ({ SMS_URL: recorder.url, ...off }));
    const send = async (phone: string) => outcomeOf(await sendOtp(stage.url, phone));
    const brakeWith = (env: Record<string, string>) => stage.restart({ SMS_URL: recorder.url, ...off, ...env });

    it('the spending brake trips at the daily limit, reports when the next day begins, and goes off then', async () => {
      await brakeWith({ SMS_DAILY_LIMIT: '3' });
      for (const phone of [american(), german(), french()]) assert.equal(await send(phone), '200');
      const late = american();
      const reply = await sendOtp(stage.url, late);
      assert.equal(outcomeOf(reply), '503 SMS_SUSPENDED');
      const wait = Number(reply.headers.get('retry-after'));
      assert.equal(new Date(stage.clock.now() + wait * 1000).getUTCHours(), 0);
      assert.ok(wait > 0 && wait <= 86_400);
      stage.clock.advance(wait - 1);
      assert.equal(await send(german()), '503 SMS_SUSPENDED');
      stage.clock.advance(1);
      assert.equal(await send(german()), '200');
      assert.deepEqual(recorder.to(late), []);
    });

    it('the spending brake trips for a country where too many codes stay unused for too long', async () => {
      await brakeWith({ SMS_UNUSED_SHARE: '50%/4' });
      for (let count = 0; count < 4; count++) assert.equal(await send(french()), '200');
      assert.equal(await send(french()), '200');
      stage.clock.advance(2 * span);
      const reply = await sendOtp(stage.url, french());
      assert.equal(outcomeOf(reply), '503 SMS_SUSPENDED');
      assert.ok(Number(reply.headers.get('retry-after')) > 0);
      assert.equal(await send(german()), '200');
      stage.clock.advance(6 * 3600);
      assert.equal(await send(french()), '200');
    });

    it('the spending brake counts a resent code once and a used one not at all', async () => {
      await brakeWith({ SMS_UNUSED_SHARE: '50%/4' });
      stage.clock.advance(7 * 3600);
      for (let count = 0; count < 4; count++) {
        const phone = german();
        assert.equal(await send(phone), '200');
        assert.equal(await send(phone), '200');
        if (count >= 2) continue;
        const [sms] = await recorder.expect(phone, 1);
        assert.equal(outcomeOf(await logIn(stage.url, phone, sms?.text.slice(-6) ?? '')), '200');
      }
      stage.clock.advance(2 * span);
      assert.equal(await send(german()), '200');
    });

    it('SMS_COUNTRIES refuses all other countries, and nothing is sent to them', async () => {
      await brakeWith({ SMS_COUNTRIES: 'DE, fr' });
      const refused = [american(), '+447400123456'];
      for (const phone of refused) assert.equal(await send(phone), '422 PHONE_NOT_SUPPORTED');
      for (const phone of [german(), french()]) {
        assert.equal(await send(phone), '200');
        assert.equal((await recorder.expect(phone, 1)).length, 1);
      }
      for (const phone of refused) assert.deepEqual(recorder.to(phone), []);
    });

    it('the spending brake audits what it stopped and why, without the number', async () => {
      await brakeWith({ SMS_DAILY_LIMIT: '1' });
      stage.clock.advance(86_400);
      const phone = american();
      await send(american());
      assert.equal(await send(phone), '503 SMS_SUSPENDED');
      const rows = await askStore(
        stage.env,
        "select detail from audit_events where kind = 'sms.suspended' order by id",
      );
      const detail = JSON.parse(String(rows.at(-1)?.detail));
      const { phone: masked, recipient: mark, ...rest } = detail;
      assert.match(masked, /…|\*|•/);
      assert.match(mark, /^[\w-]{12}$/);
      assert.deepEqual({ ...rest, ip: '' }, { country: 'US', ip: '', rule: 'day' });
      assert.ok(!rows.some((row) => String(row.detail).includes(phone.slice(3, 10))));
    });
  });
}
