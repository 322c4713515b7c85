// The bytes of one request: whoever may write no more learns it after 8 MiB at most, also if nothing is recorded before the end.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { flushBytes } from '../../../src/files/resumable/resumable-upload.ts';
import { stageUploads } from '../../helpers/uploads/resumable-stage.ts';
import { settled } from '../../helpers/uploads/upload-stage.ts';

const long = Buffer.alloc(3 * flushBytes, 1);
const digests = [{ algorithm: 'sha256', value: hash('sha256', long, 'buffer') }] as const;

describe('a request that may write no more', () => {
  for (const [what, outcome, code] of [
    ['its user was deleted', 'gone', 'SESSION_REVOKED'],
    ['its user was blocked', 'blocked', 'USER_BLOCKED'],
    ['another request took its place', 'lost', 'UPLOAD_IN_PROGRESS'],
  ] as const)
    for (const [kind, given] of [
      ['with a digest', digests],
      ['without one', []],
    ] as const)
      it(`${kind}: ends at its next step, because ${what}`, async () => {
        const { deps, create, append, parts } = stageUploads();
        await create('', { length: long.length });
        const { advance } = deps.resumables;
        let isOver = false;
        Object.assign(deps.resumables, {
          advance: (step: Parameters<typeof advance>[0]) => (isOver ? outcome : advance(step)),
        });
        let sent = 0;
        const body = async function* () {
          for (let at = 0; at < long.length; at += flushBytes) {
            sent += flushBytes;
            yield long.subarray(at, at + flushBytes);
            isOver = true;
          }
        };
        const said = append(0, '', { bodyLength: undefined, body, digests: given });
        await assert.rejects(said, { code });
        await settled();
        const kept = given.length === 0 ? flushBytes : 0;
        assert.equal(sent, 2 * flushBytes);
        assert.ok([...parts.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0) <= kept);
      });
});
