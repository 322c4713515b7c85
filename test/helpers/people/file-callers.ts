// The two who upload and read files: a user with an access token, and the back end with a service key. Both get the same answers.
import type { App } from '../../../src/app/app.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { readEnvelope } from '../requests/api.ts';
import { textFile } from '../uploads/sample-files.ts';
import { userIdOf } from './service-files.ts';
import { createServiceKey } from './service-keys.ts';
import { enter } from './users.ts';

export type FileCaller = {
  readonly token: string;
  /** With the query of an upload. */
  readonly uploadPath: string;
  contentPath(id: string): string;
};

type Served = { readonly url: string; readonly app: App; readonly clock?: Clock };

export const fileCallers: Readonly<Record<'a user' | 'the back end', (service: Served) => Promise<FileCaller>>> = {
  'a user': async ({ url }) => ({
    token: (await enter(url)).JWT,
    uploadPath: '/api/file/upload?purpose=document',
    contentPath: (id) => `/file/${id}`,
  }),
  'the back end': async (service) => {
    const { JWT } = await enter(service.url);
    return {
      token: await createServiceKey(service),
      uploadPath: `/api/service/files?purpose=document&user=${await userIdOf(service.url, JWT)}`,
      contentPath: (id) => `/api/service/files/${id}/content`,
    };
  },
};

export async function uploadAs(url: string, { token, uploadPath }: FileCaller) {
  const response = await fetch(`${url}${uploadPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: new Uint8Array(textFile),
  });
  const { codeError, data } = readEnvelope(await response.text());
  return { status: response.status, codeError, id: data?.id as string };
}
