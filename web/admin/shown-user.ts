// A person as the admin interface shows them.
import type { Calls } from './api-types.ts';

export type ShownUser = Calls['adminShowUser']['data'];
