// Reads where the service listens, its public URL, and which proxies it trusts to report client IP addresses.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../kernel/net/loopback.ts';
import type { EnvReader } from './env-reader.ts';
import { parseDuration } from './units.ts';

export type AddressConfig = {
  /** Local if PUBLIC_URL is a loopback address. */
  readonly mode: 'local' | 'production';
  readonly listen: { host: string; port: number; metricsPort: number | undefined; workers: number };
  /** How long a stop waits for requests in progress. */
  readonly stopWaitSeconds: number;
  /** An origin, without a trailing slash. */
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Empty if service keys are accepted from everywhere. */
  readonly serviceFrom: readonly string[];
  /** Empty if the admin page answers everywhere. */
  readonly adminFrom: readonly string[];
  readonly loginLinkUrl: string;
};

const longestStopWaitSeconds = 3600;
const writeNetworks = 'write IP addresses or networks, for example 10.0.0.0/8,::1';

export function readAddress(reader: EnvReader): AddressConfig {
  const port = reader.count('PORT', 8080, 1, 65_535);
  const host = reader.parsed('HOST', '127.0.0.1', parseHost, 'write an IP address or a host name, for example 0.0.0.0');
  const publicUrl = reader.parsed(
    'PUBLIC_URL',
    `http://localhost:${port}`,
    parseOrigin,
    'write scheme and host without a path, for example https://id.example.com',
  );
  const metricsPort = readMetricsPort(reader, port);
  const workers = reader.count('WORKERS', 1, 1, 64);
  return {
    mode: isLoopback(new URL(publicUrl).hostname) ? 'local' : 'production',
    listen: { host, port, metricsPort, workers },
    stopWaitSeconds: reader.parsed(
      'STOP_WAIT',
      30,
      parseStopWait,
      'write a number and a unit (s, m, h), from 1s to 1h, for example 30s',
    ),
    publicUrl,
    trustedProxies: readList(reader, 'TRUSTED_PROXIES', writeNetworks, parseNetwork),
    serviceFrom: readList(reader, 'SERVICE_FROM', writeNetworks, parseNetwork),
    adminFrom: readList(reader, 'ADMIN_FROM', writeNetworks, parseNetwork),
    corsOrigins: readList(
      reader,
      'CORS_ORIGINS',
      'write exact origins, for example https://app.example.com',
      parseOrigin,
    ),
    loginLinkUrl: reader.parsed(
      'LOGIN_LINK_URL',
      `${publicUrl}/login/link`,
      (text) => (URL.canParse(text) && !text.includes('#') && !/^(javascript|data):/i.test(text) ? text : undefined),
      'write an absolute URL without a fragment, for example https://app.example.com/login',
    ),
  };
}

function parseStopWait(text: string): number | undefined {
  const seconds = parseDuration(text);
  return seconds !== undefined && seconds <= longestStopWaitSeconds ? seconds : undefined;
}

function readMetricsPort(reader: EnvReader, port: number): number | undefined {
  const metricsPort = reader.parsed(
    'METRICS_PORT',
    9464,
    (text) => (text === 'off' ? 0 : parsePort(text)),
    'write a number from 1 to 65535, or off',
  );
  if (metricsPort === port) reader.report('METRICS_PORT', 'is the same as PORT', 'write another port, or off');
  return metricsPort === 0 ? undefined : metricsPort;
}

function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text) ? text : undefined;
}

function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, pathname, origin } = new URL(text);
  const isBare = pathname === '/' && !/[?#*]/.test(text) && username === '' && password === '';
  return isBare && (protocol === 'http:' || protocol === 'https:') ? origin : undefined;
}

function parseNetwork(text: string): string | undefined {
  const [address = '', bits] = text.split('/');
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.parse(address);
  // A mapped network such as ::ffff:10.0.0.0/8 would trust half the internet, so only plain forms are accepted.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return undefined;
  if (bits === undefined) return text;
  return ipaddr.isValidCIDR(text) && Number(bits) > 0 ? text : undefined;
}

function readList(
  reader: EnvReader,
  name: 'TRUSTED_PROXIES' | 'CORS_ORIGINS' | 'SERVICE_FROM' | 'ADMIN_FROM',
  cure: string,
  parse: (entry: string) => string | undefined,
): string[] {
  return reader.parsed<string[]>(
    name,
    [],
    (text) => {
      const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
      const values = entries.map(parse).filter((entry) => entry !== undefined);
      // A list without entries is a mistake, such as variables that were lost: it must not open what the list was to close.
      return entries.length > 0 && values.length === entries.length ? values : undefined;
    },
    cure,
  );
}
