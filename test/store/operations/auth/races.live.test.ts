// Two processes on one database do the same thing at the same moment, a thousand times over: exactly one of them wins.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rounds } from '../../../helpers/faults/rounds.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';
import { setRacing } from '../../races/racing.ts';

const roundsPerRace = rounds(100);

onEveryStore('races of two processes', (open, kind) => {
  const { race, each, count } = setRacing(open, kind, roundsPerRace);

  it('one of two processes signs in with one code', async (context) => {
    each(await race('one code', context), ['signed in', 'lost']);
    assert.equal(await count('users'), roundsPerRace);
    assert.equal(await count('sessions'), roundsPerRace);
  });

  it('one of two processes creates the user of a phone that both sign in', async (context) => {
    each(await race('first sign-ins of one phone', context), ['new user', 'signed in']);
    assert.equal(await count('users'), roundsPerRace);
    assert.equal(await count('sessions s join users u on u.id = s.user_id'), 2 * roundsPerRace);
  });

  it('one of two processes claims a number with one ticket', async (context) => {
    each(await race('one ticket', context), ['signed in', 'lost']);
    assert.equal(await count('users where phone is null'), roundsPerRace);
    assert.equal(await count('users where phone is not null'), roundsPerRace);
  });

  it('the owner signs in by link while another process claims the number, which one account has', async (context) => {
    const pairs = await race('a claim and a sign-in by link', context);
    assert.ok(pairs.every(([left, right]) => right === 'signed in' && (left === 'signed in' || left === 'lost')));
    assert.equal(await count('users where phone is not null'), roundsPerRace);
    const claimed = pairs.filter(([left]) => left === 'signed in').length;
    assert.equal(await count('users where phone is null'), claimed);
  });

  it('a claim finds an account that another process deletes, or takes its number', async (context) => {
    const pairs = await race('a claim and the deletion of the account', context);
    assert.ok(pairs.every(([left]) => left === 'signed in' || left === 'lost'));
    const claimed = pairs.filter(([left]) => left === 'signed in').length;
    assert.equal(await count('users'), claimed);
    assert.equal(await count('users where phone is not null'), claimed);
  });

  it('a claim and a sign-in with the same number make one user, in whatever order', async (context) => {
    const pairs = await race('a claim and a sign-in with the number', context);
    assert.ok(
      pairs.every(([left, right]) => left === 'signed in' && (right === 'signed in' || right === 'needs proof')),
    );
    assert.equal(await count('users where phone is null'), roundsPerRace);
    assert.equal(await count('users where phone is not null'), roundsPerRace);
  });

  it('one of two processes raises the counter of a session, and both get the same successor', async (context) => {
    each(await race('one refresh token', context), ['renewed 1', 'renewed 1']);
    assert.equal(await count('sessions where counter = 1 and ended_at is null'), roundsPerRace);
  });

  it('one of two processes signs in with one link', async (context) => {
    each(await race('one link', context), ['signed in', 'lost']);
    assert.equal(await count("login_links where state = 'consumed'"), roundsPerRace);
  });

  it('one of two processes signs in with one of two links of a user', async (context) => {
    each(await race('two links of one user', context), ['signed in', 'lost']);
    assert.equal(await count("login_links where state = 'superseded'"), roundsPerRace);
  });

  it('two processes that deliver the same link issue it once', async (context) => {
    each(await race('one delivery of one link', context), ['issued', 'issued']);
    assert.equal(await count("login_links where state = 'issued'"), roundsPerRace);
  });

  it('one of two processes binds an e-mail address', async (context) => {
    each(await race('one address', context), ['bound', 'taken']);
    assert.equal(await count('users where email_key is not null'), roundsPerRace);
  });

  it('one of two processes uses up a captcha', async (context) => {
    each(await race('one captcha', context), ['passed', 'refused']);
    assert.equal(await count('outbox'), roundsPerRace);
  });

  it('one of two processes gets the last send of a limit', async (context) => {
    each(await race('the last send of a limit', context), ['passed', 'refused']);
    assert.equal(await count('outbox'), roundsPerRace);
  });

  it('one of two processes gets the last guess at a code', async (context) => {
    each(await race('the last guess at a code', context), ['counted', 'exceeded']);
    assert.equal(await count('challenges where attempts = 1'), roundsPerRace);
  });

  it('one of two processes creates the next signing key', async (context) => {
    const pairs = await race('one generation of keys', context);
    each(pairs, ['added', 'too late']);
    const keys = await open().ports.signingKeys.listKeys();
    const winners = pairs.map(([left], index) => `key ${index + 1} ${left === 'added' ? 0 : 1}`);
    assert.deepEqual(
      keys.map(({ id }) => id),
      winners,
    );
  });

  it('each message is claimed by one of two processes', async (context) => {
    const pairs = await race('messages of the outbox', context);
    const claimed = pairs.flat().filter((id) => id !== 'none');
    const rest = await open().ports.outbox.claim({ channel: 'sms', now: Date.UTC(2031, 5), most: 0, leaseSeconds: 1 });
    assert.deepEqual(rest, []);
    assert.equal(new Set(claimed).size, claimed.length);
    const untouched = await count("outbox where state = 'queued'");
    assert.equal(claimed.length + untouched, roundsPerRace);
  });

  it('a sign-out in one process succeeds while the other rotates the session', async (context) => {
    const pairs = await race('a rotation and a sign-out of one session', context);
    assert.deepEqual(new Set(pairs.map(([, right]) => right)), new Set(['logged out']));
    assert.ok(pairs.every(([left]) => left === 'renewed' || left === 'ended'));
    assert.equal(await count('sessions where ended_at is not null'), roundsPerRace);
  });

  it('one of two processes proves a session with one code', async (context) => {
    each(await race('one code that proves a session', context), ['renewed', 'lost']);
    assert.equal(await count("sessions where counter = 1 and proof = 'sms'"), roundsPerRace);
    assert.equal(await count("audit_events where kind = 'session.proved'"), roundsPerRace);
  });

  it('a session that one process signs out is ended, while another process proves it', async (context) => {
    const pairs = await race('a proof and a sign-out of one session', context);
    assert.deepEqual(new Set(pairs.map(([, right]) => right)), new Set(['logged out']));
    assert.ok(pairs.every(([left]) => left === 'renewed' || left === 'ended'));
    assert.equal(await count('sessions where ended_at is not null'), roundsPerRace);
  });

  it('a deleted account keeps no live session while another process signs it in', async (context) => {
    const pairs = await race('a sign-in and the deletion of its account', context);
    assert.ok(
      pairs.every(([left, right]) => (right === 'new user' ? left === '1' : right === 'signed in' && left === '2')),
    );
    assert.equal(await count('sessions where ended_at is null and user_id not in (select id from users)'), 0);
  });
});
