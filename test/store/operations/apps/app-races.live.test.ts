// Two processes on one database use the codes of apps while sessions end: a code gives one session, and none outlives its origin.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rounds } from '../../../helpers/faults/rounds.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';
import { setRacing } from '../../races/racing.ts';

const roundsPerRace = rounds(100);

onEveryStore('races about apps', (open, kind) => {
  const { race, each, count } = setRacing(open, kind, roundsPerRace);
  const liveOfApps = () => count('sessions where app_id is not null and ended_at is null');

  it('a code that two processes exchange gives one session, which the other ends', async (context) => {
    each(await race('one code of an app', context), ['refused', 'started']);
    assert.equal(await count('sessions where app_id is not null'), roundsPerRace);
    assert.equal(await liveOfApps(), 0);
    assert.equal(await count("audit_events where kind = 'app.code-reused'"), roundsPerRace);
  });

  it('a code gives no session that outlives a sign-out', async (context) => {
    const pairs = await race('a code and a sign-out', context);
    for (const [left, right] of pairs) assert.equal(right, left === 'started' ? 'ended 2' : 'ended 1');
    assert.equal(await liveOfApps(), 0);
  });

  it('a code gives no session that outlives a reused refresh token', async (context) => {
    await race('a code and a reused refresh token', context);
    assert.equal(await count("sessions where end_reason = 'reused' and app_id is null"), roundsPerRace);
    assert.equal(await liveOfApps(), 0);
  });

  it('a code gives no session that outlives a withdrawn consent', async (context) => {
    await race('a code and a withdrawn consent', context);
    assert.equal(await liveOfApps(), 0);
  });

  it('two consents of one user add up', async (context) => {
    await race('two consents', context);
    assert.equal(await count("app_consents where scopes = 'openid phone email'"), roundsPerRace);
  });
});
