// Use case: make a link that opens one of the caller's files without a sign-in, until a time or for a number of downloads.

import { randomText } from '../../kernel/crypto/random.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { Failure, type FailureCode } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import { type OwnerRefusal, ownerFailure } from '../owner-state.ts';
import { isFileId } from '../stored-file.ts';
import { type FileLink, type SharingRefusal, sharingLimits } from './file-link.ts';
import { writeLinkToken } from './link-token.ts';

type Deps = Pick<FileDeps, 'sharing' | 'purposes' | 'clock'> & { readonly secrets: Secrets };

type CreateLink = {
  readonly userId: UserId;
  readonly fileId: string;
  readonly seconds: number | undefined;
  readonly uses: number | undefined;
};

/** Only this answer has the token: the store keeps none. */
export async function createLink(
  { sharing, purposes, clock, secrets }: Deps,
  { userId, fileId, seconds = sharingLimits.usualSeconds, uses }: CreateLink,
): Promise<{ readonly link: FileLink; readonly token: string }> {
  if (!isFileId(fileId)) throw new Failure('FILE_NOT_FOUND');
  const now = clock.now();
  const link = await sharing.createLink({
    id: randomText(12),
    fileId,
    userId,
    expiresAt: (Math.floor(now / 1000) + seconds) * 1000,
    uses,
    purposes: purposes.filter(({ links }) => links === true).map(({ name }) => name),
    now,
  });
  if (typeof link === 'string') throw sharingFailure(link);
  return { link, token: writeLinkToken(secrets, { ...link, linkId: link.id }) };
}

const codes = {
  'not found': 'FILE_NOT_FOUND',
  'not allowed': 'SHARING_NOT_ALLOWED',
  full: 'FILE_LINKS_FULL',
} as const satisfies Record<Exclude<SharingRefusal, OwnerRefusal>, FailureCode>;

export function sharingFailure(refusal: SharingRefusal): Failure {
  return refusal === 'blocked' || refusal === 'gone' ? ownerFailure(refusal) : new Failure(codes[refusal]);
}
