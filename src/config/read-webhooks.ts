// Reads the endpoints that receive webhook events, and the keys that sign the events.
import { sha256 } from '../kernel/crypto/digest.ts';
import type { EnvReader } from './env-reader.ts';

export type WebhookConfig = {
  readonly webhooks: {
    readonly endpoints: readonly { readonly id: string; readonly url: string }[];
    /** Every event carries one signature per secret. */
    readonly secrets: readonly string[];
  };
};

const secretCure = 'write whsec_ and the base64 of 24 to 64 random bytes: echo "whsec_$(openssl rand -base64 32)"';

export function readWebhooks(reader: EnvReader): WebhookConfig {
  const urls = reader.parsed<readonly string[]>(
    'WEBHOOK_URL',
    [],
    parseUrls,
    'write https://app.example.com/hooks, without user and password; separate several URLs with spaces',
  );
  const secrets = reader.parsed<readonly string[]>('WEBHOOK_SECRET', [], parseSecrets, secretCure);
  const isMissing = urls.length > 0 && reader.text('WEBHOOK_SECRET') === undefined;
  if (isMissing && !reader.hasProblem('WEBHOOK_SECRET', 'WEBHOOK_SECRET_FILE'))
    reader.report('WEBHOOK_SECRET', 'is required with WEBHOOK_URL', secretCure);
  const endpoints = [...new Set(urls)].map((url) => ({ id: sha256(url).slice(0, 8), url }));
  return { webhooks: { endpoints, secrets } };
}

/** Refuses a user and password: proxies may log the URL. The app checks the signature instead. */
function parseUrls(text: string): string[] | undefined {
  const urls = text.split(/\s+/).map((word) => (URL.canParse(word) ? new URL(word) : undefined));
  const areFit = urls.every(
    (url) => url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '',
  );
  return areFit ? urls.flatMap((url) => (url === undefined ? [] : [url.href])) : undefined;
}

function parseSecrets(text: string): string[] | undefined {
  const secrets = text.split(/\s+/);
  return secrets.every(isSigningKey) ? secrets : undefined;
}

function isSigningKey(secret: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return base64 !== undefined && base64.length % 4 === 0 && bytes.length >= 24 && bytes.length <= 64;
}
