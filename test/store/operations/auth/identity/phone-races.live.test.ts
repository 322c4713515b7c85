// Two processes on one database and the scheduled changes of phone numbers: each change has exactly one outcome.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rounds } from '../../../../helpers/faults/rounds.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { applyDue } from '../../../races/phone-races.ts';
import { setRacing } from '../../../races/racing.ts';

const roundsPerRace = rounds(100);

onEveryStore('races about scheduled changes of phone numbers', (open, kind) => {
  const { race, count } = setRacing(open, kind, roundsPerRace);
  const events = (name: string) => count(`audit_events where kind = 'phone.${name}'`);
  const tally = (words: readonly string[], word: string) => words.filter((each) => each === word).length;
  /** A process skips what the other holds at this moment. The next round finds it. */
  const applyRest = async () => {
    while ((await count('users where next_phone_at is not null')) > 0) await applyDue(open().ports, 50);
  };

  it('each change that is due is applied by one of two processes, once, with one set of notices', async (context) => {
    await race('changes that are due', context);
    await applyRest();
    assert.equal(await count("users where phone like '%7' and next_phone is null"), roundsPerRace);
    assert.equal(await events('changed'), roundsPerRace);
    assert.equal(await count("outbox where kind = 'notice-sms'"), roundsPerRace);
    assert.equal(await count("notice_links where kind = 'undo-phone'"), roundsPerRace);
    assert.equal(await count("sessions where end_reason = 'phone changed'"), roundsPerRace);
  });

  it('a change is cancelled in one process or takes effect in the other, never both', async (context) => {
    const pairs = await race('a cancellation and a change that is due', context);
    await applyRest();
    const cancelled = tally(
      pairs.map(([left]) => left),
      'cancelled',
    );
    assert.equal(await events('change-cancelled'), cancelled);
    assert.equal(await events('changed'), roundsPerRace - cancelled);
    assert.equal(await count("users where phone like '%0'"), cancelled);
    assert.equal(await count("outbox where kind = 'notice-sms'"), roundsPerRace);
  });

  it('a sign-in with the old number cancels the change, or comes too late and starts a new account', async (context) => {
    const pairs = await race('a sign-in with the old number and a change that is due', context);
    await applyRest();
    const words = pairs.map(([left]) => left);
    const cancelled = tally(words, 'cancelled');
    assert.equal(tally(words, 'new user'), roundsPerRace - cancelled);
    assert.equal(await events('change-cancelled'), cancelled);
    assert.equal(await events('changed'), roundsPerRace - cancelled);
    assert.equal(await count('sessions where ended_at is null and user_id not in (select id from users)'), 0);
  });

  it('of a new account and a scheduled change, one gets the number', async (context) => {
    const pairs = await race('a sign-in with the new number and a change that is due', context);
    await applyRest();
    const words = pairs.map(([left]) => left);
    const taken = tally(words, 'new user');
    assert.equal(tally(words, 'signed in'), roundsPerRace - taken);
    assert.equal(await events('change-failed'), taken);
    assert.equal(await events('changed'), roundsPerRace - taken);
    assert.equal(await count("users where phone like '%7'"), roundsPerRace);
  });
});
