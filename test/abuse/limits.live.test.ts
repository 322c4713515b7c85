// How often messages may be requested: by recipient, by caller, with growing pauses; exact on two nodes, with a truthful Retry-After.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setSmsRecorder } from '../helpers/people/sms-recorder.ts';
import { enter, newAddress, outcomeOf, sendBinding, sendLink } from '../helpers/people/users.ts';
import { newPhone, type Reply, sendOtp } from '../helpers/requests/api.ts';
import { tierStoreKinds } from '../helpers/services/gatehouse.ts';
import { setStage, setTwoNodes } from '../helpers/services/stage.ts';

const hour = 3600;
/** Longer than the tests of a daily limit take on a busy machine. Their nodes have the clock of the machine. */
const lastingMilliseconds = 3 * 60_000;

/** The limit of a day starts again at midnight UTC, which must not fall between two tests of it. */
async function untilDayLasts(): Promise<void> {
  const day = 86_400_000;
  const left = day - (Date.now() % day);
  if (left < lastingMilliseconds) await sleep(left);
}

let callers = 0;

/** A caller of its own, as the proxy reports it. */
function from(address = `10.1.${callers++ >> 8}.${callers & 255}`): Record<string, string> {
  return { 'x-forwarded-for': address };
}

for (const kind of tierStoreKinds) {
  describe(`limits of sends, on ${kind}`, () => {
    const recorder = setSmsRecorder();
    const brakeOff = { SMS_LIMIT_PER_PREFIX: 'off', SMS_UNUSED_SHARE: 'off' };
    const common = () => ({ SMS_URL: recorder.url, ...brakeOff, TRUSTED_PROXIES: '127.0.0.1' });
    const stage = setStage(kind, common);
    const send = (phone: string, headers = from()) => sendOtp(stage.url, phone, headers);

    it('a resend waits for a pause, which grows with every message', async () => {
      const phone = newPhone();
      for (const pause of [30, 60]) {
        assert.equal(outcomeOf(await send(phone)), '200');
        await expectWait(phone, pause, { code: 'OTP_RESEND_TOO_SOON', policy: `"resend";q=1;w=${pause}` });
      }
    });

    it('one recipient gets five messages an hour', async () => {
      const phone = newPhone();
      for (let count = 1; count <= 5; count++) {
        assert.equal(outcomeOf(await send(phone)), '200');
        assert.equal((await recorder.expect(phone, count)).length, count);
        stage.clock.advance(300);
      }
      const hourly = { code: 'OTP_SEND_LIMIT', policy: '"sends-per-recipient";q=5;w=3600' };
      await expectWait(phone, hour - 1500, hourly);
      assert.equal(outcomeOf(await send(phone)), '200');
      assert.equal((await recorder.expect(phone, 6)).length, 6);
    });

    it('refused sends do not count towards any limit', async () => {
      const phone = newPhone();
      assert.equal(outcomeOf(await send(phone)), '200');
      for (let round = 0; round < 5; round++) assert.equal(outcomeOf(await send(phone)), '429 OTP_RESEND_TOO_SOON');
      const caller = from();
      for (let round = 0; round < 5; round++) await send(phone, caller);
      stage.clock.advance(30);
      for (let round = 0; round < 20; round++) assert.equal(outcomeOf(await send(newPhone(), caller)), '200');
      assert.equal(outcomeOf(await send(phone)), '200');
    });

    it('one IP address may request twenty messages an hour, whatever the recipients', async () => {
      const caller = from();
      for (let count = 0; count < 20; count++) assert.equal(outcomeOf(await send(newPhone(), caller)), '200');
      const refused = await send(newPhone(), caller);
      assert.equal(outcomeOf(refused), '429 RATE_LIMITED');
      assert.equal(refused.headers.get('retry-after'), '3600');
      assert.equal(outcomeOf(await send(newPhone())), '200');
      stage.clock.advance(hour);
      assert.equal(outcomeOf(await send(newPhone(), caller)), '200');
    });

    it('the caller is the IP address that a trusted proxy reports, in any spelling, and not what the client wrote before it', async () => {
      for (let count = 0; count < 20; count++) {
        const spelled = count % 2 === 0 ? '198.51.100.7' : '[::ffff:198.51.100.7]:443';
        assert.equal(outcomeOf(await send(newPhone(), from(`203.0.113.${count}, ${spelled}`))), '200');
      }
      assert.equal(outcomeOf(await send(newPhone(), from('198.51.100.7:80'))), '429 RATE_LIMITED');
      assert.equal(outcomeOf(await send(newPhone(), from('198.51.100.8'))), '200');
    });

    it('limits on sends count the IPv6 networks of one customer together', async () => {
      await stage.restart({ ...common(), LIMIT_SENDS_PER_IP: '1/1h' });
      const ask = async (address: string) => outcomeOf(await send(newPhone(), from(address)));
      for (let index = 0; index < 4; index++) assert.equal(await ask(`2001:470:9:${index}::1`), '200');
      const refused = await send(newPhone(), from('2001:470:9:99::1'));
      assert.equal(outcomeOf(refused), '429 RATE_LIMITED');
      assert.equal(refused.headers.get('ratelimit-policy'), '"sends-per-ip";q=4;w=3600');
      const wait = Number(refused.headers.get('retry-after'));
      assert.ok(wait > hour - 1 && wait <= hour + 300, `${wait}`);
      assert.equal(await ask('2001:470:99:1::1'), '200');
      stage.clock.advance(wait);
      assert.equal(await ask('2001:470:9:99::1'), '200');
      await stage.restart(common());
    });

    it('links and codes by mail have the same limits, whether or not the e-mail address is known', async () => {
      const settings = { OTP_RESEND_AFTER: '30s,60s', LIMIT_SENDS_PER_RECIPIENT: '3/1h', SMS_URL: 'inbox:' };
      await stage.restart({ ...common(), ...settings });
      const { JWT } = await enter(stage.url);
      for (const ask of [(to: string) => sendLink(stage.url, to), (to: string) => sendBinding(stage.url, JWT, to)]) {
        const address = newAddress();
        assert.equal(outcomeOf(await ask(address)), '200');
        const soon = await ask(address.toUpperCase());
        assert.equal(outcomeOf(soon), '429 OTP_RESEND_TOO_SOON');
        assert.equal(soon.headers.get('retry-after'), '30');
        stage.clock.advance(30);
        assert.equal(outcomeOf(await ask(address)), '200');
        stage.clock.advance(60);
        assert.equal(outcomeOf(await ask(address)), '200');
        stage.clock.advance(60);
        assert.equal(outcomeOf(await sendLink(stage.url, address)), '429 OTP_SEND_LIMIT');
        assert.equal(outcomeOf(await sendBinding(stage.url, JWT, address)), '429 OTP_SEND_LIMIT');
      }
      await stage.restart(common());
    });

    it('LIMIT_REQUESTS_PER_IP limits the requests of one IP address', async () => {
      await stage.restart({ ...common(), LIMIT_REQUESTS_PER_IP: '5/1h' });
      const caller = from();
      const replies: Reply[] = [];
      for (let count = 0; count < 6; count++) replies.push(await send('+1', caller));
      assert.deepEqual(replies.map(outcomeOf), [...Array(5).fill('400 PHONE_INVALID'), '429 RATE_LIMITED']);
      assert.match(replies[5]?.headers.get('ratelimit-policy') ?? '', /^"requests-per-ip";q=5;w=3600$/);
      assert.ok(Number(replies[5]?.headers.get('retry-after')) > 0);
      assert.equal(outcomeOf(await send('+1', from())), '400 PHONE_INVALID');
      await stage.restart(common());
    });

    /** Refused until exactly the reported time, with the same wait in all headers. */
    async function expectWait(phone: string, seconds: number, { code, policy }: { code: string; policy: string }) {
      const refused = await send(phone);
      assert.equal(outcomeOf(refused), `429 ${code}`);
      assert.equal(refused.headers.get('retry-after'), String(seconds));
      assert.equal(refused.headers.get('ratelimit-policy'), policy);
      assert.equal(refused.headers.get('ratelimit'), `${policy.split(';')[0]};r=0;t=${seconds}`);
      assert.match(refused.body.message, new RegExp(`\\b${inWords(seconds)}`));
      stage.clock.advance(seconds - 1);
      assert.equal(outcomeOf(await send(phone)), `429 ${code}`);
      stage.clock.advance(1);
    }
  });

  describe(`limits on two nodes, on ${kind}`, () => {
    before(untilDayLasts);
    const recorder = setSmsRecorder();
    const nodes = setTwoNodes(kind, () => ({
      SMS_URL: recorder.url,
      SMS_LIMIT_PER_PREFIX: 'off',
      OTP_RESEND_AFTER: 'off',
      SMS_DAILY_LIMIT: '37',
      TRUSTED_PROXIES: '127.0.0.1',
    }));
    const race = (phoneOf: () => string, callerOf: () => Record<string, string>) =>
      Promise.all(
        Array.from({ length: 100 }, (_, index) => sendOtp(nodes.urls[index % 2] ?? '', phoneOf(), callerOf())),
      );

    it('exactly five of a hundred racing messages to one recipient are sent on two nodes', async () => {
      const phone = newPhone();
      const answers = (
        await race(
          () => phone,
          () => from(),
        )
      ).map(outcomeOf);
      assert.equal(answers.filter((answer) => answer === '200').length, 5);
      assert.equal(answers.filter((answer) => answer === '429 OTP_SEND_LIMIT').length, 95);
      assert.equal((await recorder.expect(phone, 5)).length, 5);
    });

    it('exactly twenty of a hundred racing messages of one caller are sent on two nodes', async () => {
      const caller = from();
      const answers = (await race(newPhone, () => caller)).map(outcomeOf);
      assert.equal(answers.filter((answer) => answer === '200').length, 20);
      assert.equal(answers.filter((answer) => answer === '429 RATE_LIMITED').length, 80);
    });

    it('two nodes stop sending exactly at the daily limit', async () => {
      const answers = (await race(newPhone, () => from())).map(outcomeOf);
      assert.equal(answers.filter((answer) => answer === '200').length, 37 - 25);
      assert.equal(answers.filter((answer) => answer === '503 SMS_SUSPENDED').length, 88);
      assert.equal(new Set(recorder.received.map(({ id }) => id)).size, recorder.received.length);
      assert.ok(recorder.received.length <= 37);
    });
  });
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} second`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
