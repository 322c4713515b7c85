// What the terminal shows when the service is up: where everything is, where data lives, how to stop.
import { nameStorage } from '../app/choose-blobs.ts';
import type { Config } from '../config/config.ts';
import type { MetricsState } from './listen.ts';

export const serviceVersion = '0.0.2';

export function writeBanner(config: Config, readyMilliseconds: number, metrics: MetricsState): string {
  const { mode, publicUrl, dataDir, databaseUrl, storage, listen } = config;
  const isLocal = mode === 'local';
  const hasInbox = config.sms.isInbox || config.mail.isInbox;
  const rows = [
    ['Sign in', `${publicUrl}/`],
    ['Account', `${publicUrl}/account`],
    ...(hasInbox ? [['Inbox', `${publicUrl}/inbox`]] : []),
    ['API reference', `${publicUrl}/docs`],
    ['Error codes', `${publicUrl}/docs/errors`],
    ['OpenAPI', `${publicUrl}/openapi.json`],
    ['Health', `${publicUrl}/readyz`],
    ...(metrics === 'off' ? [] : [['Metrics', writeMetrics(listen, metrics)]]),
  ];
  const data = databaseUrl === undefined ? `SQLite in ${dataDir}` : 'PostgreSQL';
  const files = storage === undefined ? `disk in ${dataDir}` : nameStorage(config).title;
  const lines = [
    `Gatehouse ${serviceVersion} · ${isLocal ? 'local mode' : 'production'} · node ${process.versions.node} · ready in ${readyMilliseconds} ms`,
    '',
    ...rows.map(([name = '', url = '']) => `${name.padEnd(15)}${url}`),
    '',
    `Database: ${data} · files: ${files}`,
    ...(config.sms.isInbox && config.mail.isInbox
      ? [`Nothing leaves this machine: messages land in the inbox${isLocal ? ', and one line each below' : ''}.`]
      : []),
    ...(config.captcha.scheme === 'open' ? ['Any captcha-token passes.'] : []),
    ...(isBehindProxy(config) ? [proxyHint] : []),
    ...config.warnings.map((warning) => `Warning: ${warning}`),
    'Ctrl+C stops.',
  ];
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`;
}

/** The address only where it is ours. */
function writeMetrics({ host, metricsPort }: Config['listen'], state: MetricsState): string {
  return state === 'served'
    ? `http://${host}:${metricsPort}/metrics`
    : `not served: port ${metricsPort} belongs to another program. Set METRICS_PORT to a free one, or off`;
}

const proxyHint =
  'Warning: TRUSTED_PROXIES is empty. Behind a proxy everybody has its address, and shares its limits; gatehouse doctor says more.';

/** The service itself speaks plain HTTP: where people come by https, something stands in front. */
function isBehindProxy({ mode, publicUrl, trustedProxies }: Config): boolean {
  return mode === 'production' && publicUrl.startsWith('https:') && trustedProxies.length === 0;
}
