// /api/admin/service-keys: staff lists, creates, rotates and revokes the keys of app servers. A new key is in one answer only.
import { createServiceKey, rotateServiceKey } from '../../../backend/create-service-key.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { revokeServiceKey } from '../../../backend/revoke-service-key.ts';
import {
  backendScopes,
  longestKeyName,
  longestLifeDays,
  mostLiveKeys,
  type ServiceKey,
  serviceKeyStates,
  stateOfKey,
} from '../../../backend/service-key.ts';
import { actOf } from '../../../support/staff/admin.ts';
import { defineRoute } from '../../interface/route.ts';
import { integer, list, nullable, object, oneOf, text } from '../../interface/schema.ts';
import { isoTime } from '../fields.ts';
import { reasonBody, reasonField } from './present.ts';

type Deps = Pick<BackendDeps, 'serviceKeys' | 'clock'>;

const day = 86_400_000;

const keyFields = {
  id: text(),
  name: text(),
  scopes: list(oneOf(backendScopes)),
  state: oneOf(serviceKeyStates),
  createdBy: text({ description: 'The name of the member of staff, or “cli”' }),
  createdAt: isoTime,
  endsAt: isoTime,
  lastUsedAt: nullable(isoTime),
};

const newKey = object({ ...keyFields, key: text({ description: 'The key; it cannot be shown again' }) });

const daysField = integer({ minimum: 1, maximum: longestLifeDays, description: 'Days until the key ends' });

const keyParams = object({ id: text({ description: 'Id of the key' }) });

export function adminServiceKeysRoute({ serviceKeys, clock }: Deps) {
  return defineRoute({
    summary: 'List the service keys',
    description: 'Those that end last come first. Ended and revoked keys are listed for 90 days.',
    success: 'ADMIN_VIEW',
    failures: [],
    data: object({ keys: list(object(keyFields)) }),
    handle: async () => {
      const keys = await serviceKeys.list(2 * mostLiveKeys);
      return { data: { keys: keys.map((key) => toRecord(key, clock.now())) } };
    },
  });
}

export function adminCreateServiceKeyRoute(deps: Deps) {
  return defineRoute({
    summary: 'Create a service key',
    success: 'ADMIN_ACTED',
    failures: ['SERVICE_KEYS_FULL'],
    body: object({
      name: text({ minLength: 1, maxLength: longestKeyName, description: 'What uses the key' }),
      scopes: list(oneOf(backendScopes), { description: 'What the key may do; at least one' }),
      days: daysField,
      reason: reasonField,
    }),
    data: newKey,
    handle: async ({ body: { name, scopes, days, reason }, admin }) => {
      const endsAt = deps.clock.now() + days * day;
      const { text: key, ...made } = await createServiceKey(deps, { name, scopes, endsAt, by: actOf(admin, reason) });
      return { data: { ...toRecord(made, made.createdAt), key } };
    },
  });
}

export function adminRotateServiceKeyRoute(deps: Deps) {
  return defineRoute({
    summary: 'Create a second service key with the name and scopes of another',
    description: 'The first one works until it ends or is revoked.',
    success: 'ADMIN_ACTED',
    failures: ['SERVICE_KEYS_FULL'],
    params: keyParams,
    body: object({ days: daysField, reason: reasonField }),
    data: newKey,
    handle: async ({ params: { id }, body: { days, reason }, admin }) => {
      const endsAt = deps.clock.now() + days * day;
      const { text: key, ...made } = await rotateServiceKey(deps, { id, endsAt, by: actOf(admin, reason) });
      return { data: { ...toRecord(made, made.createdAt), key } };
    },
  });
}

export function adminRevokeServiceKeyRoute(deps: Deps) {
  return defineRoute({
    summary: 'Revoke a service key',
    description: 'Within a second every node refuses it.',
    success: 'ADMIN_ACTED',
    failures: [],
    params: keyParams,
    body: reasonBody,
    handle: async ({ params: { id }, body: { reason }, admin }) => {
      await revokeServiceKey(deps, { id, by: actOf(admin, reason) });
      return { data: null };
    },
  });
}

function toRecord(key: ServiceKey, now: number) {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    state: stateOfKey(key, now),
    createdBy: key.createdBy,
    createdAt: new Date(key.createdAt).toISOString(),
    endsAt: new Date(key.endsAt).toISOString(),
    lastUsedAt: key.lastUsedAt === undefined ? null : new Date(key.lastUsedAt).toISOString(),
  };
}
