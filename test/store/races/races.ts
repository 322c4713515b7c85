// The races of two processes: how each round is prepared, and the one call that each side makes in it.

import { newUserId } from '../../../src/kernel/ids.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import {
  attempt,
  bind,
  binding,
  codeRequest,
  hour,
  linkIssue,
  message,
  noon,
  ownerOf,
  phoneClaim,
  phoneSignIn,
  right,
  sessionDraft,
  sessionPolicy,
  signIn,
  tryCode,
} from '../../helpers/store/fixtures.ts';
import type { Race } from './race.ts';

export const phoneOf = (round: number) => `+4917${String(round).padStart(6, '0')}0000`;
const emailOf = (round: number) => `racer${round}@example.com`;
export const userOf = (round: number, side = 0) => `user-${round}-${side}`;
export const sessionOf = (round: number, side = 0) => asSessionId(`session-${round}-${side}`);

/** A code that both sides know. */
export const codeOf = (name: string) => right({ ...attempt(name, noon), slot: name });

export async function openCode(ports: Ports, name: string): Promise<void> {
  const request = codeRequest(name, noon);
  if (request.challenge === undefined) return;
  await ports.sendRequests.request({ ...request, challenge: { ...request.challenge, slot: name }, message: undefined });
}

export const begin = (ports: Ports, round: number, side = 0) =>
  signIn(ports, asPhone(`${phoneOf(round)}${side}`), noon, {
    newUserId: asUserId(userOf(round, side)),
    session: { id: sessionOf(round, side), seedHash: 'seed' },
  });

const issue = (ports: Ports, round: number, token: string) =>
  ports.links.issueLink(linkIssue(emailOf(round), token, noon));

const redeem = async (ports: Ports, tokenHash: string) =>
  (await ports.signIns.signInWithLink({ tokenHash, session: sessionDraft(noon) })).kind;

/** An account with an e-mail address that was last used an hour ago. */
const beginOld = async (ports: Ports, round: number) => {
  const { userId } = await signIn(ports, asPhone(`${phoneOf(round)}0`), noon - hour, {
    newUserId: asUserId(userOf(round)),
  });
  await bind(ports, userId, emailOf(round), noon - hour);
};

const claim = (ports: Ports, round: number) => {
  const ticket = { userId: asUserId(userOf(round)), phone: asPhone(`${phoneOf(round)}0`), lastUse: noon - hour };
  return ports.signIns.claimPhone(phoneClaim(ticket, noon));
};

const rotate = (ports: Ports, round: number) =>
  ports.sessions.rotate({
    sessionId: sessionOf(round),
    seedHash: 'seed',
    counter: 0,
    policy: sessionPolicy,
    now: noon,
  });

const prove = (ports: Ports, round: number) =>
  ports.proofs.prove({
    userId: asUserId(userOf(round)),
    candidates: [{ proof: 'sms', attempt: proofCodeOf(round), country: undefined }],
    rotation: { sessionId: sessionOf(round), seedHash: 'seed', counter: 0, policy: sessionPolicy, now: noon },
    ip: '192.0.2.1',
  });

/** A code to the number that `begin` signs up. */
const proofCodeOf = (round: number) => {
  const subject = { purpose: 'phone-login' as const, recipient: asPhone(`${phoneOf(round)}0`) };
  return { ...codeOf(`proof ${round}`), subject };
};

const passed = (refusal: unknown) => (refusal === undefined ? 'passed' : 'refused');

export const races = {
  'one code': {
    prepare: (ports, round) => openCode(ports, `code ${round}`),
    run: async (ports, round) =>
      (await ports.signIns.signInWithPhone(phoneSignIn(codeOf(`code ${round}`), asPhone(phoneOf(round)), noon))).kind,
  },
  'first sign-ins of one phone': {
    prepare: (ports, round) => Promise.all([0, 1].map((side) => openCode(ports, `first ${round} ${side}`))),
    run: async (ports, round, side) => {
      const input = phoneSignIn(codeOf(`first ${round} ${side}`), asPhone(phoneOf(round)), noon);
      const outcome = await ports.signIns.signInWithPhone(input);
      return outcome.kind === 'signed in' && outcome.isNewUser ? 'new user' : outcome.kind;
    },
  },
  'one ticket': {
    prepare: (ports, round) => beginOld(ports, round),
    run: async (ports, round) => (await claim(ports, round)).kind,
  },
  'a claim and a sign-in by link': {
    prepare: async (ports, round) => {
      await beginOld(ports, round);
      await issue(ports, round, `link ${round}`);
    },
    run: async (ports, round, side) => (side === 0 ? (await claim(ports, round)).kind : redeem(ports, `link ${round}`)),
  },
  'a claim and the deletion of the account': {
    prepare: (ports, round) => beginOld(ports, round),
    run: async (ports, round, side) => {
      if (side === 0) return (await claim(ports, round)).kind;
      await ports.users.deleteUser({ userId: asUserId(userOf(round)), now: noon });
      return 'deleted';
    },
  },
  'a claim and a sign-in with the number': {
    prepare: async (ports, round) => {
      await beginOld(ports, round);
      await openCode(ports, `claimed ${round}`);
    },
    run: async (ports, round, side) => {
      if (side === 0) return (await claim(ports, round)).kind;
      const input = phoneSignIn(codeOf(`claimed ${round}`), asPhone(`${phoneOf(round)}0`), noon, {
        recycledSeconds: 1,
      });
      const outcome = await ports.signIns.signInWithPhone(input);
      return outcome.kind === 'signed in' && outcome.isNewUser ? 'new user' : outcome.kind;
    },
  },
  'one refresh token': {
    prepare: (ports, round) => begin(ports, round),
    run: async (ports, round) => {
      const outcome = await rotate(ports, round);
      return outcome.kind === 'renewed' ? `renewed ${outcome.counter}` : outcome.kind;
    },
  },
  'one link': {
    prepare: async (ports, round) => {
      await ownerOf(ports, emailOf(round), noon);
      await issue(ports, round, `link ${round}`);
    },
    run: (ports, round) => redeem(ports, `link ${round}`),
  },
  'two links of one user': {
    prepare: async (ports, round) => {
      await ownerOf(ports, emailOf(round), noon);
      await Promise.all([0, 1].map((side) => issue(ports, round, `link ${round} ${side}`)));
    },
    run: (ports, round, side) => redeem(ports, `link ${round} ${side}`),
  },
  'one delivery of one link': {
    prepare: (ports, round) => ownerOf(ports, emailOf(round), noon),
    run: async (ports, round) => ((await issue(ports, round, `mailed ${round}`)) === undefined ? 'nobody' : 'issued'),
  },
  'one address': {
    prepare: (ports, round) =>
      Promise.all(
        [0, 1].map(async (side) => {
          await begin(ports, round, side);
          await openCode(ports, `bind ${round} ${side}`);
        }),
      ),
    run: async (ports, round, side) => {
      const given = codeOf(`bind ${round} ${side}`);
      return (await ports.bindings.bindEmail(binding(given, asUserId(userOf(round, side)), emailOf(round), noon))).kind;
    },
  },
  'one captcha': {
    run: async (ports, round, side) => {
      const captcha = { id: `captcha ${round}`, sweepAt: noon + hour };
      return passed(await ports.sendRequests.request(codeRequest(`${phoneOf(round)}${side}`, noon, { captcha })));
    },
  },
  'the last send of a limit': {
    run: async (ports, round) => {
      const policy = { perRecipient: [{ count: 1, windowSeconds: 3600 }] };
      return passed(await ports.sendRequests.request(codeRequest(phoneOf(round), noon, { policy })));
    },
  },
  'the last guess at a code': {
    run: async (ports, round) => {
      const { left } = await tryCode(ports, attempt(phoneOf(round), noon, { attempts: 1 }));
      return left === undefined ? 'exceeded' : 'counted';
    },
  },
  'one generation of keys': {
    run: async (ports, round, side) => {
      const key = { generation: round, id: `key ${round} ${side}`, publicKey: '', privateKey: '' };
      return (await ports.signingKeys.addKey({ ...key, createdAt: noon, activeFrom: noon })) ? 'added' : 'too late';
    },
  },
  'messages of the outbox': {
    prepare: (ports, round) =>
      ports.sendRequests.request({
        ...codeRequest(phoneOf(round), noon),
        message: message(noon, { id: `message ${round}` }),
      }),
    run: async (ports) => {
      const [claimed] = await ports.outbox.claim({ channel: 'sms', now: noon + hour, most: 1, leaseSeconds: 20 });
      return claimed?.id ?? 'none';
    },
  },
  'a rotation and a sign-out of one session': {
    prepare: (ports, round) => begin(ports, round),
    run: async (ports, round, side) => {
      if (side === 0) return (await rotate(ports, round)).kind;
      const ending = { userId: asUserId(userOf(round)), sessionId: sessionOf(round), scope: 'this' as const };
      const ended = await ports.sessions.endSessions({ ...ending, reason: 'logged out', now: noon });
      return ended.length === 1 ? 'logged out' : 'nothing';
    },
  },
  'one code that proves a session': {
    prepare: (ports, round) => Promise.all([begin(ports, round), openCode(ports, `proof ${round}`)]),
    run: async (ports, round) => (await prove(ports, round)).kind,
  },
  'a proof and a sign-out of one session': {
    prepare: (ports, round) => Promise.all([begin(ports, round), openCode(ports, `proof ${round}`)]),
    run: async (ports, round, side) => {
      if (side === 0) return (await prove(ports, round)).kind;
      const ending = { userId: asUserId(userOf(round)), sessionId: sessionOf(round), scope: 'this' as const };
      const ended = await ports.sessions.endSessions({ ...ending, reason: 'logged out', now: noon });
      return ended.length === 1 ? 'logged out' : 'nothing';
    },
  },
  'a sign-in and the deletion of its account': {
    prepare: async (ports, round) => {
      await begin(ports, round);
      await openCode(ports, `deleted ${round}`);
    },
    run: async (ports, round, side) => {
      if (side === 0)
        return String((await ports.users.deleteUser({ userId: asUserId(userOf(round)), now: noon })).sessionIds.length);
      const input = phoneSignIn(codeOf(`deleted ${round}`), asPhone(`${phoneOf(round)}0`), noon, {
        newUserId: newUserId(),
      });
      const outcome = await ports.signIns.signInWithPhone(input);
      return outcome.kind === 'signed in' && outcome.isNewUser ? 'new user' : outcome.kind;
    },
  },
} as const satisfies Record<string, Race>;
