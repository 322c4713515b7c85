// Use case: one person by their id, whole number or address, for those who run the service.
import { Failure } from '../kernel/failure.ts';
import { type Person, type PersonStore, readPersonQuery } from './user-directory.ts';

/** The end of a number may be somebody else's too: to act on someone it is not enough. */
export async function findPerson({ persons }: { readonly persons: PersonStore }, who: string): Promise<Person> {
  const query = readPersonQuery(who, 1);
  if (query.by === 'phone end' || query.by === 'nothing') throw new Failure('REQUEST_INVALID', { field: 'who' });
  const [person] = await persons.findPersons(query);
  if (person === undefined) throw new Failure('NOT_FOUND');
  return person;
}
