// Callers that upload files: films and texts, as a raw body, as a form, resumable, and in two requests.
import { readFileSync } from 'node:fs';
import { expectAnswer } from '../peers/peer.ts';
import { type Caller, drive, request } from './drive.ts';
import { callInTwo } from './part-caller.ts';
import { host } from './sign-in-callers.ts';

/** What is sent, as which type, and for which purpose. */
export type Upload = { readonly content: Buffer; readonly type: string; readonly purpose: string };

const film = readFileSync(new URL('../../media/test/fixtures/files/ffmpeg-faststart.mp4', import.meta.url));

/** A video, padded to the given size with a box that players skip. */
export function filmOf(bytes: number): Upload {
  const box = Buffer.alloc(bytes - film.length, 1);
  box.writeUInt32BE(box.length);
  box.write('free', 4, 'latin1');
  return { content: Buffer.concat([film, box]), type: 'video/mp4', purpose: 'video' };
}

/** Letters of one, two and three bytes. */
export const mixedLine = 'Grüße aus Wien, 42 €\tund ein <b>Wort</b>.\n';
export const asciiLine = '2026-03-01,4711,"Words as they are",1.5\n';

/** Text of the given size that repeats the line. */
export function textOf(bytes: number, line: string): Upload {
  const lines = Buffer.from(line.repeat(bytes / Buffer.byteLength(line)));
  const content = Buffer.concat([lines, Buffer.alloc(bytes - lines.length, ' ')]);
  return { content, type: 'text/plain', purpose: 'document' };
}

/** As a raw body. */
export function uploadCaller(token: string, upload: Upload, more: Readonly<Record<string, string>> = {}): Caller {
  const whole = uploadRequest(token, upload, more);
  return { ask: () => whole, check: expectUploaded };
}

/** The whole file in one request that can be resumed. */
export function resumableCaller(token: string, upload: Upload): Caller {
  return uploadCaller(token, upload, { 'upload-complete': '?1' });
}

/** As a browser sends a form. */
export function formCaller(token: string, { content, type, purpose }: Upload, check = expectUploaded): Caller {
  const boundary = '----formBoundary7MA4YWxkTrZu0gW';
  const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(opening), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const whole = uploadRequest(token, { content: body, type: `multipart/form-data; boundary=${boundary}`, purpose });
  return { ask: () => whole, check };
}

export function partCaller(token: string, { content, type, purpose }: Upload): Caller {
  const authorization = `Bearer ${token}`;
  return callInTwo(content, {
    create: (half, whole) =>
      request(`POST /api/file/upload?purpose=${purpose}`, host, {
        authorization,
        'content-type': type,
        'content-length': String(half),
        'upload-length': String(whole),
        'upload-complete': '?0',
      }),
    append: (path, offset, rest) =>
      request(`PATCH ${path}`, host, {
        authorization,
        'content-type': 'application/partial-upload',
        'content-length': String(rest),
        'upload-offset': String(offset),
        'upload-complete': '?1',
      }),
    place: /^location: (\/api\/file\/upload\/\S+)/im,
    checkLast: expectUploaded,
  });
}

/** Returns the id of the file. */
export async function uploadOne(port: number, token: string, upload: Upload): Promise<string> {
  let id = '';
  let next: Buffer | undefined = uploadRequest(token, upload);
  const caller: Caller = {
    ask: () => {
      const asked = next;
      next = undefined;
      return asked;
    },
    check: (status, body) => {
      expectAnswer(status, body, 201, '"id"');
      id = (JSON.parse(body.toString()) as { data: { id: string } }).data.id;
    },
  };
  await drive({ host, port, callers: [caller], seconds: 60 });
  return id;
}

function expectUploaded(status: number, body: Buffer): void {
  expectAnswer(status, body, 201, '"sha256"');
}

function uploadRequest(
  token: string,
  { content, type, purpose }: Upload,
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const head = request(`POST /api/file/upload?purpose=${purpose}`, host, {
    authorization: `Bearer ${token}`,
    'content-type': type,
    'content-length': String(content.length),
    ...more,
  });
  return Buffer.concat([Buffer.from(head), content]);
}
