// Two processes act on the files of one owner at the same moment: a block comes before or after a file, and trash makes way once.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rounds } from '../../../helpers/faults/rounds.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';
import { setRacing } from '../../races/racing.ts';

const roundsPerRace = rounds(60);

onEveryStore('the owner of files and two processes', (open, kind) => {
  const { race, each, count } = setRacing(open, kind, roundsPerRace);
  /** How many things were done for a user who was blocked already, by the order of their commits. */
  const afterBlock = (what: string) =>
    count(`audit_events as act join audit_events as block on block.user_id = act.user_id and block.kind = 'user.blocked'
      where act.kind = '${what}' and act.order_no > block.order_no`);
  const onlyOf = (pairs: readonly (readonly [string, string])[], allowed: readonly string[]) => {
    const odd = pairs.filter((pair) => !allowed.includes(pair.join()));
    assert.deepEqual(odd, []);
  };

  it('no file is stored for a user who is blocked already', async (context) => {
    const pairs = await race('a settlement and the block of its owner', context);
    onlyOf(pairs, ['stored,done', 'blocked,done']);
    const stored = pairs.filter(([outcome]) => outcome === 'stored').length;
    assert.deepEqual([await count('files'), await count('uploads'), await afterBlock('file.stored')], [stored, 0, 0]);
    assert.equal(await count(`file_usage where files = 1`), stored);
  });

  it('no upload in several requests ends as a file of a user who is blocked already, and nothing of it stays', async (context) => {
    const pairs = await race('the end of an upload in several requests and the block of its owner', context);
    onlyOf(pairs, ['stored,done', 'blocked,done']);
    const stored = pairs.filter(([outcome]) => outcome === 'stored').length;
    assert.deepEqual(
      [await count('files'), await count('resumables'), await afterBlock('file.stored')],
      [stored, stored, 0],
    );
    for (const whose of ['upl_', 'fil_'])
      assert.equal(
        await count(`removals where id like '${whose}%'`),
        roundsPerRace - stored,
        'the bytes of the others go',
      );
  });

  it('no bytes are recorded for a user who is blocked already', async (context) => {
    const pairs = await race('an advance and the block of its owner', context);
    onlyOf(pairs, ['advanced,done', 'blocked,done']);
    assert.equal(await count('upload_parts'), pairs.filter(([outcome]) => outcome === 'advanced').length);
  });

  it('no link is made for a user who is blocked already', async (context) => {
    const pairs = await race('a link and the block of its owner', context);
    onlyOf(pairs, ['shared,done', 'blocked,done']);
    assert.equal(await afterBlock('file.shared'), 0);
    assert.equal(await count('file_links'), pairs.filter(([outcome]) => outcome === 'shared').length);
  });

  it('a file in the trash is restored, or makes way for an upload, never both', async (context) => {
    const pairs = await race('an upload that needs the trash and a restore', context);
    onlyOf(pairs, ['reserved,not found', 'full,restored']);
    const made = pairs.filter(([outcome]) => outcome === 'reserved').length;
    assert.deepEqual([await count('files'), await count('uploads')], [roundsPerRace - made, made]);
    assert.equal(await count(`file_usage where bytes = 0 and files = 0`), made);
    assert.equal(await count(`audit_events where kind = 'file.deleted'`), made);
    assert.equal(await count('removals'), made);
  });

  it('the same file makes way for one of two uploads', async (context) => {
    each(await race('two uploads that need the trash', context), ['reserved', 'full']);
    assert.deepEqual([await count('files'), await count('uploads')], [0, roundsPerRace]);
    assert.equal(await count(`audit_events where kind = 'file.deleted'`), roundsPerRace);
  });
});
