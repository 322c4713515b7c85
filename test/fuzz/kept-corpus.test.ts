// The kept corpus, run again without a search: every promise holds for every input that once reached something new.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCorpus, readFound } from './kept-inputs.ts';
import { readTargets } from './load-target.ts';

const targets = await readTargets();
const found = readFound();

describe('the kept corpus', () => {
  for (const target of targets) {
    it(`every kept input of ${target.name} keeps the promise: ${target.promise}`, async () => {
      const verdicts = new Set<string>();
      for (const input of readCorpus(target.name)) verdicts.add(await target.run(input));
      assert.deepEqual([...verdicts].sort(), target.name === 'file-names' ? ['accepted'] : ['accepted', 'refused']);
    });
  }

  for (const { target, name, input } of found) {
    it(`what was once found by ${target} is not there any more: ${name}`, async () => {
      const runner = targets.find((candidate) => candidate.name === target);
      assert.ok(runner, `no target ${target}`);
      assert.match(await runner.run(input), /accepted|refused/);
    });
  }
});
