// Sends a request that may carry the bytes of a file: by XMLHttpRequest, which reports progress, or by fetch.
import { type GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import type { Answer } from './read-answer.ts';
import type { WireOptions } from './wire.ts';

export type Transfer = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Blob | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (sentBytes: number) => void;
};

export type Send = (wire: WireOptions, transfer: Transfer) => Promise<Answer>;

/** A replaced fetch is used for uploads too. */
export function sendBy(mayUseXhr: boolean): Send {
  return mayUseXhr && typeof XMLHttpRequest === 'function' ? sendByXhr : sendByFetch;
}

/** Whether `onProgress` is called while bytes are on their way. */
export function seesProgress(send: Send): boolean {
  return send === sendByXhr;
}

function sendByXhr({ isCookie }: WireOptions, transfer: Transfer): Promise<Answer> {
  const { method, url, headers, body, signal, onProgress } = transfer;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted());
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open(method, url);
    request.withCredentials = isCookie;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      const header = (name: string) => request.getResponseHeader(name);
      resolve({ status: request.status, header, text: request.responseText });
    };
    request.onerror = () => reject(toGatehouseError(undefined));
    request.onabort = () => reject(aborted());
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop);
    request.send(body);
  });
}

async function sendByFetch({ fetch, isCookie }: WireOptions, transfer: Transfer): Promise<Answer> {
  const { method, url, headers, body, signal, onProgress } = transfer;
  onProgress(0);
  try {
    const credentials = isCookie ? 'include' : 'omit';
    const response = await fetch(url, {
      method,
      headers,
      credentials,
      ...(body && { body }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    onProgress(body?.size ?? 0);
    return { status: response.status, header: (name) => response.headers.get(name), text };
  } catch (error) {
    throw toGatehouseError(error, signal?.aborted);
  }
}

function aborted(): GatehouseError {
  return toGatehouseError(undefined, true);
}
