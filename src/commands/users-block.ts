// The command `users block`: every session ends at once, on every node within a second, and no sign-in works.
import { actOnPerson } from '../support/act-on-user.ts';
import { findPerson } from '../support/find-one-user.ts';
import type { Verb } from './desk.ts';

export const usersBlock: Verb = async (desk, [who = '']) => {
  const by = desk.act();
  const counter = await desk.open();
  const person = await findPerson(counter, who);
  const { endedSessions } = await actOnPerson(counter, { userId: person.id, act: 'block', by });
  desk.show({ id: person.id, endedSessions }, `${person.id} is blocked; sessions ended: ${endedSessions}.`);
  return 0;
};
