// The checks of the doctor that need only the settings: their problems, the proxy, https and cookies.
import type { Config, ConfigResult } from '../../config/config.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';

/** `files`: those that the settings were read from, besides the environment. */
export function examineSettings(result: ConfigResult, files: readonly string[]): Finding[] {
  if ('problems' in result)
    return result.problems.map(({ name, trouble, cure }) => bad('settings', `${name} ${trouble}`, cure));
  const { mode, publicUrl, warnings } = result.config;
  const words = mode === 'local' ? 'local mode' : 'production';
  return [
    good('settings', `can be read${files.length > 0 ? ` (${files.join(', ')})` : ''}; ${words} at ${publicUrl}`),
    ...warnings.map((warning) => doubtful('settings', warning, 'see docs/settings.md')),
  ];
}

/** The service itself speaks plain HTTP: if its public URL is https, a proxy is in front of it. */
export function examineProxy({ mode, publicUrl, trustedProxies }: Config): Finding {
  const isBehind = mode === 'production' && publicUrl.startsWith('https:');
  const wide = trustedProxies.find((network) => isWide(network));
  if (isBehind && trustedProxies.length === 0)
    return bad(
      'proxy',
      'PUBLIC_URL is https, so there is a proxy in front, but TRUSTED_PROXIES is empty: all callers have its address and share its limits',
      'set TRUSTED_PROXIES to the address that the proxy connects from, for example 127.0.0.1, and make it send X-Forwarded-For',
    );
  if (wide !== undefined)
    return doubtful(
      'proxy',
      `TRUSTED_PROXIES trusts ${wide}, a large part of the internet: callers from there can choose their own address`,
      'name only the addresses of the proxies',
    );
  if (trustedProxies.length === 0) return good('proxy', 'none is expected; forwarded addresses are ignored');
  return good('proxy', `forwarded addresses are accepted from ${trustedProxies.join(', ')}`);
}

export function examineHttps({ mode, publicUrl, loginLinkUrl, corsOrigins }: Config): Finding[] {
  if (mode === 'local') return [good('https', 'not needed on this machine; cookies are sent without Secure')];
  const isOpen = publicUrl.startsWith('http:');
  const openLink = loginLinkUrl.startsWith('http:') && !loginLinkUrl.startsWith(`${publicUrl}/`);
  const openOrigins = corsOrigins.filter((origin) => origin.startsWith('http:'));
  const findings = [
    ...(isOpen
      ? [
          bad(
            'https',
            'PUBLIC_URL is http: codes and tokens can be read in transit, and cookies are sent without Secure',
            'put a proxy with a certificate in front (deploy/ has examples) and set PUBLIC_URL to https://…',
          ),
        ]
      : []),
    ...(openLink
      ? [bad('https', 'LOGIN_LINK_URL is http: sign-in links can be read in transit', 'set it to https://…')]
      : []),
    ...(openOrigins.length > 0
      ? [
          doubtful(
            'https',
            `CORS_ORIGINS names ${openOrigins.join(', ')}: a page that was changed in transit may call with credentials`,
            'use only https origins',
          ),
        ]
      : []),
  ];
  return findings.length > 0 ? findings : [good('https', 'PUBLIC_URL is https; cookies are Secure')];
}

function isWide(network: string): boolean {
  const [address = '', bits] = network.split('/');
  return bits !== undefined && Number(bits) < (address.includes(':') ? 16 : 8);
}
