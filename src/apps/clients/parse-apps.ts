// Parses the text of APPS_FILE: all apps, or all problems, each with its app and its field.
import { asRecord } from '../../kernel/text/as-record.ts';
import { cleanLine, escapeControls } from '../../kernel/text/plain-text.ts';
import { type App, type AppScope, appScopes } from './app.ts';
import { parseLogo, type ReadLogo } from './app-logo.ts';
import { problemOfUri } from './app-uri.ts';
import { parseSecretHash, secretHashCure } from './secret-hash.ts';

export type ParsedApps = { readonly apps: readonly App[] } | { readonly problems: readonly string[] };

/** An app as its operator wrote it, before any check. */
export type RawApp = Readonly<Record<string, unknown>>;

const longestAppName = 60;
const mostApps = 1000;
const mostUris = 20;

/** What an app gets that lists no scopes. */
const usualScopes: readonly AppScope[] = ['openid', 'phone', 'email', 'offline_access'];

const fields = ['id', 'name', 'redirectUris', 'logoutUris', 'secretHash', 'scopes', 'firstParty', 'logo'];

export function parseApps(text: string, readLogo: ReadLogo): ParsedApps {
  const list = listApps(text);
  return 'problem' in list ? { problems: [list.problem] } : checkApps(list.entries, readLogo);
}

/** The apps of the file as they are written. An empty list is a list. */
export function listApps(text: string): { readonly entries: readonly unknown[] } | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'is empty: write [] for no apps' };
  // Bytes that are not UTF-8 became this character when the file was read. Users would see it in a name.
  if (text.includes('\uFFFD')) return { problem: 'is not UTF-8: save it as UTF-8' };
  let value: unknown;
  try {
    // Some editors on Windows begin a file with this mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return {
      problem: `is not JSON${placeOf(error)}: look for comments, single quotes, and commas too many or missing`,
    };
  }
  if (Array.isArray(value)) return { entries: value };
  const { apps, ...others } = asRecord(value);
  if (!Array.isArray(apps) || Object.keys(others).length > 0)
    return { problem: 'must be a list of apps, or {"apps": […]} and nothing else' };
  return { entries: apps };
}

/** Only the place: the message of the error may quote a secret that somebody wrote into the file. */
function placeOf(error: unknown): string {
  const [, line, column] = (error instanceof Error && /\(line (\d+) column (\d+)\)/.exec(error.message)) || [];
  return line === undefined ? '' : ` in line ${line}, column ${column}`;
}

export function checkApps(entries: readonly unknown[], readLogo: ReadLogo): ParsedApps {
  if (entries.length > mostApps) return { problems: [`must list at most ${mostApps} apps`] };
  const problems: string[] = [];
  const ids = new Set<string>();
  const apps = entries.flatMap((entry, index) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      problems.push(`app ${index + 1} is not an object`);
      return [];
    }
    const raw = asRecord(entry);
    const title = typeof raw.id === 'string' && isAppId(raw.id) ? `app ${raw.id}` : `app ${index + 1}`;
    const app = parseApp(raw, readLogo, (field, problem) => problems.push(`${title}: ${field} ${problem}`));
    if (ids.has(app.id)) problems.push(`${title}: id is used twice`);
    if (app.id !== '') ids.add(app.id);
    return [app];
  });
  return problems.length > 0 ? { problems } : { apps };
}

/** Reports a problem of a field. What the parser returns then is of no use. */
type Report = (field: string, problem: string) => void;

function parseApp(raw: RawApp, readLogo: ReadLogo, report: Report): App {
  for (const field of Object.keys(raw).filter((name) => !fields.includes(name)))
    report(quote(field), `is not a known field${hintOf(field)}`);
  const isPublic = raw.secretHash === undefined;
  if (raw.redirectUris === undefined || (Array.isArray(raw.redirectUris) && raw.redirectUris.length === 0))
    report('redirectUris', 'must list at least one address, such as https://app.example.com/callback');
  return {
    id: parseText(raw, 'id', isAppId, 'must have 1 to 64 characters of A-Z, a-z, 0-9, “.”, “_” and “-”', report),
    name: parseText(raw, 'name', isName, `must be plain text of 1 to ${longestAppName} characters`, report),
    redirectUris: parseUris(raw, 'redirectUris', isPublic, report),
    logoutUris: parseUris(raw, 'logoutUris', isPublic, report),
    secretHash: parseHash(raw.secretHash, report),
    scopes: parseScopes(raw.scopes, report),
    isFirstParty: parseFirstParty(raw.firstParty, report),
    logo: readOptionalLogo(raw.logo, readLogo, report),
  };
}

export function isAppId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

function isName(text: string): boolean {
  return text !== '' && cleanLine(text, longestAppName) === text;
}

/** Operators who know other services write these. */
function hintOf(field: string): string {
  if (/secret/i.test(field)) return ': store only the hash, as secretHash (gatehouse apps secret writes it)';
  const plain = field.toLowerCase().replaceAll(/[^a-z]/g, '');
  const others = { clientid: 'id', clientname: 'name', postlogoutredirecturis: 'logoutUris', scope: 'scopes' };
  const meant = fields.find((known) => known.toLowerCase() === plain || known.toLowerCase() === `${plain}s`);
  const word = meant ?? Object.entries(others).find(([other]) => other === plain)?.[1];
  return word === undefined ? '' : `: did you mean ${word}?`;
}

function parseText(raw: RawApp, field: string, isFit: (text: string) => boolean, cure: string, report: Report): string {
  const value = raw[field];
  if (typeof value === 'string' && isFit(value)) return value;
  report(field, cure);
  return '';
}

function parseUris(raw: RawApp, field: 'redirectUris' | 'logoutUris', isPublic: boolean, report: Report): string[] {
  const value = raw[field] === undefined ? [] : raw[field];
  if (!Array.isArray(value) || value.length > mostUris) {
    report(field, `must be a list of at most ${mostUris} addresses`);
    return [];
  }
  const uris = value.filter((uri): uri is string => typeof uri === 'string');
  if (uris.length < value.length) report(field, 'must contain addresses as text, and nothing else');
  if (new Set(uris).size < uris.length) report(field, 'must not list an address twice');
  for (const uri of new Set(uris)) {
    const problem = problemOfUri(uri, isPublic);
    if (problem !== undefined) report(field, `${quote(uri)} ${problem}`);
  }
  return uris;
}

/** Never shows the value: it may be the secret itself. */
function parseHash(value: unknown, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const hash = typeof value === 'string' ? parseSecretHash(value) : undefined;
  if (hash === undefined) report('secretHash', secretHashCure);
  return hash;
}

function parseScopes(value: unknown, report: Report): readonly AppScope[] {
  if (value === undefined) return usualScopes;
  const words: readonly unknown[] = Array.isArray(value) ? value : [];
  const scopes = appScopes.filter((scope) => words.includes(scope));
  const unknown = words.filter((word) => !scopes.some((scope) => scope === word));
  if (unknown.length > 0) report('scopes', `must contain only ${appScopes.join(', ')}`);
  // Without it, no sign-in of the app would ever work.
  else if (!scopes.includes('openid')) report('scopes', 'must be a list that contains openid');
  return scopes;
}

/** No default: an app of somebody else that counts as the operator's own would get codes without asking the user. */
function parseFirstParty(value: unknown, report: Report): boolean {
  if (value === undefined) report('firstParty', firstPartyCure);
  else if (typeof value !== 'boolean') report('firstParty', 'must be true or false');
  return value === true;
}

const firstPartyCure =
  'is missing: write "firstParty": true if the app is yours, or "firstParty": false if it is not: then users are asked for consent';

function readOptionalLogo(value: unknown, readLogo: ReadLogo, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const result = parseLogo(typeof value === 'string' ? value : '', readLogo);
  if ('logo' in result) return result.logo;
  report('logo', result.problem);
  return undefined;
}

function quote(text: string): string {
  return `“${escapeControls(text.length > 100 ? `${text.slice(0, 100)}…` : text)}”`;
}
