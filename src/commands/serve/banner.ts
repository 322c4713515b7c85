// What the terminal shows when the service is ready: its URLs, where data is stored, how to stop it.
import type { Config } from '../../config/config.ts';
import type { Piece } from '../../kernel/text/terminal-style.ts';
import { channels } from '../../messages/channel.ts';
import { namePlaces } from '../name-places.ts';
import { serviceVersion } from '../service-version.ts';
import type { MetricsState } from './listen.ts';

export function writeBanner(config: Config, readyMilliseconds: number, metrics: MetricsState): string {
  const { mode, publicUrl, listen } = config;
  const isLocal = mode === 'local';
  const hasInbox = channels.some((channel) => config.isInbox[channel]);
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
  const lines = [
    `Gatehouse ${serviceVersion} · ${isLocal ? 'local mode' : 'production'} · node ${process.versions.node} · ready in ${readyMilliseconds} ms`,
    '',
    ...rows.map(([name = '', url = '']) => `${name.padEnd(15)}${url}`),
    '',
    namePlaces(config),
    ...(channels.every((channel) => config.isInbox[channel])
      ? [`Nothing leaves this machine: messages go to the inbox${isLocal ? ', with one line each below' : ''}.`]
      : []),
    ...(config.captcha.scheme === 'open' ? ['Any captcha-token is accepted.'] : []),
    ...(isBehindProxy(config) ? [proxyHint] : []),
    ...config.warnings.map((warning) => `Warning: ${warning}`),
    'Press Ctrl+C to stop.',
  ];
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`;
}

/** The colours of a terminal: the first line is bold, addresses and warnings stand out. */
export function styleBanner(banner: string): Piece[] {
  return banner.split(/^(?=.)/m).flatMap((line, index): Piece[] => {
    if (index === 1) return [{ text: line, style: 'bold' }];
    if (line.startsWith('  Warning: ')) return [{ text: line, style: 'yellow' }];
    return line.split(/(https?:\/\/\S+)/).map((text, at) => (at % 2 === 0 ? text : { text, style: 'cyan' }));
  });
}

/** Names the address only if this service has it. */
function writeMetrics({ host, metricsPort }: Config['listen'], state: MetricsState): string {
  return state === 'served'
    ? `http://${host}:${metricsPort}/metrics`
    : `not served: port ${metricsPort} belongs to another program. Set METRICS_PORT to a free port, or to off`;
}

const proxyHint =
  'Warning: TRUSTED_PROXIES is empty. Behind a proxy all callers have its address and share its limits; run gatehouse doctor.';

/** The service itself speaks plain HTTP: if its public URL is https, a proxy is in front of it. */
function isBehindProxy({ mode, publicUrl, trustedProxies }: Config): boolean {
  return mode === 'production' && publicUrl.startsWith('https:') && trustedProxies.length === 0;
}
