// The command `users find`: people by number, the end of one, address or id.
import { readPersonQuery } from '../support/user-directory.ts';
import type { Verb } from './desk.ts';
import { readLimit } from './read-options.ts';
import { reveals, userData, userHead, userRow } from './show-user.ts';
import { writeTable } from './write-text.ts';

export const usersFind: Verb = async (desk, [who = ''], options) => {
  const query = readPersonQuery(who, readLimit(options.limit, 20));
  const counter = await desk.open();
  const found = await counter.persons.findPersons(query);
  const ids = found.map(({ id }) => id);
  const reveal = await reveals(desk, options, counter, ids);
  const rows = found.map((person) => userRow(person, reveal));
  desk.show(
    { users: found.map((person) => userData(person, reveal)) },
    rows.length === 0 ? '' : writeTable(userHead, rows),
  );
  if (rows.length > 0) return 0;
  desk.say('Nobody found.');
  return 1;
};
