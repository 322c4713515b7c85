// Answers with the bytes of a file or of its variant. The call of a user and that of the back end have it in common.
import type { FileDeps } from '../../../files/deps.ts';
import type { OpenedFile } from '../../../files/open-file.ts';
import { createSmallBlobs } from '../../../files/storage/small-blobs.ts';
import { openVariant } from '../../../files/variants/open-variant.ts';
import { createVariants } from '../../../files/variants/variants.ts';
import type { Call, ContentAnswer } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { chooseVariantFormat } from '../../transfer/choose-variant-format.ts';
import { createFileHeads } from '../../transfer/file-head.ts';
import { type FileServing, serveFile } from '../../transfer/serve-file.ts';
import { serveVariant } from '../../transfer/serve-variant.ts';

export type ContentQuery = { readonly redirect?: string; readonly download?: string; readonly variant?: string };

/** What to send, and to whom. */
type SentContent = {
  readonly opened: OpenedFile & { countUse?(): Promise<void> };
  /** The user or the service key that asks. Whoever opens a link asks in the name of the owner. */
  readonly caller?: string;
  /** The caller is a browser, which follows a redirect to S3 without its token. */
  readonly sendsCookie?: boolean;
  /** A link opened the file. Then there is no redirect: the address of the bytes in S3 would outlive a revocation. */
  readonly isLinked?: true;
};

export type SendContent = (call: Call<unknown, ContentQuery>, sent: SentContent) => Promise<ContentAnswer>;

export function createContentSender(deps: FileDeps, mode: FileServing): SendContent {
  const parts = {
    blobs: deps.blobs,
    smallBlobs: createSmallBlobs(deps.blobs),
    headOf: createFileHeads(),
    clock: deps.clock,
    mode,
  };
  const variantDeps = { ...deps, variants: createVariants(deps) };
  const linkedParts = { ...parts, mode: mode === 'accel' ? mode : ('stream' as const) };
  return async (call, { opened, caller = opened.file.userId, sendsCookie = false, isLinked }) => {
    const { file, served, countUse } = opened;
    const { query, header } = call;
    const isHead = call.method === 'HEAD';
    const isDownload = query.download === '1';
    if (query.variant !== undefined) {
      const format = chooseVariantFormat(header('accept'));
      const variant = openVariant(variantDeps, { file, name: query.variant, format, caller });
      const bytes = await variant.read(call.signal);
      return serveVariant(variant, bytes, deps.clock, {
        header,
        isHead,
        beforeBytes: countUse,
        isAttachment: isDownload,
      });
    }
    return await serveFile(isLinked === true ? linkedParts : parts, file, {
      header,
      isHead,
      beforeBytes: countUse,
      wantsRedirect: query.redirect === '1' || sendsCookie,
      isAttachment: served === 'attachment' || isDownload,
    });
  };
}

export const contentQuery = {
  redirect: text({
    description: '“1” asks for the redirect of files in S3 with a bearer token too',
    examples: ['1'],
  }),
  download: text({ description: '“1” makes a browser save the file instead of showing it', examples: ['1'] }),
  variant: text({
    description: 'The name of a variant of the purpose of the file; see GET /api/file/purposes',
    examples: ['thumb'],
  }),
};

/** What the two routes describe alike. */
export const contentRoute = {
  success: 'FILE_RECORD',
  failures: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'PRECONDITION_FAILED', 'STORAGE_UNAVAILABLE'],
  params: object({ id: text() }),
  takesAnyId: true,
  servesFile: true,
  query: object({}, contentQuery),
  requestHeaders: {
    Range: 'One part of the file, its end, or up to 8 parts: bytes=0-1023',
    'If-None-Match': 'The ETag of the version that the caller has',
  },
  answerTypes: ['*/*'],
  answerMeaning:
    'The bytes of the file or of its variant. A text has its charset in Content-Type. The answer to ?variant= depends on Accept, and says so in Vary',
  otherAnswers: {
    206: 'The part of the file that Range names',
    302: 'The short-lived URL of the file in S3, in Location',
    304: 'The caller already has this version: If-None-Match or If-Modified-Since',
  },
} as const;
