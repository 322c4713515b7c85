// Every route of the admin interface with every role of staff: each is open from the role that this file lists for it.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { allLines } from '../../../../scripts/site/all-lines.ts';
import { newId } from '../../../../src/kernel/crypto/random.ts';
import { type StaffRole, staffRoles } from '../../../../src/support/staff/staff-role.ts';
import { type AdminReply, askAdmin, enterStaff, issueTo } from '../../../helpers/people/staff.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';

/** Listed here again, by the path: a line that loses its role, or gets a lower one, fails. */
const leastRoles: Readonly<Record<string, StaffRole>> = {
  'GET /session': 'viewer',
  'DELETE /session': 'viewer',
  'GET /overview': 'viewer',
  'POST /users/search': 'viewer',
  'GET /users/:id': 'viewer',
  'GET /users/:id/timeline': 'viewer',
  'GET /users/:id/files': 'viewer',
  'GET /users/:id/messages': 'viewer',
  'POST /recipients/search': 'viewer',
  'GET /spend': 'viewer',
  'GET /apps': 'viewer',
  'GET /service-keys': 'viewer',
  'GET /audit': 'viewer',
  'POST /users/:id/reveal': 'support',
  'POST /users/:id/block': 'support',
  'POST /users/:id/unblock': 'support',
  'POST /users/:id/sign-out': 'support',
  'POST /users/:id/phone-change': 'support',
  'DELETE /users/:id/phone-change': 'support',
  'POST /users/:id/email/remove': 'support',
  'POST /users/:id/limits/clear': 'support',
  'POST /users/:id/sessions/:session/end': 'support',
  'POST /users/:id/messages/:message/resend': 'support',
  'POST /recipients/clear': 'support',
  'POST /users/:id/export': 'owner',
  'POST /users/:id/delete': 'owner',
  'POST /users/:id/files/:file/delete': 'owner',
  'POST /spend/lift': 'owner',
  'POST /service-keys': 'owner',
  'POST /service-keys/:id/rotate': 'owner',
  'POST /service-keys/:id/revoke': 'owner',
};

/** Every route refuses this query after its guards and before it does anything. Whoever is told so was let in. */
const probe = '?probe=%00';

const lines = allLines()
  .filter(({ guards }) => guards.includes('admin'))
  .map(({ method, path, ...line }) => ({ call: `${method} ${path.slice('/api/admin'.length)}`, ...line }));

for (const kind of tierStoreKinds)
  describe(`the roles of staff on ${kind}`, () => {
    const stage = setStage(kind);
    const cookies = new Map<StaffRole, string>();
    before(async () => {
      for (const role of staffRoles) {
        const { token } = await issueTo(stage.service, stage.clock, role, 3600, role);
        const { cookie, reply } = await enterStaff(stage.url, token);
        assert.equal(reply.data.role, role);
        cookies.set(role, cookie);
      }
    });

    const ask = (call: string, role: StaffRole, hasBody: boolean): Promise<AdminReply> =>
      askAdmin(stage.url, `${call.replaceAll(/:\w+/g, newId())}${probe}`, {
        cookie: cookies.get(role) ?? '',
        ...(hasBody && { body: {} }),
      });

    it('this file lists every route that needs staff', () => {
      assert.deepEqual(lines.map(({ call }) => call).toSorted(), Object.keys(leastRoles).toSorted());
    });

    for (const { call, route } of lines) {
      const least = leastRoles[call] ?? 'owner';
      it(`${call} is open from the role ${least} on, and names it to a lower one`, async () => {
        for (const [at, role] of staffRoles.entries()) {
          const { outcome, text } = await ask(call, role, route.body !== undefined);
          const isOpen = at >= staffRoles.indexOf(least);
          assert.equal(outcome, isOpen ? '400 REQUEST_INVALID' : '403 STAFF_ROLE_REQUIRED', role);
          if (!isOpen) assert.match(JSON.parse(text).message, new RegExp(`the role “${least}”`));
        }
      });
    }

    it('the OpenAPI document names the least role of every route', async () => {
      type Paths = Record<string, Record<string, { description?: string }>>;
      const { paths } = (await (await fetch(`${stage.url}/openapi.json`)).json()) as { paths: Paths };
      for (const [call, role] of Object.entries(leastRoles)) {
        const [method = '', path = ''] = call.split(' ');
        const shown = paths[`/api/admin${path.replaceAll(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
        assert.match(shown?.description ?? '', new RegExp(`Least role: ${role}\\.$`), call);
      }
    });

    it('a viewer cannot find out a masked number digit by digit', async () => {
      const search = async (role: StaffRole, who: string) =>
        (await askAdmin(stage.url, 'POST /users/search', { cookie: cookies.get(role) ?? '', body: { who } })).outcome;
      for (const who of ['0123', '01-23', '+12025550123']) assert.equal(await search('viewer', who), '200', who);
      for (const who of ['50123', '5 01.23', '2025550123', '0000000000000012025550123'])
        assert.equal(await search('viewer', who), '403 STAFF_ROLE_REQUIRED', who);
      for (const role of ['support', 'owner'] as const) assert.equal(await search(role, '2025550123'), '200', role);
    });

    it('a refused call changes nothing and leaves no audit event', async () => {
      const cookie = cookies.get('viewer') ?? '';
      const body = { name: 'shop', scopes: ['users:read'], days: 30, reason: 'a test' };
      assert.equal(
        (await askAdmin(stage.url, 'POST /service-keys', { cookie, body })).outcome,
        '403 STAFF_ROLE_REQUIRED',
      );
      assert.deepEqual((await askAdmin(stage.url, 'GET /service-keys', { cookie })).data.keys, []);
      const { events } = (await askAdmin(stage.url, 'GET /audit', { cookie })).data;
      assert.ok(events.every((event: { kind: string }) => event.kind.startsWith('admin.')));
    });
  });
