// What the doctor says about variants of pictures.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examineVariants } from '../../../src/commands/doctor/examine-variants.ts';
import { readConfig } from '../../../src/config/config.ts';
import { builtInPurposes } from '../../../src/files/purpose.ts';

const result = readConfig({});
const { config } = 'config' in result ? result : assert.fail('the defaults are wrong');
const withPurposes = (purposes: typeof builtInPurposes) => ({ ...config, files: { ...config.files, purposes } });

describe('the doctor on variants', () => {
  it('the doctor names the version of sharp and what it reads', async () => {
    const found = await examineVariants(config, async () => ({ version: '1.2.3', reads: ['JPEG', 'PNG'] }));
    const detail = 'sharp 1.2.3 makes WebP and AVIF of JPEG, PNG';
    assert.deepEqual(found, { name: 'variants', state: 'good', detail });
  });

  it('the doctor doubts an installation without sharp, and names the cure', async () => {
    const found = await examineVariants(config, async () => undefined);
    assert.equal(found.state, 'doubtful');
    assert.match(found.cure ?? '', /npm ci without --omit=optional/);
  });

  it('the doctor reports a sharp that is installed but does not start', async () => {
    const found = await examineVariants(config, async () => ({ kind: 'broken', reason: 'SIGBUS' }));
    assert.equal(found.state, 'bad');
    assert.match(found.detail, /does not start \(SIGBUS\): \?variant= answers SERVICE_UNAVAILABLE/);
  });

  it('the doctor does not look for sharp if no purpose has variants', async () => {
    for (const purposes of [
      builtInPurposes.filter(({ variants }) => variants === undefined),
      builtInPurposes.map((purpose) => ({ ...purpose, variants: {} })),
    ]) {
      const found = await examineVariants(withPurposes(purposes), () => assert.fail('it looked'));
      assert.equal(found.state, 'good');
    }
  });
});
