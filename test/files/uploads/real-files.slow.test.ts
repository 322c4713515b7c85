// Files of cameras, phones, office programs and encoders, fetched and made at test time: what the service refuses must be damaged
// or excluded by a rule, and what it stores must look the same and tell nothing about place or device.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Survey, takeSurvey } from '../real-files/survey.ts';
import { listRefusals, writeReport } from '../real-files/write-report.ts';

describe('real files', () => {
  let survey: Survey | string;

  before(async () => {
    survey = await takeSurvey();
  });

  function check(name: string, assertion: (found: Survey, say: (text: string) => void) => void): void {
    it(name, (test) => {
      if (typeof survey === 'string') return test.skip(survey);
      assertion(survey, (text) => test.diagnostic(text));
    });
  }

  check('a real file is refused only if its format’s own tool complains too, or a rule excludes it', (found, say) => {
    for (const line of writeReport(found).split('\n')) say(line);
    for (const line of listRefusals(found.judgements, ['rule', 'bytes behind the end', 'known'])) say(line);
    assert.ok(found.accepted.length > 1_000, `only ${found.accepted.length} files`);
    assert.deepEqual(listRefusals(found.judgements, ['unexplained']), []);
  });

  check('a stripped picture has the pixels, the size and the orientation of the file that was sent', ({ pixels }) => {
    assert.ok(pixels.compared > 100, `only ${pixels.compared} pictures`);
    assert.deepEqual(pixels.changed, []);
  });

  check('a stored picture names no place, device, serial number or owner', ({ tags }) => {
    assert.ok(tags.looked > 500, `only ${tags.looked} pictures`);
    assert.deepEqual(tags.left, []);
  });
});
