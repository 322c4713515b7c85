// What the terminal shows when the service is up: where everything is, where data lives, how to stop.
import type { Config } from '../config/config.ts';

export const serviceVersion = '0.0.2';

export function writeBanner(config: Config, readyMilliseconds: number): string {
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
    ...(listen.metricsPort === undefined ? [] : [['Metrics', `http://${listen.host}:${listen.metricsPort}/metrics`]]),
  ];
  const data = databaseUrl === undefined ? `SQLite in ${dataDir}` : 'PostgreSQL';
  const files = storage === undefined ? `disk in ${dataDir}` : 'S3';
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
    ...config.warnings.map((warning) => `Warning: ${warning}`),
    'Ctrl+C stops.',
  ];
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`;
}
