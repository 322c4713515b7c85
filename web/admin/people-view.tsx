// People: whoever came last, or whom a search finds.
import { useState } from 'preact/hooks';
import { fill } from '../parts/facts.ts';
import { Button, Field } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card, Rows } from './list-parts.tsx';
import { useList } from './use-list.ts';

type Person = Calls['adminFindPeople']['data']['people'][number];

/** Kept for whoever comes back from a person. */
let lastSearch = '';

export function PeopleView() {
  const [text, setText] = useState(lastSearch);
  const [who, setWho] = useState(lastSearch);
  const list = useList<Person>(who, async (cursor) => {
    const body = { who, ...(cursor !== undefined && { cursor }) };
    const { people, next } = await call('adminFindPeople', { body });
    return { items: people, next };
  });
  const search = (event: Event) => {
    event.preventDefault();
    lastSearch = text.trim();
    if (lastSearch === who) list.reload();
    setWho(lastSearch);
  };
  return (
    <>
      <h1>{texts.users}</h1>
      <form class="card search" onSubmit={search}>
        <Field label={texts.who}>
          {({ id }) => (
            <input
              id={id}
              type="search"
              autocomplete="off"
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" isBusy={list.task.isBusy}>
          {texts.search}
        </Button>
      </form>
      <Card id="found" title={who === '' ? texts.newest : texts.found}>
        <Rows list={list} empty={texts.noUsers}>
          {(person) => (
            <li key={person.id}>
              <a class="grow" href={`#people/${person.id}`}>
                {person.phone}
                {person.email !== null && ` · ${person.email}`}
              </a>
              {person.blockedAt !== null && (
                <span class="tag bad">{fill(texts.blocked, { time: formatTime(person.blockedAt) })}</span>
              )}
              <span class="quiet-text">{formatTime(person.createdAt)}</span>
            </li>
          )}
        </Rows>
      </Card>
    </>
  );
}
