// The claims of sessions against a model: whatever happened before, a token gets the claims that were stored last.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { SessionDraft } from '../../../../../src/auth/sessions/session.ts';
import type { UserDataChange } from '../../../../../src/backend/user-data.ts';
import type { UserId } from '../../../../../src/kernel/ids.ts';
import { rounds, seed } from '../../../../helpers/faults/rounds.ts';
import { asPhone } from '../../../../helpers/people/ids.ts';
import { newPhone, signIn } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { createProofInputs, later } from '../../../proof-inputs.ts';

const step = fc.oneof(
  fc.record({ act: fc.constant('store' as const), claims: fc.constantFrom(null, '{"plan":"pro"}', '{"roles":["a"]}') }),
  fc.record({ act: fc.constantFrom('refresh' as const, 'prove' as const), session: fc.nat(2), user: fc.nat(1) }),
  fc.record({ act: fc.constantFrom('sign in' as const, 'refresh again' as const), user: fc.nat(1) }),
);

type Held = { readonly session: SessionDraft; counter: number };

type Person = { readonly phone: string; readonly userId: UserId; readonly held: Held[]; claims: string };

onEveryStore('the claims of sessions', (open) => {
  const { sent, rotationOf, prove } = createProofInputs(open);

  it('a sign-in, a refresh, a repeated refresh and a proof return the claims that were stored last, of their own user', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const { ports } = open();
      const people = await Promise.all(
        [newPhone(), newPhone()].map(async (phone): Promise<Person> => {
          const { userId, session } = await signIn(ports, phone, later);
          return { phone, userId, held: [{ session, counter: 0 }], claims: '{}' };
        }),
      );
      const [first, second] = people;
      assert.ok(first !== undefined && second !== undefined);
      for (const one of steps) {
        if (one.act === 'store') {
          const by = { actor: 'service', key: 'key', why: '' } as const;
          const change: UserDataChange = { userId: first.userId, patch: { claims: one.claims }, by, now: later };
          assert.equal((await ports.backendUsers.change(change)).kind, 'changed');
          first.claims = one.claims ?? '{}';
          continue;
        }
        const person: Person = one.user === 0 ? first : second;
        const at = 'session' in one ? one.session % person.held.length : 0;
        const held = person.held[at] ?? assert.fail();
        if (one.act === 'sign in') {
          const { session, ...outcome } = await signIn(ports, asPhone(person.phone), later);
          if (person.held.length < 3) person.held.push({ session, counter: 0 });
          assert.equal(JSON.stringify(outcome.claims), person.claims);
          continue;
        }
        const rotation = rotationOf(held.session, held.counter);
        const outcome =
          one.act === 'prove'
            ? await prove({
                userId: person.userId,
                candidates: [await sent('sms', person.phone, person.userId)],
                rotation,
                ip: '192.0.2.1',
              })
            : await ports.sessions.rotate(rotation);
        assert.ok(outcome.kind === 'renewed', outcome.kind);
        held.counter = outcome.counter;
        assert.equal(JSON.stringify(outcome.claims), person.claims);
        if (one.act !== 'refresh again') continue;
        const again = await ports.sessions.rotate(rotation);
        assert.equal(JSON.stringify(again.kind === 'renewed' && again.claims), person.claims);
      }
    });
    await fc.assert(property, { seed, numRuns: rounds(20) });
  });
});
