// The maximum size of the body of an upload, and the error for a larger one.
import type { Failure } from '../../kernel/failure.ts';

export type BodyBound = { readonly bytes: number; readonly refusal: Failure };
