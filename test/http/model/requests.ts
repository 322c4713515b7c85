// The request of each step, and what the model says about it.
import assert from 'node:assert/strict';
import { unreachable } from '../../../src/kernel/text/closed-list.ts';
import { otherThan } from '../../helpers/people/users.ts';
import type { QuickService } from '../../helpers/services/quick-service.ts';
import { type Ask, isSameSubject, type Subject } from './codes.ts';
import type { Outcome, World } from './identity.ts';
import * as phoneLife from './phones.ts';
import * as proofs from './proofs.ts';
import type { ModelSession } from './sessions.ts';
import * as signIns from './sign-ins.ts';
import type { Step } from './steps.ts';

export type Play = {
  readonly service: QuickService;
  readonly world: World;
  readonly phones: readonly string[];
  readonly emails: readonly string[];
  /** Every answer that was given, by the act. */
  readonly given: Set<string>;
};

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
};

type CallStep = Exclude<Step, { act: 'wait' | 'restart' }>;

/** The request of a step, and what the model says about it. Undefined if there is nothing to use. */
export function prepare(play: Play, step: CallStep): [Request, Outcome] | undefined {
  if ('session' in step) return prepareInSession(play, step);
  const { world } = play;
  switch (step.act) {
    case 'send code': {
      const recipient = phoneOf(play, step.phone);
      return [asking('phone/send/otp', { recipient }), signIns.sendCode(world, recipient)];
    }
    case 'sign in': {
      const phone = phoneOf(play, step.phone);
      const subject = { purpose: 'phone-login' as const, recipient: phone };
      const { headers, guesser, code } = given(play, step, subject);
      const isRight = step.isRight && code.isKnown;
      const outcome = signIns.signIn(world, phone, isRight, guesser);
      return [{ method: 'POST', path: 'phone/login', headers, body: { phone, otp: code.text } }, outcome];
    }
    case 'send link': {
      const recipient = emailOf(play, step.email);
      return [asking('email/send/login-link', { recipient }), signIns.sendLink(world, recipient)];
    }
    case 'sign in by link': {
      const token = world.links.at(-1 - step.link)?.token;
      if (token === undefined) return undefined;
      const { headers, guesser } = guesserOf(play, step, undefined);
      const outcome = signIns.signInByLink(world, token, guesser);
      return [{ method: 'POST', path: 'email/login', headers, body: { token } }, outcome];
    }
    case 'not me': {
      const token = world.notices.at(-1 - step.notice)?.token;
      if (token === undefined) return undefined;
      return [{ method: 'POST', path: 'not-me', body: { token } }, phoneLife.reportNotMe(world, token)];
    }
    case 'claim': {
      const ticket = world.tickets.at(-1 - step.ticket)?.token;
      if (ticket === undefined) return undefined;
      const { headers } = guesserOf(play, step, undefined);
      const outcome = phoneLife.claim(world, ticket);
      return [{ method: 'POST', path: 'phone/claim', headers, body: { ticket } }, outcome];
    }
    default:
      return unreachable(step);
  }
}

type SessionStep = Extract<CallStep, { session: number }>;

function prepareInSession(play: Play, step: SessionStep): [Request, Outcome] | undefined {
  const { world } = play;
  const session = world.sessions.list.at(-1 - step.session);
  if (session === undefined) return undefined;
  if (step.act === 'refresh') {
    const RT = session.tokens.at(-1 - step.back);
    if (RT === undefined) return undefined;
    const outcome = signIns.refresh(world, session, step.back);
    return [{ method: 'POST', path: 'refresh-token', headers: { RT } }, outcome];
  }
  // After this time its signing key may be retired, and then the token is invalid rather than expired.
  if (world.now() > session.accessEndsAt + 3_000_000) return undefined;
  const authorization = `Bearer ${session.accessToken}`;
  switch (step.act) {
    case 'me':
      return [{ method: 'GET', path: 'me', headers: { authorization } }, signIns.me(world, session)];
    case 'list sessions':
      return [{ method: 'GET', path: 'sessions', headers: { authorization } }, signIns.listSessions(world, session)];
    case 'end session': {
      const target = world.sessions.list.at(-1 - step.target) ?? session;
      const outcome = signIns.endSession(world, session, target);
      return [{ method: 'DELETE', path: `sessions/${target.id}`, headers: { authorization } }, outcome];
    }
    case 'sign out': {
      const outcome = signIns.signOut(world, session, step.scope);
      return [{ method: 'POST', path: 'logout', headers: { authorization }, body: { scope: step.scope } }, outcome];
    }
    case 'send proof': {
      const outcome = proofs.sendProof(world, session, step.via);
      return [asking('proof/send', { via: step.via }, { authorization }), outcome];
    }
    case 'prove':
      return prepareProof(play, step, session);
    case 'send binding': {
      const recipient = emailOf(play, step.email);
      const outcome = proofs.sendBinding(world, session, recipient);
      return [asking('email/send/otp', { recipient }, { authorization }), outcome];
    }
    case 'bind': {
      const email = emailOf(play, step.email);
      const subject = proofs.bindingSubject({ id: session.userId }, email);
      const { headers, guesser, code } = given(play, step, subject);
      const isRight = step.isRight && code.isKnown;
      const outcome = proofs.bind(world, session, { email, isRight, ask: guesser.ask });
      const body = { email, otp: code.text };
      return [{ method: 'PUT', path: 'email/add', headers: { ...headers, authorization }, body }, outcome];
    }
    case 'send change': {
      const recipient = phoneOf(play, step.phone);
      const outcome = phoneLife.sendChange(world, session, recipient);
      return [asking('phone/change/send', { recipient }, { authorization }), outcome];
    }
    case 'change phone': {
      const phone = phoneOf(play, step.phone);
      const { headers, guesser, code } = given(play, step, phoneLife.changeSubject(session, phone));
      const isRight = step.isRight && code.isKnown;
      const outcome = phoneLife.changePhone(world, session, { phone, isRight, guesser });
      const body = { phone, otp: code.text };
      return [{ method: 'PUT', path: 'phone/change', headers: { ...headers, authorization }, body }, outcome];
    }
    case 'show change':
      return [
        { method: 'GET', path: 'phone/change', headers: { authorization } },
        phoneLife.showChange(world, session),
      ];
    case 'cancel change': {
      const outcome = phoneLife.cancelChange(world, session);
      return [{ method: 'DELETE', path: 'phone/change', headers: { authorization } }, outcome];
    }
    case 'remove email':
      return [{ method: 'DELETE', path: 'email', headers: { authorization } }, proofs.removeEmail(world, session)];
    case 'delete account':
      return [{ method: 'DELETE', path: 'me', headers: { authorization } }, proofs.deleteAccount(world, session)];
  }
}

function prepareProof(
  play: Play,
  step: Extract<Step, { act: 'prove' }>,
  session: ModelSession,
): [Request, Outcome] | undefined {
  const { world } = play;
  const RT = session.tokens.at(-1 - step.back);
  if (RT === undefined) return undefined;
  const user = world.users.get(session.userId);
  const subjects = user === undefined ? [] : proofs.proofSubjects(user);
  const { guesser, headers } = guesserOf(play, step, (ask) => subjects.some((one) => isSameSubject(one, ask.subject)));
  const code = codeOf(world, proofs.provedSubject(world, session, guesser.ask), step.isRight);
  const isRight = step.isRight && code.isKnown;
  const outcome = proofs.prove(world, session, { isRight, guesser, back: step.back });
  const all = { ...headers, RT, authorization: `Bearer ${session.accessToken}` };
  return [{ method: 'POST', path: 'proof', headers: all, body: { otp: code.text } }, outcome];
}

function asking(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  return { method: 'POST', path, body, headers: { 'captcha-token': 'x', 'ask-token': 'new', ...headers } };
}

/** The tokens that a step sends: an ask token of this kind if there is one, or another one, which is worth nothing. */
function guesserOf({ world }: Play, step: By, isMeant: ((ask: Ask) => boolean) | undefined) {
  const asks = isMeant === undefined ? [] : world.asks.filter(isMeant);
  const ask = step.ask === undefined ? undefined : (asks.at(-1 - step.ask) ?? world.asks.at(-1 - step.ask));
  const device = step.device === undefined ? undefined : world.devices.at(-1 - step.device);
  const headers: Record<string, string> = {
    ...(device !== undefined && { 'device-token': device.token }),
    ...(ask !== undefined && { 'ask-token': ask.token }),
  };
  return { headers, guesser: { ask, device } };
}

type By = { readonly ask: number | undefined; readonly device: number | undefined };

function given(play: Play, step: By & { isRight: boolean }, subject: Subject) {
  const tokens = guesserOf(play, step, (ask) => isSameSubject(ask.subject, subject));
  return { ...tokens, code: codeOf(play.world, subject, step.isRight) };
}

function codeOf({ codes }: World, subject: Subject | undefined, isRight: boolean) {
  const known = subject === undefined ? undefined : codes.codeFor(subject);
  const text = known ?? '000000';
  return { isKnown: known !== undefined, text: isRight ? text : otherThan(text) };
}

function phoneOf({ phones }: Play, index: number): string {
  return phones[index] ?? assert.fail('no such number');
}

function emailOf({ emails }: Play, index: number): string {
  return emails[index] ?? assert.fail('no such address');
}
