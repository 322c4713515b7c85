// Decides whether a refusal is explained: by a rule, by damage that the format's own tool sees too, or by bytes behind the end.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Opinion } from './ask-tool.ts';
import type { Refused } from './examine-files.ts';

export type Judgement = {
  readonly refused: Refused;
  readonly opinion: Opinion | undefined;
  readonly verdict: 'rule' | 'damaged' | 'bytes behind the end' | 'known' | 'unexplained';
  /** In one sentence. */
  readonly because: string;
};

/** What follows these formats is cut off or read. Behind all others it stays damage. */
const mayBeFollowed: readonly (string | undefined)[] = ['image/jpeg', 'application/pdf', 'audio/mpeg'];

/** Damage that the common tool does not look for. */
const known: readonly { readonly type: string; readonly reason: RegExp; readonly because: string }[] = [
  {
    type: 'image/png',
    reason: /acTL|fcTL|fdAT|frames/,
    because: 'the animation breaks its specification, and readers of still pictures do not look at it',
  },
  {
    type: 'application/zip',
    reason: /contradicts the central directory|two sizes|extra field|between entries/,
    because: 'programs would unpack different things from it',
  },
  {
    type: 'video/quicktime',
    reason: /^$/,
    because: 'a film of before 2001, without the box that names its type',
  },
  { type: 'image/webp', reason: /^no chunk/, because: 'between its chunks are bytes that belong to none' },
  { type: 'application/pdf', reason: /^$/, because: 'what stands before its header may be another file' },
  { type: 'application/pdf', reason: /cross-reference rows/, because: 'rows of its table have a wrong length' },
];

export function judge(refused: Refused, opinion: Opinion | undefined): Judgement {
  const { rule, type, reason, file } = refused;
  const as = (verdict: Judgement['verdict'], because: string) => ({ refused, opinion, verdict, because });
  if (rule !== undefined) return as('rule', rule);
  if (opinion === undefined) return as('damaged', 'nothing names its type');
  if (isText(file.seen) && hasControls(file.path)) return as('rule', 'control characters in a text');
  if (!opinion.opens) return as('damaged', `${opinion.tool}: ${opinion.complaint}`);
  if (!mayBeFollowed.includes(type) && isFollowed(refused)) return as('bytes behind the end', reason);
  const listed = known.find((each) => each.type === opinion.type && each.reason.test(reason));
  return listed === undefined ? as('unexplained', reason) : as('known', `${reason}: ${listed.because}`);
}

function isText(seen: string | undefined): boolean {
  return seen?.startsWith('text/') === true;
}

/** Other than tab, line ends and page ends. UTF-16 without a mark and UTF-32 are full of NUL. */
function hasControls(path: string): boolean {
  return /[\0-\x08\x0b\x0e-\x1f\x7f]/.test(readFileSync(path, 'latin1'));
}

function isFollowed({ reason, file }: Refused): boolean {
  return /after the (?:end|archive)/.test(reason) || riffEnd(file.path) < file.bytes;
}

/** Infinity if it is no RIFF file, or one whose length is not known. */
function riffEnd(path: string): number {
  const head = Buffer.alloc(12);
  const descriptor = openSync(path, 'r');
  readSync(descriptor, head, 0, head.length, 0);
  closeSync(descriptor);
  const length = head.readUInt32LE(4);
  return head.toString('latin1', 0, 4) === 'RIFF' && length > 0 ? length + 8 : Number.POSITIVE_INFINITY;
}
