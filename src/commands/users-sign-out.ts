// The command `users sign-out`: ends every session of a person, who may sign in again.
import { actOnPerson } from '../support/act-on-user.ts';
import { findPerson } from '../support/find-one-user.ts';
import type { Verb } from './desk.ts';

export const usersSignOut: Verb = async (desk, [who = '']) => {
  const by = desk.act();
  const counter = await desk.open();
  const person = await findPerson(counter, who);
  const { endedSessions } = await actOnPerson(counter, { userId: person.id, act: 'sign out', by });
  desk.show({ id: person.id, endedSessions }, `${person.id} is signed out; sessions ended: ${endedSessions}.`);
  return 0;
};
