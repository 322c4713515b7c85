// A client of uploads in several requests whose connections are cut at random bytes, and that forgets what it has not heard.
import { createHash } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type CutTarget = { readonly url: string; readonly token: string };

type CutPlan = {
  readonly content: Buffer;
  readonly key: string;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Requests that are cut before the client lets the others through. */
  readonly mostCuts: number;
  /** Stops for good after the cuts, as an owner who never comes back. */
  readonly isAbandoned?: boolean;
  /** Ends the attempts with its reason: a service that stays away is not waited for. */
  readonly signal: AbortSignal;
};

type CutResult = { readonly fileId: string | undefined; readonly cuts: number; readonly requests: number };

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

/** At most, after a cut of its own, and after an answer that the service could not give: it may be starting again. */
const pauseMilliseconds = { cut: 60, refused: 200 };

/** Until the file is stored. An answer that a client must not repeat is an error. */
export async function uploadWithCuts(target: CutTarget, plan: CutPlan): Promise<CutResult> {
  const { content, random, mostCuts } = plan;
  let [place, cuts, requests] = [undefined as string | undefined, 0, 0];
  for (;;) {
    plan.signal.throwIfAborted();
    if (plan.isAbandoned === true && cuts >= mostCuts) return { fileId: undefined, cuts, requests };
    const isCut = cuts < mostCuts && random() < 0.6;
    const step = place === undefined ? creation(target, plan) : await continuation(target, plan, place);
    requests += 1;
    if (step === undefined) {
      await sleep(pauseMilliseconds.refused * random());
      continue;
    }
    if ('fileId' in step) return { ...step, cuts, requests };
    if (step.isGone) {
      place = undefined;
      continue;
    }
    const answer = await send(step, isCut ? Math.floor(random() * (step.body.length + 2)) : undefined);
    if (answer === undefined) {
      cuts += isCut ? 1 : 0;
      await sleep((isCut ? pauseMilliseconds.cut : pauseMilliseconds.refused) * random());
      continue;
    }
    // The client may die before it has remembered where the upload is. Its key finds it again.
    if (answer.status === 201 && place === undefined && random() < 0.8) place = placeOf(answer);
    const fileId = fileIn(answer, content);
    if (fileId !== undefined) return { fileId, cuts, requests };
    refuseFinal(answer);
    if (answer.status === 409 && place === undefined) place = placeOf(answer);
    if (answer.status >= 400) await sleep(pauseMilliseconds.refused * random());
  }
}

type Message = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isGone?: false;
};
type Gone = { readonly isGone: true };
type Found = { readonly fileId: string; readonly isGone?: false };

function creation({ url, token }: CutTarget, { content, key, random }: CutPlan): Message {
  const sent = random() < 0.5 ? 0 : random() < 0.5 ? content.length : Math.floor(random() * content.length);
  return {
    method: 'POST',
    url: `${url}/api/file/upload?purpose=document&name=cut.txt`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'text/plain',
      'idempotency-key': key,
      'upload-length': String(content.length),
      'upload-complete': sent === content.length ? '?1' : '?0',
    },
    body: content.subarray(0, sent),
  };
}

/** Undefined if the service did not say where the upload goes on. */
async function continuation(
  { url, token }: CutTarget,
  { content, random }: CutPlan,
  place: string,
): Promise<Message | Gone | Found | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const state = await send({ method: 'GET', url: `${url}${place}`, headers, body: Buffer.alloc(0) }, undefined);
  if (state === undefined || state.status >= 500 || state.status === 409) return undefined;
  if (state.status === 404 || state.status === 410) return { isGone: true };
  if (state.status !== 200) throw new Error(`the state of an upload answered ${state.status}: ${state.text}`);
  const { data } = JSON.parse(state.text) as { data: { file: { id: string; sha256: string } | null } };
  if (data.file !== null) return { fileId: checked(data.file, content) };
  const offset = Number(state.headers['upload-offset']);
  const end = random() < 0.5 ? content.length : offset + Math.ceil(random() * (content.length - offset));
  return {
    method: 'PATCH',
    url: `${url}${place}`,
    headers: {
      ...headers,
      'content-type': 'application/partial-upload',
      'upload-offset': String(offset),
      'upload-complete': end >= content.length ? '?1' : '?0',
    },
    body: content.subarray(offset, end),
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Undefined if the connection ended without an answer. With `cutAt`, the client ends it after that many bytes of the body. */
function send({ method, url, headers, body }: Message, cutAt: number | undefined): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const lengths = method === 'GET' ? {} : { 'content-length': String(body.length) };
    const sent = request(url, { method, agent, headers: { ...headers, ...lengths } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.once('error', () => resolve(undefined));
      response.once('end', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.once('close', () => resolve(undefined));
    });
    sent.once('error', () => resolve(undefined));
    sent.setTimeout(60_000, () => sent.destroy());
    if (cutAt === undefined) return void sent.end(body);
    if (cutAt < body.length) {
      sent.write(body.subarray(0, cutAt), () => setImmediate(() => sent.destroy()));
      return;
    }
    // All bytes are sent, and the answer is lost.
    sent.end(body, () => setImmediate(() => sent.destroy()));
  });
}

function placeOf({ headers, text }: Answer): string | undefined {
  const location = headers.location ?? '';
  if (location.includes('/api/file/upload/upl_')) return new URL(location, 'http://localhost').pathname;
  return text.includes('"upl_') ? `/api/file/upload/${/upl_[\w-]{22}/.exec(text)?.[0]}` : undefined;
}

function fileIn({ status, headers, text }: Answer, content: Buffer): string | undefined {
  if (status !== 201 || headers['upload-complete'] !== '?1') return undefined;
  return checked((JSON.parse(text) as { data: { id: string; sha256: string } }).data, content);
}

function checked({ id, sha256 }: { id: string; sha256: string }, content: Buffer): string {
  if (sha256 !== createHash('sha256').update(content).digest('hex')) throw new Error(`${id} has other bytes`);
  return id;
}

/** 404 and 410 begin again, 409 asks for the state, 5xx are passing. Everything else would be the fault of the service. */
function refuseFinal({ status, text }: Answer): void {
  if (status < 400 || status >= 500 || [404, 409, 410].includes(status)) return;
  throw new Error(`an upload was refused with ${status}: ${text}`);
}
