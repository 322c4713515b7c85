// What the example app does with each event: once, whatever comes twice or late.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApplyEvent } from '../../../examples/notes/back-end/apply-event.ts';
import { openNotebook } from '../../../examples/notes/back-end/notebook.ts';

function open() {
  const notebook = openNotebook(':memory:');
  for (const userId of ['ann', 'bob'])
    notebook.add({ userId, text: `note of ${userId}`, fileId: `picture of ${userId}`, createdAt: at(0) });
  const apply = createApplyEvent(notebook);
  let lastId = 0;
  return {
    notebook,
    apply: (type: string, data: Record<string, string>, second = 1, id = `event ${++lastId}`) =>
      apply({ id, type, version: 1, timestamp: at(second), data }),
  };
}

const at = (second: number) => new Date(second * 1000).toISOString();

describe('an event in the example app', () => {
  it('user.deleted removes the notes of this user alone', () => {
    const { notebook, apply } = open();
    apply('user.deleted', { userId: 'ann' });
    assert.deepEqual(notebook.authors(), ['bob']);
    assert.equal(notebook.markOf('ann'), 'deleted');
    assert.equal(notebook.markOf('bob'), undefined);
  });

  it('file.deleted removes the picture and keeps the note', () => {
    const { notebook, apply } = open();
    apply('file.deleted', { userId: 'ann', fileId: 'picture of ann' });
    assert.deepEqual(
      notebook.newest(9).map(({ userId, fileId }) => [userId, fileId]),
      [
        ['bob', 'picture of bob'],
        ['ann', null],
      ],
    );
  });

  for (const [type, why] of [
    ['user.blocked', 'blocked'],
    ['user.unblocked', 'ended'],
    ['user.sessions_ended', 'ended'],
    ['user.sessions_revoked', 'ended'],
    ['session.reused', 'ended'],
    ['user.signed_in', undefined],
    ['user.of_a_later_version', undefined],
  ] as const)
    it(`${type} marks the user as ${why ?? 'nothing'} and keeps the notes`, () => {
      const { notebook, apply } = open();
      apply(type, { userId: 'ann', sessionId: 'one' });
      assert.equal(notebook.markOf('ann'), why);
      assert.deepEqual(notebook.authors().toSorted(), ['ann', 'bob']);
    });

  it('an event that comes a second time changes nothing', () => {
    const { notebook, apply } = open();
    apply('user.deleted', { userId: 'ann' }, 1, 'the same');
    notebook.add({ userId: 'ann', text: 'later', fileId: null, createdAt: at(2) });
    apply('user.deleted', { userId: 'ann' }, 1, 'the same');
    assert.deepEqual(notebook.authors().toSorted(), ['ann', 'bob']);
  });

  it('an older event that comes late does not undo a newer one', () => {
    const { notebook, apply } = open();
    apply('user.unblocked', { userId: 'ann' }, 5);
    apply('user.blocked', { userId: 'ann' }, 4);
    assert.equal(notebook.markOf('ann'), 'ended');
  });

  it('an event whose change fails is not counted as seen', () => {
    const notebook = openNotebook(':memory:');
    const fail = () => {
      throw new Error('disk full');
    };
    assert.throws(() => notebook.once('one', at(1), fail), /disk full/);
    let ran = 0;
    notebook.once('one', at(1), () => {
      ran += 1;
    });
    assert.equal(ran, 1);
  });
});
