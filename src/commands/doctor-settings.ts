// What the doctor tells from the settings alone: their problems, the proxy in front, https and cookies.
import type { Config, ConfigResult } from '../config/config.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';

export function examineSettings(result: ConfigResult): Finding[] {
  if ('problems' in result)
    return result.problems.map(({ name, trouble, cure }) => bad('settings', `${name} ${trouble}`, cure));
  const { mode, publicUrl, warnings } = result.config;
  const words = mode === 'local' ? 'local mode' : 'production';
  return [
    good('settings', `can be read; ${words} at ${publicUrl}`),
    ...warnings.map((warning) => doubtful('settings', warning, 'see docs/settings.md')),
  ];
}

/** The service itself speaks plain HTTP: where people come by https, something stands in front. */
export function examineProxy({ mode, publicUrl, trustedProxies }: Config): Finding {
  const isBehind = mode === 'production' && publicUrl.startsWith('https:');
  const wide = trustedProxies.find((network) => isWide(network));
  if (isBehind && trustedProxies.length === 0)
    return bad(
      'proxy',
      'people come by https, so a proxy stands in front, but TRUSTED_PROXIES is empty: everybody has its address, and shares its limits',
      'set TRUSTED_PROXIES to the address that the proxy connects from, for example 127.0.0.1, and let it send X-Forwarded-For',
    );
  if (wide !== undefined)
    return doubtful(
      'proxy',
      `TRUSTED_PROXIES trusts ${wide}, a large part of the internet: whoever calls from there chooses their own address`,
      'name the addresses of the proxies alone',
    );
  if (trustedProxies.length === 0) return good('proxy', 'none is expected, and no forwarded address is believed');
  return good('proxy', `forwarded addresses are believed from ${trustedProxies.join(', ')}`);
}

export function examineHttps({ mode, publicUrl, loginLinkUrl, corsOrigins }: Config): Finding[] {
  if (mode === 'local') return [good('https', 'not needed on this machine; cookies go without Secure')];
  const isOpen = publicUrl.startsWith('http:');
  const openLink = loginLinkUrl.startsWith('http:') && !loginLinkUrl.startsWith(`${publicUrl}/`);
  const openOrigins = corsOrigins.filter((origin) => origin.startsWith('http:'));
  const findings = [
    ...(isOpen
      ? [
          bad(
            'https',
            'PUBLIC_URL is http: codes and tokens can be read on the way, and cookies go without Secure',
            'put a proxy with a certificate in front (deploy/ has examples) and set PUBLIC_URL to https://…',
          ),
        ]
      : []),
    ...(openLink
      ? [bad('https', 'LOGIN_LINK_URL is http: a login link can be read on the way', 'set it to https://…')]
      : []),
    ...(openOrigins.length > 0
      ? [
          doubtful(
            'https',
            `CORS_ORIGINS names ${openOrigins.join(', ')}: a page that was changed on the way may call with credentials`,
            'name origins with https alone',
          ),
        ]
      : []),
  ];
  return findings.length > 0 ? findings : [good('https', 'people come by https; cookies are Secure')];
}

function isWide(network: string): boolean {
  const [address = '', bits] = network.split('/');
  return bits !== undefined && Number(bits) < (address.includes(':') ? 16 : 8);
}
