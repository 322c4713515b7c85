// The two who upload and read files: a user with an access token, and the back end with a service key. Both get the same answers.

import type { Clock } from '../../../src/kernel/clock.ts';
import type { Service } from '../../../src/service/service.ts';
import { upload } from '../requests/upload.ts';
import { textFile } from '../uploads/sample-files.ts';
import { createServiceKey } from './service-keys.ts';
import { enter, userIdOf } from './users.ts';

type FileCaller = {
  readonly token: string;
  /** The user on whose behalf the caller acts. */
  readonly userId?: string;
  contentPath(id: string): string;
};

type Served = { readonly url: string; readonly service: Service; readonly clock?: Clock };

export const fileCallers: Readonly<Record<'a user' | 'the back end', (service: Served) => Promise<FileCaller>>> = {
  'a user': async ({ url }) => ({
    token: (await enter(url)).JWT,
    contentPath: (id) => `/file/${id}`,
  }),
  'the back end': async (service) => {
    const { JWT } = await enter(service.url);
    return {
      token: await createServiceKey(service),
      userId: await userIdOf(service.url, JWT),
      contentPath: (id) => `/api/service/files/${id}/content`,
    };
  },
};

export async function uploadAs(url: string, { token, userId }: FileCaller) {
  const who = userId === undefined ? { token } : { token, userId };
  const { status, body } = await upload(url, { ...who, purpose: 'document', type: 'text/csv', bytes: textFile });
  return { status, codeError: body.codeError, id: body.data?.id as string };
}
