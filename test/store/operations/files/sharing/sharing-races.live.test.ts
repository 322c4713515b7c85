// Two processes open, revoke and delete links and readers at the same moment: n uses give exactly n openings, and nothing stays behind.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rounds } from '../../../../helpers/faults/rounds.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { setRacing } from '../../../races/racing.ts';

const roundsPerRace = rounds(50);

onEveryStore('sharing and two processes', (open, kind) => {
  const { race, each, count } = setRacing(open, kind, roundsPerRace);

  it('one of two processes gets the last use of a link', async (context) => {
    each(await race('the last use of a link', context), ['counted', 'refused']);
    assert.equal(await count('file_links where used = 1'), roundsPerRace);
  });

  it('a link with 37 uses is opened exactly 37 times by a hundred attempts of two processes', async (context) => {
    const outcomes = (await race('the uses of one link', context, 50)).flat();
    assert.equal(outcomes.filter((outcome) => outcome === 'counted').length, 37);
    assert.equal(outcomes.filter((outcome) => outcome === 'refused').length, 63);
    assert.equal(await count('file_links where used = 37'), 1);
  });

  it('a use is counted before the link is revoked, or not at all', async (context) => {
    const pairs = await race('a use and the revocation of a link', context);
    assert.deepEqual(
      pairs.filter(([use, revocation]) => !['counted', 'refused'].includes(use) || revocation !== 'true'),
      [],
    );
    assert.equal(await count('file_links'), 0);
  });

  it('no link of a deleted account stays', async (context) => {
    const pairs = await race('a link and the deletion of its account', context);
    assert.deepEqual(
      pairs.filter((pair) => !['made,1 files', 'gone,1 files'].includes(pair.join())),
      [],
    );
    assert.equal(await count('file_links'), 0);
  });

  it('two users who read files of each other are deleted at once, with all that they read', async (context) => {
    each(await race('two accounts that read each other', context), ['1 files', '1 files']);
    assert.equal(await count('file_readers'), 0);
  });
});
