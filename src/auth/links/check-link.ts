// Use case: show the landing page the masked owner of a link and whether this browser requested it. Does not consume the link.
import { isSame, sha256 } from '../../kernel/crypto/digest.ts';
import { Failure } from '../../kernel/failure.ts';
import { maskEmail } from '../../kernel/text/mask.ts';
import type { AuthDeps } from '../deps.ts';
import { hashLinkToken, isLinkToken, type LinkTarget } from './login-link.ts';

type Deps = Pick<AuthDeps, 'clock' | 'links'>;

type CheckedLink = LinkTarget & { readonly account: string; readonly isSameBrowser: boolean };

export async function checkLink(
  { clock, links }: Deps,
  token: string,
  browser: string | undefined,
): Promise<CheckedLink> {
  const found = isLinkToken(token)
    ? await links.findLink({ tokenHash: hashLinkToken(token), now: clock.now() })
    : undefined;
  if (found === undefined) throw new Failure('LINK_INVALID');
  const { address, authorizationTicket } = found;
  if (found.isExpired)
    throw new Failure('LINK_EXPIRED', authorizationTicket === undefined ? {} : { authorizationTicket });
  const isSameBrowser = browser !== undefined && isSame(sha256(browser), found.browserHash);
  return { account: maskEmail(address), isSameBrowser, authorizationTicket };
}
