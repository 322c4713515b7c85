// The counters of limits as those who run the service need them: read one, forget some.
import type { AuditDetail } from '../kernel/audit.ts';
import type { Hits } from './limits.ts';

export type LimitClearing = { readonly ids: readonly string[]; readonly detail: AuditDetail; readonly now: number };

export type LimitStore = {
  read(id: string): Promise<Hits>;
  /** Forgets what these counters remember; how many remembered something. */
  clear(clearing: LimitClearing): Promise<number>;
};
