// Converts a mail URL into the options of nodemailer's connection pool.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { SMTPPoolOptions } from 'nodemailer';
import { isElsewhere } from '../../kernel/net/loopback.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';

/** Mail servers limit the connections of one client. */
export const mostConnections = 32;

export type SmtpWaits = {
  /** Also covers the greeting and the TLS handshake. */
  readonly connectionMilliseconds: number;
  readonly greetingMilliseconds: number;
  readonly socketMilliseconds: number;
};

export const usualWaits: SmtpWaits = {
  connectionMilliseconds: 3000,
  greetingMilliseconds: 3000,
  socketMilliseconds: 8000,
};

type PoolOptions = SMTPPoolOptions & { readonly pool: true };

export function poolOptions(url: ProviderUrl, ownHost: string, waits: SmtpWaits): PoolOptions {
  return {
    ...placeOptions(url),
    ...(url.id === '' ? {} : { auth: { user: url.id, pass: url.secret } }),
    ...(isIP(ownHost) === 0 ? { name: ownHost } : {}),
    ...dkimOptions(url),
    // One for each mail on its way: with fewer, mails that hang at the server keep others waiting for a connection.
    maxConnections: mostConnections,
    // One more attempt, in case the server has closed an idle connection.
    maxRequeues: 1,
    // An idle connection sends QUIT before the socket time-out closes it.
    idleTimeout: waits.socketMilliseconds / 2,
    connectionTimeout: waits.connectionMilliseconds,
    greetingTimeout: waits.greetingMilliseconds,
    socketTimeout: waits.socketMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
    pool: true,
  };
}

function placeOptions({ scheme, host, query }: ProviderUrl): SMTPPoolOptions {
  const { hostname, port } = new URL(`smtp://${host}`);
  const isSecure = scheme === 'smtps';
  const isOff = query.tls === 'off';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // An attacker on the network can hide that a server offers TLS. So there is no fallback for another machine.
    requireTLS: !isSecure && !isOff && (query.tls === 'require' || isElsewhere(host)),
    ignoreTLS: isOff,
  };
}

function dkimOptions({ query }: ProviderUrl): Pick<SMTPPoolOptions, 'dkim'> {
  const { dkim_domain: domainName, dkim_selector: keySelector, dkim_key_file: keyFile } = query;
  if (domainName === undefined && keySelector === undefined && keyFile === undefined) return {};
  if (!domainName || !keySelector || !keyFile)
    throw new Error('dkim_domain, dkim_selector and dkim_key_file go together');
  return { dkim: { domainName, keySelector, privateKey: readFileSync(keyFile, 'utf8') } };
}
