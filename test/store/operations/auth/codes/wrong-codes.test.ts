// A wrong code looks nobody up: the same statements run, on challenges and counters only, whoever has the number or the address.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PhoneChange } from '../../../../../src/auth/identity/phone-change.ts';
import type { Operation, Transaction } from '../../../../../src/store/engine/transaction.ts';
import { bindEmail } from '../../../../../src/store/operations/auth/identity/bindings.ts';
import { changePhone } from '../../../../../src/store/operations/auth/identity/phone-changes.ts';
import { signInWithPhone } from '../../../../../src/store/operations/auth/sign-in/sign-ins.ts';
import { asSessionId, asUserId } from '../../../../helpers/people/ids.ts';
import { attempt, binding, newEmail, newPhone, noon, phoneSignIn } from '../../../../helpers/store/fixtures.ts';

/** Runs an operation on a database without rows, and lists the tables of its statements. */
async function tablesOf<Input>({ run }: Operation<Input, unknown>, input: Input): Promise<Set<string>> {
  const texts: string[] = [];
  const transaction: Transaction = {
    dialect: 'sqlite',
    reads: false,
    endpoints: [],
    all: async (statement) => {
      texts.push(statement.on('sqlite').text);
      return [];
    },
    run: async (statement) => {
      texts.push(statement.on('sqlite').text);
    },
  };
  await run(transaction, [input]);
  const tables = texts.flatMap((text) => [...text.matchAll(/\b(?:from|into|update|join) ["]?([a-z_]+)["]?/g)]);
  return new Set(tables.map(([, table = '']) => table).filter((table) => table !== 'json_each'));
}

const counted = new Set(['challenges', 'limits', 'audit_events']);

describe('a wrong code', () => {
  const phone = newPhone();
  const email = newEmail();

  it('a wrong code of a sign-in reads neither users nor sessions, so unused, other and unknown accounts take the same time', async () => {
    assert.deepEqual(await tablesOf(signInWithPhone, phoneSignIn(attempt(phone, noon), phone, noon)), counted);
  });

  it('a wrong code for a new number reads neither users nor sessions, so free, taken and own numbers take the same time', async () => {
    const none = assert.fail;
    const change: PhoneChange = {
      attempt: attempt(phone, noon),
      userId: asUserId('user'),
      sessionId: asSessionId('session'),
      phone,
      country: undefined,
      waitSeconds: 60,
      language: 'en',
      notices: {
        get changed() {
          return none('no notice is sent');
        },
        get scheduled() {
          return none('no notice is sent');
        },
      },
      now: noon,
    };
    assert.deepEqual(await tablesOf(changePhone, change), counted);
  });

  it('a wrong code for an e-mail address reads no users', async () => {
    assert.deepEqual(await tablesOf(bindEmail, binding(attempt(email, noon), asUserId('user'), email, noon)), counted);
  });
});
