// The API of the notebook. Every call is made for the user of a verified access token.
import type { IncomingMessage } from 'node:http';
import type { Service, VerifiedRequest } from '@gatehouse/client/service';
import type { Notebook } from './notebook.ts';
import { BadRequest, readBody } from './read-body.ts';

type Parts = {
  readonly notebook: Notebook;
  readonly service: Service;
  /** The name under which others see a user. */
  readonly nameOf: (userId: string) => Promise<string>;
};

type Call = { readonly request: IncomingMessage; readonly user: VerifiedRequest; readonly id: string };

/** Returns the data of the answer, or undefined where there is none. */
type Route = (call: Call) => Promise<object | undefined> | object | undefined;

const mostNotes = 100;
const longestText = 2000;

export function createRoutes({ notebook, service, nameOf }: Parts): Readonly<Record<string, Route>> {
  return {
    'GET /api/notebook': async ({ user }) => {
      const notes = notebook.newest(mostNotes).map(async ({ userId, ...note }) => ({
        ...note,
        author: await nameOf(userId),
        isMine: userId === user.userId,
      }));
      // The plan is in the token: no question to anyone.
      return { name: await nameOf(user.userId), isPro: user.claims.plan === 'pro', notes: await Promise.all(notes) };
    },

    'POST /api/notes': async ({ request, user }) => {
      const { text, fileId } = readNote(await readBody(request));
      // Only the owner may attach a file. The id comes from the browser, so the app asks Gatehouse whose it is.
      if (fileId !== null && (await service.files.get(fileId)).userId !== user.userId) throw new BadRequest(403);
      notebook.add({ userId: user.userId, text, fileId, createdAt: new Date().toISOString() });
      return undefined;
    },

    'DELETE /api/notes': ({ user, id }) => {
      if (!notebook.remove(Number(id), user.userId)) throw new BadRequest(404);
      return undefined;
    },

    // Here an app would take the money. The claim is in the token after the next refresh.
    'POST /api/pro': async ({ user }) => {
      // An update replaces all claims. Those of the token may be old: what was taken from the user must not come back.
      const { claims } = await service.users.get(user.userId);
      await service.users.update(user.userId, { claims: { ...claims, plan: 'pro' } });
      return undefined;
    },
  };
}

function readNote(body: string): { text: string; fileId: string | null } {
  const { text, fileId = null } = JSON.parse(body) as Record<string, unknown>;
  const isText = typeof text === 'string' && text.trim() !== '' && text.length <= longestText;
  if (!isText || (fileId !== null && typeof fileId !== 'string')) throw new BadRequest();
  return { text: text.trim(), fileId };
}
