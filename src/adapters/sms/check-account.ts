// Asks a provider of SMS for our account, or looks whether the operator's own endpoint can be reached; sends nothing.
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ProviderUrl } from '../../kernel/provider-url.ts';
import type { ProviderAnswer, ProviderCheck } from '../../messages/provider-check.ts';
import { originOf, parseObject, reasonOf } from './post.ts';

export function createTwilioCheck(url: ProviderUrl): ProviderCheck {
  const account = `${originOf(url, 'api.twilio.com')}/2010-04-01/Accounts/${encodeURIComponent(url.id)}.json`;
  const authorization = `Basic ${Buffer.from(`${url.id}:${url.secret}`).toString('base64')}`;
  return {
    name: 'twilio',
    ask: async (signal) => {
      const answer = await get(account, { authorization }, signal);
      if ('cause' in answer) return answer;
      const { status } = answer.body;
      if (typeof status !== 'string' || status === 'active') return { isGood: true, detail: 'the account answers' };
      return { isGood: false, cause: `the account is ${status}` };
    },
  };
}

export function createVonageCheck(url: ProviderUrl): ProviderCheck {
  const query = new URLSearchParams({ api_key: url.id, api_secret: url.secret });
  const balance = `${originOf(url, 'rest.nexmo.com')}/account/get-balance?${query}`;
  return {
    name: 'vonage',
    ask: async (signal) => {
      const answer = await get(balance, {}, signal);
      if ('cause' in answer) return answer;
      const { value } = answer.body;
      if (typeof value !== 'number') return { isGood: true, detail: 'the account answers' };
      if (value <= 0) return { isGood: false, cause: 'the account has no credit' };
      return { isGood: true, detail: `the account has a credit of ${value.toFixed(2)}` };
    },
  };
}

/** Only the line is tried: a request might be taken for a message. */
export function createWebhookCheck({ scheme, host }: ProviderUrl): ProviderCheck {
  const isSecure = scheme.endsWith('https');
  const { hostname, port } = new URL(`${isSecure ? 'https' : 'http'}://${host}`);
  const name = hostname.replace(/^\[|\]$/g, '');
  const place = { host: name, port: port === '' ? (isSecure ? 443 : 80) : Number(port) };
  return {
    name: 'webhook',
    ask: (signal) =>
      new Promise((resolve) => {
        const socket = isSecure ? connectSecurely({ ...place, servername: name }) : connect(place);
        const end = (answer: ProviderAnswer) => {
          socket.destroy();
          resolve(answer);
        };
        socket.once(isSecure ? 'secureConnect' : 'connect', () => end({ isGood: true, detail: 'can be reached' }));
        socket.once('error', (error) => end({ isGood: false, cause: reasonOf(new Error('', { cause: error })) }));
        signal.addEventListener('abort', () => end({ isGood: false, cause: 'time-out' }), { once: true });
      }),
  };
}

type Got = { readonly body: Readonly<Record<string, unknown>> } | { readonly isGood: false; readonly cause: string };

async function get(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Got> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    });
    const text = await response.text();
    if (response.status === 200) return { body: parseObject(text) ?? {} };
    const isRefused = response.status === 401 || response.status === 403 || response.status === 404;
    return { isGood: false, cause: isRefused ? 'the credentials are refused' : `HTTP ${response.status}` };
  } catch (error) {
    return { isGood: false, cause: reasonOf(error) };
  }
}
