// The overview over HTTP: today's figures at once, thirty days, days in UTC, and the same after the events were counted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { allSent } from '../../../helpers/databases/raw-store.ts';
import { enterStaff, issueTo } from '../../../helpers/people/staff.ts';
import { enter } from '../../../helpers/people/users.ts';
import { call } from '../../../helpers/requests/api.ts';
import { storeFile } from '../../../helpers/requests/upload.ts';
import { storeKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';

for (const kind of storeKinds)
  describe(`the overview of the admin interface on ${kind}`, () => {
    const stage = setStage(kind, { SMS_DAILY_LIMIT: '100' });

    it('the overview shows thirty days, today at once, and the same after the events were counted', async () => {
      const { token } = await issueTo(stage.service, stage.clock, 'Ada', 3600, 'viewer');
      const { ask } = await enterStaff(stage.url, token);
      const empty = (await ask('GET /overview')).data;
      assert.equal(empty.days.length, 30);
      assert.equal(empty.days.at(-1).day, new Date(stage.clock.now()).toISOString().slice(0, 10));
      const { JWT, phone } = await enter(stage.url);
      await enter(stage.url);
      await call(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp: '000000' } });
      const text = { purpose: 'document', name: 'a.txt', type: 'text/plain', bytes: Buffer.from('words') };
      await storeFile(stage.url, { ...text, token: JWT });
      await allSent(stage.env);
      const { days, spend } = (await ask('GET /overview')).data;
      const { day: _, ...today } = days.at(-1);
      const failures = { refused: 0, wrongCodes: 1, undelivered: 0, braked: 0 };
      assert.deepEqual(today, { signIns: 2, signUps: 2, sms: 2, mails: 0, ...failures, files: 1, bytes: 5 });
      assert.deepEqual(spend, { sent: 2, most: 100, suspended: false, suspendedCountries: [] });
      assert.deepEqual(days.slice(0, -1), empty.days.slice(0, -1), 'the days before');
      const { dayCounts } = createOperatorPorts(stage.service.store);
      const counted = await dayCounts.countEvents({ now: Date.now() + 600_000, most: 1000 });
      assert.ok(counted > 0);
      assert.deepEqual((await ask('GET /overview')).data.days, days);
    });
  });
