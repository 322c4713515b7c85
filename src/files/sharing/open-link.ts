// Use case: find the file that a link opens. A forged, changed, expired, used-up, revoked or foreign link gets the error of an unknown file, after the same steps.

import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { Failure } from '../../kernel/failure.ts';
import type { FileDeps } from '../deps.ts';
import { type OpenedFile, servedAs } from '../open-file.ts';
import { isFileId } from '../stored-file.ts';
import type { FileLink } from './file-link.ts';
import { readLinkToken } from './link-token.ts';

type Deps = Pick<FileDeps, 'sharing' | 'purposes' | 'clock'> & { readonly secrets: Secrets };

export type OpenedLink = OpenedFile & {
  readonly link: FileLink;
  /** The names of the variants of its purpose. */
  readonly variants: readonly string[];
  /** Call before bytes are sent. Throws FILE_NOT_FOUND if the link was used up or revoked meanwhile. */
  countUse(): Promise<void>;
};

export async function openLink(
  { sharing, purposes, clock, secrets }: Deps,
  { id, token }: { readonly id: string; readonly token: string },
): Promise<OpenedLink> {
  const claim = isFileId(id) ? readLinkToken(secrets, id, token) : undefined;
  if (claim === undefined) throw new Failure('FILE_NOT_FOUND');
  // The store is asked about a forged link too, so that its answer takes as long as any other.
  const opened = await sharing.openLink({ ...claim, now: clock.now() });
  const purpose = purposes.find(({ name }) => name === opened?.file.purpose);
  if (opened === undefined || !claim.isGenuine || purpose?.links !== true) throw new Failure('FILE_NOT_FOUND');
  const { file, link } = opened;
  return {
    file,
    served: servedAs(file, purpose),
    link,
    variants: Object.keys(purpose.variants ?? {}),
    countUse: async () => {
      if (link.uses === undefined) return;
      const isCounted = await sharing.countUse({ ...claim, now: clock.now() });
      if (!isCounted) throw new Failure('FILE_NOT_FOUND');
    },
  };
}
