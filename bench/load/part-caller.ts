// A caller that sends a file in two requests: the first creates an upload and sends one half, the second appends the other half.
import type { Caller } from './drive.ts';

export type TwoRequests = {
  /** The head of the request that creates the upload and sends the first half. */
  readonly create: (half: number, whole: number) => string;
  /** The head of the request that appends the second half. */
  readonly append: (path: string, offset: number, rest: number) => string;
  /** The path of the upload, from the head of the first answer. */
  readonly place: RegExp;
  /** Throws unless the file is complete. */
  readonly checkLast: Caller['check'];
};

export function callInTwo(content: Buffer, { create, append, place, checkLast }: TwoRequests): Caller {
  const half = content.length / 2;
  const first = Buffer.concat([Buffer.from(create(half, content.length)), content.subarray(0, half)]);
  let path: string | undefined;
  return {
    ask: () => {
      if (path === undefined) return first;
      return Buffer.concat([Buffer.from(append(path, half, content.length - half)), content.subarray(half)]);
    },
    check: (status, body, head) => {
      if (path !== undefined) {
        path = undefined;
        return checkLast(status, body, head);
      }
      path = place.exec(head)?.[1];
      if (path === undefined) throw new Error(`wanted the place of an upload, got ${status}: ${head}`);
    },
  };
}
