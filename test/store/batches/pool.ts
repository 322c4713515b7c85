// The few users, numbers, tokens and moments that all generated rows and inputs share, so that they meet.
import fc from 'fast-check';
import { firstIdAt } from '../../../src/kernel/crypto/random.ts';
import { asEmail, asFileId, asPhone, asSessionId, asUploadId, asUserId } from '../../helpers/people/ids.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Far from the machine's own time, so that only the given time can decide. */
export const noon = Date.UTC(2131, 4, 5, 12);

/** A time-ordered id that is the same in every run. */
export function idAt(offset: number, name: string): string {
  return firstIdAt(noon + offset).slice(0, 24) + Buffer.from(name).toString('hex').padStart(12, '0').slice(-12);
}

/** Ids of the service have a version digit 7 and the machine's own time, which is earlier than all of these. */
export const firstOwnId = firstIdAt(Date.UTC(2120, 0, 1));

const named = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));

export const userIds = named(3, (at) => idAt(-9 * day, `user${at}`)).map(asUserId);
/** The last number has no user at first. */
export const phones = named(4, (at) => `+4915100${at}0000`).map(asPhone);
export const emails = named(3, (at) => `Someone${at}@example.com`).map(asEmail);
/** The last id has no user at first. */
export const externalIds = named(4, (at) => `external id ${at}`);
export const sessionIds = named(6, (at) => idAt(-8 * day + at, `sess${at}`)).map(asSessionId);
export const tokens = named(5, (at) => `token ${at}`);
export const noticeTokens = named(4, (at) => `notice token ${at}`);
export const serviceKeyIds = named(4, (at) => `service-key${at}`);
export const fileIds = named(4, (at) => `fil_${at}`).map(asFileId);
export const uploadIds = named(5, (at) => `upload ${at}`).map(asUploadId);
/** Most uploads belong to one user, so that they share a quota. */
export const ownerOf = (upload: number) => userIds[upload < 3 ? 0 : 1] ?? asUserId('');
/** Requests that write to uploads or finish them. */
export const callerIds = named(3, (at) => `request ${at}`);
export const partIds = named(5, (at) => `part ${at}`);
export const keyIds = named(2, (at) => `key ${at}`);
export const messageIds = named(4, (at) => idAt(-at * day, `mess${at}`));
export const eventIds = named(5, (at) => idAt(-at * hour, `event${at}`));
export const adminIds = named(3, (at) => idAt(-hour + at, `admin${at}`));
export const blobIds = named(4, (at) => `blob ${at}`).map(asFileId);
export const callers = ['192.0.2.1', '2001:db8::1'];
export const countries = ['DE', 'FR'];
export const endpoints = ['app'];

export const by = { actor: 'cli', why: 'a test' } as const;

/** The moments of inputs: most are close together, some are on either side of the end of a pause, a code, a slot or a window. */
const moments = [0, second, 29 * second, 31 * second, 5 * minute, 11 * minute, hour, 2 * hour];
export const moment = fc.nat(moments.length - 1);

/** No two inputs at one instant, so that the least recently used is never a tie. */
export function momentOf(at: number, index: number): number {
  return noon + (moments[at] ?? 0) + index;
}

export const times = fc.constantFrom(...moments.flatMap((offset) => [noon - offset, noon + offset]));
export const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);
/** The first value half of the time, so that inputs often meet. */
export const favour = <T>(values: readonly [T, ...T[]] | readonly T[]) =>
  fc.oneof(fc.constantFrom(...values.slice(0, 1)), fc.constantFrom(...values));
export const few = (most: number) => fc.nat(most);
export const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });
export const flag = fc.boolean();

export type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
