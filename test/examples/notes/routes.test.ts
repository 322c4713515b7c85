// The API of the example app: what a call writes at Gatehouse.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import type { Service, UserChange, VerifiedRequest } from '../../../client/src/service.ts';
import type { Notebook } from '../../../examples/notes/back-end/notebook.ts';
import { createRoutes } from '../../../examples/notes/back-end/routes.ts';

describe('the routes of the notebook', () => {
  it('a claim that was removed does not come back from an old token', async () => {
    const changes: UserChange[] = [];
    const users = {
      get: async () => ({ claims: { team: 'blue' } }),
      update: async (_id: string, change: UserChange) => void changes.push(change),
    };
    const routes = createRoutes({
      notebook: {} as Notebook,
      service: { users } as unknown as Service,
      nameOf: async () => 'Ann',
    });
    const user = { userId: 'u1', claims: { team: 'red', role: 'admin' } } as unknown as VerifiedRequest;
    await routes['POST /api/pro']?.({ request: {} as IncomingMessage, user, id: '' });
    assert.deepEqual(changes, [{ claims: { team: 'blue', plan: 'pro' } }]);
  });
});
