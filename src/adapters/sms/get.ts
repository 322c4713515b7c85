// Sends one GET to an SMS provider to read the account. It sends no message.
import { parseObject, readChunks, reasonOf, toText } from './post.ts';

type Got = { readonly body: Readonly<Record<string, unknown>> } | { readonly isGood: false; readonly cause: string };

export async function get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Got> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    });
    const chunks: Uint8Array[] = [];
    await readChunks(response, chunks);
    if (response.status === 200) return { body: parseObject(toText(chunks)) ?? {} };
    const isRefused = response.status === 401 || response.status === 403 || response.status === 404;
    return { isGood: false, cause: isRefused ? 'the credentials are refused' : `HTTP ${response.status}` };
  } catch (error) {
    return { isGood: false, cause: reasonOf(error) };
  }
}
