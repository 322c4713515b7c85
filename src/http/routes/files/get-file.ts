// GET /file/{id}: the file's bytes, or a redirect to them. By a link, for whoever has it: bytes for programs, a page for people.
import type { FileDeps } from '../../../files/deps.ts';
import { openFile } from '../../../files/open-file.ts';
import { isLinkToken } from '../../../files/sharing/link-token.ts';
import { openLink } from '../../../files/sharing/open-link.ts';
import type { Secrets } from '../../../kernel/crypto/secrets.ts';
import { Failure } from '../../../kernel/failure.ts';
import { createRateGuard } from '../../guards/rate.ts';
import { type Call, defineRoute, type PageAnswer } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { describeSharedFile, type SharedFileFacts, sharedFileWithoutScript } from '../../pages/shared-file-page.ts';
import { type ContentQuery, contentQuery, contentRoute, type SendContent } from './send-content.ts';
import { pageVary, wantsPage } from './wants-page.ts';

type Deps = FileDeps & { readonly secrets: Secrets };

/** On each node. It keeps one link from taking all of its bandwidth. */
const opensPerLink = [{ count: 600, windowSeconds: 60 }];

/** The address of the page opens the file, so no search engine may keep it. */
const linkHeaders = { 'x-robots-tag': 'noindex, nofollow' };

export function getFileRoute(deps: Deps, send: SendContent) {
  const countOpening = createRateGuard(opensPerLink, 'opens-per-link');

  async function answerLink(call: Call<unknown, ContentQuery, { readonly id: string }>, token: string) {
    // Any text of this shape is counted, so that the limit does not reveal which links exist.
    if (isLinkToken(token)) countOpening(token);
    const isPage = wantsPage(call);
    try {
      const opened = await openLink(deps, { id: call.params.id, token });
      if (isPage || wantsPage(call, opened.link.uses !== undefined)) return pageOf(describeSharedFile(opened, token));
      const answer = await send(call, { opened, isLinked: true });
      const vary = `${pageVary}, ${answer.headers.vary}`;
      return { ...answer, headers: { ...answer.headers, ...linkHeaders, vary } };
    } catch (error) {
      if (isPage && error instanceof Failure && error.code === 'FILE_NOT_FOUND')
        return { ...pageOf(null), failure: error.code };
      throw error;
    }
  }

  return defineRoute({
    ...contentRoute,
    summary: 'Get a file',
    description:
      'Supports ranges, conditional requests and HEAD. With files in S3, a caller with a cookie or ?redirect=1 is redirected to a short-lived URL; a caller with a bearer token gets the bytes. With ?variant=, the answer is a smaller picture, as WebP or AVIF by Accept, never a redirect. Without such a variant the answer is FILE_NOT_FOUND. With ?l=, no access token is needed: browsers that navigate, messengers and robots get a page with the download, which counts no use; everyone else gets the bytes, never a redirect. If downloads are counted, messengers, robots and prefetches get the page for every address of the link. A link that does not open the file is answered with FILE_NOT_FOUND.',
    query: object(
      {},
      { ...contentQuery, l: text({ description: 'The token of a link to the file; see POST /api/file/{id}/links' }) },
    ),
    handle: async (call) => {
      if (call.query.l !== undefined) return answerLink(call, call.query.l);
      const { userId, via } = call.caller;
      const opened = await openFile(deps, { userId, id: call.params.id });
      return await send(call, { opened, caller: userId, sendsCookie: via === 'cookie' });
    },
  });
}

function pageOf(sharedFile: SharedFileFacts | null): PageAnswer {
  const withoutScript: PageAnswer['withoutScript'] = (language) => sharedFileWithoutScript(language, sharedFile);
  return { page: 'shared-file', facts: { sharedFile }, withoutScript, headers: linkHeaders };
}
