// A bounded crowd: who must leave, and that nothing is kept of those who have left.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCrowd } from '../../../src/kernel/work/crowd.ts';

describe('a crowd', () => {
  function stage(most: number) {
    const crowd = createCrowd(most);
    const expelled: string[] = [];
    const enter = (name: string) => crowd.enter(name.charAt(0), () => expelled.push(name));
    return { crowd, expelled, enter };
  }

  it('one who fills it loses the oldest for each of another, who loses nothing', () => {
    const { crowd, expelled, enter } = stage(4);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'a5']) enter(name);
    assert.deepEqual(expelled, ['a1', 'a2', 'a3']);
    enter('b3');
    enter('a6');
    assert.deepEqual(expelled, ['a1', 'a2', 'a3', 'b1', 'a4'], 'nobody gains by coming again');
    assert.equal(crowd.size, 4);
  });

  it('the oldest that does nothing leaves before an older one that is busy', () => {
    const crowd = createCrowd(3);
    const expelled: string[] = [];
    for (const [name, isIdle] of [
      ['busy', false],
      ['idle', true],
      ['later', true],
      ['newest', false],
    ] as const)
      crowd.enter(
        'a',
        () => expelled.push(name),
        () => isIdle,
      );
    assert.deepEqual(expelled, ['idle']);
  });

  it('who leaves makes room, once', () => {
    const { crowd, expelled, enter } = stage(2);
    const leave = enter('a1');
    enter('a2');
    leave();
    leave();
    assert.equal(crowd.size, 1);
    enter('b1');
    assert.deepEqual(expelled, []);
  });

  it('who was expelled has left already', () => {
    const { crowd, expelled, enter } = stage(1);
    const leave = enter('a1');
    enter('b1');
    leave();
    assert.deepEqual([expelled, crowd.size], [['a1'], 1]);
  });

  it('if all have one, the oldest leaves: nobody is kept out', () => {
    const { expelled, enter } = stage(2);
    for (const name of ['a1', 'b1', 'c1']) enter(name);
    assert.deepEqual(expelled, ['a1']);
  });
});
