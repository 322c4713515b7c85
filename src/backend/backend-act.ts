// An act of the back end of an app, as the audit log keeps it: which key, and why if the app says so.
import { type BackendAct, cleanReason } from '../kernel/audit.ts';
import type { BackendCaller } from './service-key.ts';

export function backendAct({ keyId }: BackendCaller, reason = ''): BackendAct {
  return { actor: 'service', key: keyId, why: cleanReason(reason) };
}
