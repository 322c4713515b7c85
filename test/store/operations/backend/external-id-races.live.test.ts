// Two processes on one database give external ids to users at the same moment: no id has two users, and one process wins.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rounds } from '../../../helpers/faults/rounds.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';
import { setRacing } from '../../races/racing.ts';

const roundsPerRace = rounds(100);

onEveryStore('races about external ids', (open, kind) => {
  const { race, each, count } = setRacing(open, kind, roundsPerRace);
  const changes = () => count("audit_events where kind = 'user.data-changed'");

  it('one of two processes gives an external id to its user, and the other learns that it is taken', async (context) => {
    each(await race('one external id for two users', context), ['changed', 'taken']);
    assert.equal(await count('users where external_id is not null'), roundsPerRace);
    assert.equal(await changes(), roundsPerRace);
  });

  it('two users never exchange their external ids, because each is taken until it is free', async (context) => {
    each(await race('external ids exchanged crosswise', context), ['taken', 'taken']);
    assert.equal(await count('users where external_id is not null'), 2 * roundsPerRace);
  });

  it('an external id that one process frees is taken by the other, or not yet free', async (context) => {
    const pairs = await race('an external id that is freed and taken', context);
    assert.ok(pairs.every(([left, right]) => left === 'changed' && (right === 'changed' || right === 'taken')));
    const passedOn = pairs.filter(([, right]) => right === 'changed').length;
    assert.equal(await count('users where external_id is not null'), passedOn);
    assert.equal(await changes(), 2 * roundsPerRace + passedOn);
  });
});
