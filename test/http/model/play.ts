// Takes a step in the service and in the model, and compares what they answer and which messages they send.
import assert from 'node:assert/strict';
import { newAddress } from '../../helpers/people/users.ts';
import { newPhone } from '../../helpers/requests/api.ts';
import type { Letter, QuickService } from '../../helpers/services/quick-service.ts';
import { createWorld, type Expected, type Outcome } from './identity.ts';
import { dueUsers, takeEffect } from './phones.ts';
import { type Play, prepare, type Request } from './requests.ts';
import { emailCount, phoneCount, type Step } from './steps.ts';

/** Users, numbers and addresses that nobody has used before. */
export function startPlay(service: QuickService, given: Set<string>): Play {
  return {
    service,
    given,
    world: createWorld(service.clock.now),
    phones: Array.from({ length: phoneCount }, newPhone),
    emails: Array.from({ length: emailCount }, newAddress),
  };
}

/** Throws if the service and the model differ. Returns false if the step does not apply. */
export async function take(play: Play, step: Step): Promise<boolean> {
  const { service } = play;
  // No two events at one instant, so that "least recently used" is never a tie.
  await pass(play, 1);
  if (step.act === 'wait') await pass(play, step.milliseconds);
  else if (step.act === 'restart') await service.restart();
  else {
    const prepared = prepare(play, step);
    if (prepared === undefined) return false;
    await compare(play, step.act, ...prepared);
  }
  return true;
}

/** Changes of numbers that are due take effect. */
async function pass({ service, world, given }: Play, milliseconds: number): Promise<void> {
  service.pass(milliseconds);
  if (dueUsers(world).length === 0) return;
  const expected = takeEffect(world);
  await service.applyChanges();
  deliver(await service.takeLetters(), expected);
  given.add('a change of a number takes effect: 200');
}

async function compare({ service, given }: Play, act: string, request: Request, outcome: Outcome): Promise<void> {
  const { method, path, headers = {}, body } = request;
  const said = await service.call(method, path, headers, body);
  assert.equal(said.verdict, outcome.verdict, `${act}: the answer`);
  given.add(`${act}: ${said.verdict}`);
  outcome.accept?.(said);
  deliver(await service.takeLetters(), outcome.messages ?? []);
}

/** Gives every message to the model. There must be neither more nor fewer than it expects. */
function deliver(letters: readonly Letter[], expected: readonly Expected[]): void {
  const read = letters.map(open);
  const listed = (all: readonly { to: string; kind: string }[]) => all.map(({ to, kind }) => `${kind} to ${to}`).sort();
  assert.deepEqual(listed(read), listed(expected), 'the messages');
  for (const { to, kind, arrive } of expected) {
    const at = read.findIndex((letter) => letter.to === to && letter.kind === kind);
    const [found] = read.splice(at, 1);
    arrive(found?.secret ?? '');
  }
}

function open({ to, text, subject = '' }: Letter): { to: string; kind: Expected['kind']; secret: string } {
  const notice = /\/not-me#([\w-]{32})(?![\w-])/.exec(text)?.[1];
  if (notice !== undefined) return { to, kind: 'notice', secret: notice };
  const link = /#([\w-]{43})$/m.exec(text)?.[1];
  if (link !== undefined) return { to, kind: 'link', secret: link };
  const code = /#(\d{6})$/.exec(text)?.[1] ?? /^(\d{6}) /.exec(subject)?.[1];
  return { to, kind: 'code', secret: code ?? assert.fail(`an unknown message: ${subject} ${text}`) };
}
