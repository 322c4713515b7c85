// Use case: prove the user of a session again with a code, and answer the next token pair of the same session.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from '../codes/code-attempt.ts';
import type { AuthDeps } from '../deps.ts';
import { type KnownDevice, readDevice } from '../devices/device-token.ts';
import { parseEmailAddress } from '../identity/email-address.ts';
import { readOwnPhone } from '../identity/own-phone.ts';
import type { User } from '../identity/user.ts';
import { hashSeed, markClient, newSeed, parseRefreshToken } from '../tokens/refresh-token.ts';
import { rotationFailure } from '../tokens/refresh-token-pair.ts';
import { issueTokenPair, type TokenPair } from '../tokens/token-pair.ts';
import type { SessionId } from './session-id.ts';
import type { ProofCandidate } from './session-proof.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'keyRing'
  | 'revocations'
  | 'proofs'
  | 'users'
  | 'testRecipients'
  | 'otp'
  | 'brake'
  | 'phoneTypes'
  | 'accessToken'
  | 'sessionPolicy'
>;

type ProveSession = GivenCode & {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  /** Only its holder has the seed of the next one. Undefined if the caller sent none: the session then gets a new seed. */
  readonly refreshToken: string | undefined;
  readonly userAgent: string | undefined;
  readonly deviceToken: string | undefined;
};

export async function proveSession(deps: Deps, input: ProveSession): Promise<TokenPair> {
  const { userId, sessionId, ip } = input;
  const { seed, counter } = readSeed(deps, input);
  const user = await deps.users.findUser(userId);
  if (user === undefined) throw new Failure('SESSION_REVOKED');
  const now = deps.clock.now();
  const device = readDevice(deps.secrets, input.deviceToken, now);
  const client = markClient(seed, { ...input, device: device?.id });
  const rotation = { sessionId, seedHash: hashSeed(seed), counter, client, policy: deps.sessionPolicy, now };
  const candidates = candidatesOf(deps, user, input, { device, now });
  const outcome = await deps.proofs.prove({ userId, candidates, rotation, ip });
  switch (outcome.kind) {
    case 'renewed':
      return issueTokenPair(deps, { ...outcome, sessionId, seed }, now);
    case 'lost':
    case 'refused':
      throw attemptFailure(outcome, deps.otp.sms);
    case 'invalid':
    case 'expired':
    case 'reused':
    case 'ended':
    case 'too wide':
      throw rotationFailure(deps, sessionId, outcome);
    default:
      return unreachable(outcome);
  }
}

function readSeed({ secrets }: Pick<Deps, 'secrets'>, { refreshToken, sessionId }: ProveSession) {
  if (refreshToken === undefined) return { seed: newSeed(), counter: undefined };
  const token = parseRefreshToken(secrets, refreshToken);
  if (token.sessionId !== sessionId) throw new Failure('REFRESH_TOKEN_INVALID');
  return token;
}

type Moment = { readonly device: KnownDevice | undefined; readonly now: number };

function candidatesOf(deps: Deps, user: User, code: GivenCode, moment: Moment): ProofCandidate[] {
  return [...smsCandidates(deps, user, code, moment), ...mailCandidates(deps, user, code)];
}

function smsCandidates(
  deps: Deps,
  { id: userId, phone }: User,
  code: GivenCode,
  { device, now }: Moment,
): ProofCandidate[] {
  if (phone === undefined) return [];
  const own = readOwnPhone(deps, phone, now);
  const countsUse = deps.brake.unused !== undefined && own?.isTest === false;
  const subject = { purpose: 'proof-phone' as const, recipient: phone, userId };
  const attempt = prepareAttempt(deps, subject, code, deps.otp.sms, device);
  return [{ proof: 'sms', attempt, country: countsUse ? own.country : undefined }];
}

function mailCandidates(deps: Deps, { id: userId, email }: User, code: GivenCode): ProofCandidate[] {
  if (email === undefined) return [];
  const subject = { purpose: 'proof-email' as const, recipient: parseEmailAddress(email).key, userId };
  return [{ proof: 'email', attempt: prepareAttempt(deps, subject, code, deps.otp.mail), country: undefined }];
}
