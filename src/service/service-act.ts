// An act of the back end of an app, as the audit log keeps it: which key, and why if the app says so.
import type { ServiceAct } from '../kernel/audit.ts';
import { cleanReason } from '../support/staff/admin.ts';
import type { ServiceCaller } from './service-key.ts';

export function serviceAct({ keyId }: ServiceCaller, reason = ''): ServiceAct {
  return { actor: 'service', key: keyId, why: cleanReason(reason) };
}
