// The user as the admin interface returns it.
import type { Calls } from './api-types.ts';

export type ShownUser = Calls['adminShowUser']['data'];
