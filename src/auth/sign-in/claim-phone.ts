// Use case: start a new account with a number whose account was unused for long. The ticket proves who has the number now.

import { Failure } from '../../kernel/failure.ts';
import { newUserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { AuthDeps } from '../deps.ts';
import { prepareMailNotice } from '../notices/notice.ts';
import { readProofTicket } from './proof-ticket.ts';
import { type GivenDevice, prepareDevice } from './signing-device.ts';
import { type FirstTokens, issueFirstTokens, prepareSession } from './start-session.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'keyRing'
  | 'revocations'
  | 'signIns'
  | 'accessToken'
  | 'sessionPolicy'
  | 'isSignupOpen'
  | 'noticeChoice'
  | 'wakeDelivery'
>;

type ClaimPhone = GivenDevice & { readonly ticket: string; readonly ip: string };

export async function claimPhone(deps: Deps, input: ClaimPhone): Promise<FirstTokens> {
  const { userAgent, ip, language } = input;
  const now = deps.clock.now();
  const ticket = readProofTicket(deps.secrets, input.ticket, now);
  if (ticket === undefined) throw new Failure('PROOF_TICKET_INVALID');
  const session = prepareSession(deps, { method: 'sms', userAgent, ip });
  const { known, device } = prepareDevice(deps, input);
  const outcome = await deps.signIns.claimPhone({
    ticket,
    isSignupOpen: deps.isSignupOpen,
    newUserId: newUserId(),
    session: session.draft,
    device,
    notice: prepareMailNotice(deps.secrets, 'phone-lost', { language, now }),
  });
  switch (outcome.kind) {
    case 'signed in':
      deps.wakeDelivery('mail');
      return issueFirstTokens(deps, session, outcome, known);
    case 'closed':
      throw new Failure('SIGNUP_CLOSED');
    case 'blocked':
      throw new Failure('USER_BLOCKED');
    case 'lost':
      throw new Failure('PROOF_TICKET_INVALID');
    default:
      return unreachable(outcome);
  }
}
