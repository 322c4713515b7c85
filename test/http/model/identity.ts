// A simple model of users and their ways in, without a store, a network or secrets. The service is compared with it, call by call.
import assert from 'node:assert/strict';
import type { Said } from '../../helpers/services/quick-service.ts';
import { type Ask, createCodes, type Device, day, lifeOf, type Subject, second, type Verdict } from './codes.ts';
import { createSessions, type ModelSession, type Proof } from './sessions.ts';

export type User = {
  readonly id: string;
  readonly createdAt: number;
  phone: string | undefined;
  email: string | undefined;
  /** The change of the number that is scheduled. */
  next?: { readonly phone: string; readonly at: number } | undefined;
  /** The changes whose links are open: which number they restore. */
  undos?: readonly { readonly phone: string | undefined; readonly createdAt: number }[];
};

/** A message that the service must send. `arrive` takes the code or the token that it contains. */
export type Expected = {
  readonly to: string;
  readonly kind: 'code' | 'link' | 'notice';
  readonly arrive: (secret: string) => void;
};

/** What the service must answer and send. `accept` takes the answer of a call that succeeded. */
export type Outcome = {
  readonly verdict: Verdict;
  readonly accept?: (said: Said) => void;
  readonly messages?: readonly Expected[];
};

type Link = {
  readonly token: string;
  readonly userId: string;
  readonly email: string;
  readonly requestedAt: number;
  readonly expiresAt: number;
  isOpen: boolean;
};

/** What the link of a notice undoes: the change of a number, back to the old one or to none. Undefined: nothing. */
type Undo = { readonly phone: string | undefined } | undefined;

type Notice = {
  readonly token: string;
  readonly userId: string;
  readonly undo: Undo;
  readonly createdAt: number;
  readonly expiresAt: number;
  isOpen: boolean;
};

/** Whoever holds it may start a new account with the number. */
type Ticket = {
  readonly token: string;
  readonly userId: string;
  readonly phone: string;
  readonly lastUse: number;
  readonly endsAt: number;
};

export function createWorld(now: () => number) {
  return {
    now,
    codes: createCodes(now),
    sessions: createSessions(now),
    users: new Map<string, User>(),
    /** Every id that a user has had. */
    ids: new Set<string>(),
    asks: [] as Ask[],
    devices: [] as Device[],
    links: [] as Link[],
    notices: [] as Notice[],
    tickets: [] as Ticket[],
    /** When notices were sent to a number, by topic. */
    texts: new Map<string, number[]>(),
    /** When changes of the number of a user were scheduled. */
    schedules: new Map<string, number[]>(),
  };
}

export type World = ReturnType<typeof createWorld>;

export const refused = (verdict: Verdict): Outcome => ({ verdict });

export function ownerOfPhone({ users }: World, phone: string): User | undefined {
  return users.values().find((user) => user.phone === phone);
}

export function ownerOfEmail({ users }: World, email: string): User | undefined {
  return users.values().find((user) => user.email === email);
}

export function userOf({ users }: World, { userId }: ModelSession): User {
  return users.get(userId) ?? assert.fail('a live session without a user');
}

/** A request for a code. The message is sent unless it is a decoy. */
export function askFor(world: World, subject: Subject, isDecoy = false): Outcome {
  const verdict = world.codes.send(subject);
  if (verdict !== '200') return refused(verdict);
  const endsAt = Math.ceil((world.now() + lifeOf(subject)) / second) * second;
  const arrive = (code: string) => assert.ok(world.codes.arrive(subject, code), 'a resend repeats the code');
  return {
    verdict,
    accept: ({ headers }) => {
      world.asks.push({ token: String(headers['ask-token']), subject, endsAt });
    },
    messages: isDecoy ? [] : [{ to: subject.recipient, kind: 'code', arrive }],
  };
}

/** Starts the session that an answer describes. A user whose number is new to the service is created. */
export function begin(world: World, user: User | undefined, proof: Proof, phone?: string) {
  return (said: Said): void => {
    const { data } = said;
    const { sub, sid } = claimsOf(data.JWT);
    if (user === undefined) {
      assert.ok(!world.ids.has(sub), 'a new user has a new id');
      world.users.set(sub, { id: sub, phone, email: undefined, createdAt: world.now() });
      world.ids.add(sub);
    } else assert.equal(sub, user.id, 'the user of the number or the link');
    const known = world.users.get(sub);
    world.sessions.begin(sub, sid, proof, data);
    addDevice(world, { id: sub, phone: known?.phone }, said);
  };
}

/** The device that an answer marks, with the number that the user has now. */
export function addDevice(world: World, { id: userId, phone }: Pick<User, 'id' | 'phone'>, { headers }: Said): void {
  const endsAt = Math.ceil(world.now() / second + 365 * 86_400) * second;
  world.devices.push({ token: String(headers['device-token']), userId, phone, endsAt });
}

export function isDeviceOf(user: User | undefined, device: Device | undefined, now: number): boolean {
  return device !== undefined && now < device.endsAt && device.userId === user?.id;
}

/** A sign-in on a device that is new to the user is reported. */
export function newDeviceNotices(world: World, user: User | undefined, device: Device | undefined): Expected[] {
  const isKnown = isDeviceOf(user, device, world.now());
  return user?.email === undefined || isKnown ? [] : [noticeTo(world, user, user.email)];
}

/** The link works for three days, or until a scheduled change takes effect. */
export function noticeTo(world: World, { id: userId }: Pick<User, 'id'>, to: string, undo?: Undo, until = 0): Expected {
  const createdAt = world.now();
  const expiresAt = Math.max(createdAt + 3 * day, until);
  const arrive = (token: string) => world.notices.push({ token, userId, undo, createdAt, expiresAt, isOpen: true });
  return { to, kind: 'notice', arrive };
}

/** A number gets at most three notices in 24 hours, apart for each kind of change of the number. */
export function textTo(world: World, { id, phone }: User): Expected[] {
  return limited(world, 'other', phone, () => noticeTo(world, { id }, phone ?? ''));
}

type PhoneTopic = 'changed' | 'scheduled' | 'cancelled';

/** Who is notified of a change of the number: the number and the address as they were before. */
export function phoneNotices(
  world: World,
  { id, phone, email, next }: User,
  topic: PhoneTopic,
  undo?: Undo,
): Expected[] {
  const until = topic === 'scheduled' ? next?.at : undefined;
  const text = limited(world, topic, phone, () => noticeTo(world, { id }, phone ?? '', undo, until));
  return email === undefined ? text : [...text, noticeTo(world, { id }, email, undo, until)];
}

function limited(world: World, topic: string, phone: string | undefined, write: () => Expected): Expected[] {
  if (phone === undefined) return [];
  const recent = (world.texts.get(`${topic} ${phone}`) ?? []).filter((at) => at > world.now() - day);
  if (recent.length >= 3) return [];
  world.texts.set(`${topic} ${phone}`, [...recent, world.now()]);
  return [write()];
}

export function claimsOf(token: string): { sub: string; sid: string; auth_time: number; amr: string[] } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** The sign-in links of a user that are open end. */
export function endLinks(world: World, isMeant: (link: Link) => boolean): void {
  for (const link of world.links) if (isMeant(link)) link.isOpen = false;
}
