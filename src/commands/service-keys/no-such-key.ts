// Says what an unknown or revoked service key means to an operator.
import { Failure } from '../../kernel/failure.ts';
import { CommandError } from '../command-error.ts';

export function noSuchKey(error: unknown): never {
  if (error instanceof Failure && error.code === 'NOT_FOUND')
    throw new CommandError(
      'No key has this id, or the key was revoked before. To list the keys: gatehouse service-keys list',
    );
  throw error;
}
