// Examines real files as uploads are: in the threads of the examiner, for a purpose that takes every type.

import { basename, join } from 'node:path';
import { isMediaType, type MediaType, mediaTypeNames } from '#media/media-type';
import { createThreadPool, type Outcome } from '../../../src/adapters/examiner/thread-pool.ts';
import type { Purpose } from '../../../src/files/purpose.ts';
import type { Question } from '../../../src/files/uploads/examiner.ts';
import { threadUrl } from '../../../src/kernel/process/program-files.ts';
import { detailOf } from '../../helpers/detail-of.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import type { RealFile } from './gather-files.ts';
import { eachOf } from './run-tool.ts';

export type Accepted = {
  readonly kind: 'accepted';
  readonly file: RealFile;
  readonly type: MediaType;
  /** The stored bytes, if they are not those of the file. */
  readonly stripped: string | undefined;
};
export type Refused = {
  readonly kind: 'refused';
  readonly file: RealFile;
  readonly code: string;
  /** The type that the file begins like, if it has one. */
  readonly type: MediaType | undefined;
  readonly rule: string | undefined;
  readonly reason: string;
};

const purpose: Purpose = {
  name: 'attachment',
  types: mediaTypeNames,
  maxBytes: 2 ** 30,
  readableBy: 'owner',
  served: 'attachment',
};

/** As a client asks that knows a text when it sees one, and says nothing about other files. */
function questionAbout({ name, seen }: RealFile): Question {
  const declaredType = seen?.startsWith('text/') === true ? seen : undefined;
  return { purpose, name: basename(name), declaredType, digest: undefined, needsFingerprint: false };
}

const threads = 2;
const policy = {
  threads,
  cpuMilliseconds: (bytes: number) => 1000 + (20 * bytes) / 2 ** 20,
  heapMebibytes: 64,
  waitMilliseconds: 120_000,
  mostWaiting: threads,
  mostWaitingOfOne: threads,
};

/** Stripped files go to the folder. */
export async function examineFiles(files: readonly RealFile[], folder: string): Promise<(Accepted | Refused)[]> {
  const pool = createThreadPool(threadUrl('examiner-thread'), policy);
  try {
    return await eachOf([...files.entries()], threads, async ([index, file]) => {
      const strippedPath = join(folder, String(index));
      const place = { kind: 'file', path: file.path, strippedPath } as const;
      const order = { place, size: file.bytes, question: questionAbout(file) };
      return toResult(file, strippedPath, await pool.run(asUserId('somebody'), order));
    });
  } finally {
    await pool.stop();
  }
}

function toResult(file: RealFile, strippedPath: string, outcome: Outcome): Accepted | Refused {
  if (outcome.kind === 'answer') {
    const { examined, isStripped } = outcome.answer;
    if (examined === undefined) throw new Error('an answer without findings');
    return { kind: 'accepted', file, type: examined.type, stripped: isStripped ? strippedPath : undefined };
  }
  if (outcome.kind === 'refusal') {
    const { code, reason = '' } = outcome.refusal;
    const [type = ''] = reason.split(':');
    return {
      kind: 'refused',
      file,
      code,
      type: isMediaType(type) ? type : undefined,
      rule: detailOf(outcome.refusal).rule,
      reason: isMediaType(type) ? reason.slice(type.length + 2) : reason,
    };
  }
  const reason = outcome.kind === 'lost' ? `the thread was lost: ${outcome.loss}` : 'not examined';
  return { kind: 'refused', file, code: outcome.kind, type: undefined, rule: undefined, reason };
}
