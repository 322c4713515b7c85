// The owner of files, as the commit of an act sees them: a user may be blocked or deleted after the guards have let a request through.
import type { Act } from '../kernel/audit.ts';
import { Failure } from '../kernel/failure.ts';

export type OwnerState = 'free' | 'blocked' | 'gone';

export type OwnerRefusal = Exclude<OwnerState, 'free'>;

/** A block stops the user, not the back end that acts on behalf of the user. */
export function refuseOwner(owner: OwnerState, by: Act | undefined): OwnerRefusal | undefined {
  if (owner === 'free' || (owner === 'blocked' && by !== undefined)) return undefined;
  return owner;
}

/** As the guards would answer. The back end named a user who does not exist. */
export function ownerFailure(refusal: OwnerRefusal, by?: Act): Failure {
  if (refusal === 'blocked') return new Failure('USER_BLOCKED');
  return by === undefined ? new Failure('SESSION_REVOKED') : new Failure('NOT_FOUND', { user: 'unnamed' });
}
