// Use case: the user says of a notice “this was not me”. Every session and open sign-in link ends, and a change of the number is undone.

import { Failure } from '../../kernel/failure.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { Language } from '../../kernel/text/language.ts';
import type { AuthDeps } from '../deps.ts';
import { preparePhoneNotices } from '../identity/phone-change.ts';
import { hashNoticeToken, isNoticeToken } from './notice.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'notices' | 'revocations' | 'wakeDelivery'>;

type ReportNotMe = { readonly token: string; readonly language: Language };

export async function reportNotMe(deps: Deps, { token, language }: ReportNotMe): Promise<void> {
  if (!isNoticeToken(token)) throw new Failure('LINK_INVALID');
  const now = deps.clock.now();
  const cancelled = preparePhoneNotices(deps.secrets, 'phone-change-cancelled', { language, now });
  const outcome = await deps.notices.redeemNotice({ tokenHash: hashNoticeToken(token), cancelled, now });
  switch (outcome.kind) {
    case 'ended':
    case 'taken':
      deps.revocations.add(outcome.sessionIds);
      if (outcome.hasCancelled) deps.wakeDelivery();
      if (outcome.kind === 'taken') throw new Failure('PHONE_TAKEN');
      return;
    case 'expired':
      throw new Failure('LINK_EXPIRED');
    case 'lost':
      throw new Failure('LINK_INVALID');
    default:
      return unreachable(outcome);
  }
}
