// Use case: create a service key, or one that replaces another. Its text is returned once and stored as a hash.
import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { cleanLine } from '../kernel/text/plain-text.ts';
import {
  type BackendScope,
  backendScopes,
  longestKeyName,
  longestLifeDays,
  makeServiceKey,
  mostLiveKeys,
  type ServiceKey,
  type ServiceKeyCreation,
  type ServiceKeyStore,
} from './service-key.ts';

type Deps = { readonly serviceKeys: ServiceKeyStore; readonly clock: Clock };

/** The key and, once, its text. */
export type CreatedServiceKey = ServiceKey & { readonly text: string };

type Wish = { readonly name: string; readonly scopes: readonly BackendScope[]; readonly endsAt: number };

export async function createServiceKey(
  { serviceKeys, clock }: Deps,
  { by, ...wish }: Wish & { readonly by: Act },
): Promise<CreatedServiceKey> {
  const now = clock.now();
  const name = cleanLine(wish.name, longestKeyName + 1);
  const [problem] = problemsOf({ ...wish, name }, now);
  if (problem !== undefined) throw new Failure('REQUEST_INVALID', { field: problem });
  // In the order of the list, each once.
  const scopes = backendScopes.filter((scope) => wish.scopes.includes(scope));
  const { text, ...made } = makeServiceKey();
  return { ...createdOf(await serviceKeys.create({ ...made, name, scopes, endsAt: wish.endsAt, by, now })), text };
}

export async function rotateServiceKey(
  { serviceKeys, clock }: Deps,
  { id: replaces, endsAt, by }: { readonly id: string; readonly endsAt: number; readonly by: Act },
): Promise<CreatedServiceKey> {
  const now = clock.now();
  if (!isEndAllowed(endsAt, now)) throw new Failure('REQUEST_INVALID', { field: 'endsAt' });
  const { text, ...made } = makeServiceKey();
  const created = await serviceKeys.rotate({ ...made, replaces, endsAt, by, now });
  if (created === undefined) throw new Failure('NOT_FOUND');
  return { ...createdOf(created), text };
}

export type KeyProblem = 'name' | 'scopes' | 'endsAt';

/** All that is wrong with the wish, for callers that report everything at once. */
export function problemsOf({ name, scopes, endsAt }: Wish, now: number): KeyProblem[] {
  const clean = cleanLine(name, longestKeyName + 1);
  const problems: KeyProblem[] = [];
  if (clean === '' || clean.length > longestKeyName) problems.push('name');
  if (scopes.length === 0) problems.push('scopes');
  if (!isEndAllowed(endsAt, now)) problems.push('endsAt');
  return problems;
}

/** A minute more than the year: a caller that adds a year to its own clock means it. */
function isEndAllowed(endsAt: number, now: number): boolean {
  return endsAt > now && endsAt <= now + longestLifeDays * 86_400_000 + 60_000;
}

function createdOf(created: ServiceKeyCreation): ServiceKey {
  if (created === 'full') throw new Failure('SERVICE_KEYS_FULL', { limit: String(mostLiveKeys) });
  return created;
}
