// Use case: request a sign-in link. Queues a message without looking up the address; the worker decides whether to send.
import { sendCheck } from '../../abuse/sends.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { newId, randomText } from '../../kernel/crypto/random.ts';
import { markRecipient } from '../../kernel/crypto/recipient-mark.ts';
import type { Language } from '../../kernel/text/language.ts';
import { maskEmail } from '../../kernel/text/mask.ts';
import { askToSend } from '../codes/ask-to-send.ts';
import type { AuthDeps } from '../deps.ts';
import { parseEmailAddress } from '../identity/email-address.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'captcha' | 'sendRequests' | 'holdMessage' | 'wakeDelivery' | 'sends' | 'linkLifeSeconds'
>;

type SendLoginLink = {
  recipient: string;
  captchaToken: string;
  ip: string;
  language: Language;
  /** Identifies the requesting browser. Only in this browser does the link sign in without a further click. */
  browser: string;
  /** The sign-in of an app that the link goes on with. The caller has checked it. */
  authorizationTicket?: string | undefined;
};

export async function sendLoginLink(deps: Deps, input: SendLoginLink): Promise<void> {
  const { key } = parseEmailAddress(input.recipient);
  const now = deps.clock.now();
  const kind = 'login-link';
  const recipient = markRecipient(deps.secrets, key);
  await askToSend(deps, input, {
    check: sendCheck({ purpose: kind, recipient: key, ip: input.ip, policy: deps.sends.mail, now }),
    brake: undefined,
    challenge: undefined,
    message: {
      id: newId(),
      channel: 'mail',
      kind,
      payload: {
        to: key,
        language: input.language,
        secretId: deps.secrets.currentId,
        nonce: randomText(32),
        browserHash: sha256(input.browser),
        ...(input.authorizationTicket !== undefined && { authorizationTicket: input.authorizationTicket }),
      },
      createdAt: now,
      expiresAt: now + deps.linkLifeSeconds * 1000,
    },
    audit: { kind: 'link.requested', detail: { email: maskEmail(key), recipient, ip: input.ip } },
    now,
  });
}
