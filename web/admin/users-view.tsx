// The list of users: the newest ones, or the results of a search.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Field } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { searchIcon, userIcon } from '../parts/icons.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card, Rows } from './list-parts.tsx';
import { useList } from './use-list.ts';

type UserRecord = Calls['adminFindUsers']['data']['users'][number];

/** Kept for staff who return from a user to the list. */
let lastSearch = '';

export function UsersView() {
  const [text, setText] = useState(lastSearch);
  const [who, setWho] = useState(lastSearch);
  const list = useList<UserRecord>(who, async (cursor) => {
    const body = { who, ...(cursor !== undefined && { cursor }) };
    const { users, next } = await call('adminFindUsers', { body });
    return { items: users, next };
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
        <Button type="submit" kind="primary" icon={searchIcon} isBusy={list.task.isBusy}>
          {texts.search}
        </Button>
      </form>
      <Card id="found" title={who === '' ? texts.newest : texts.found}>
        <Rows list={list} icon={userIcon} empty={texts.noUsers}>
          {(user) => (
            <li key={user.id}>
              <a class="grow" href={`#users/${user.id}`}>
                {[user.phone, user.email]
                  .filter((text) => text !== null)
                  .map((text, index) => (
                    <Fragment key={text}>
                      {index > 0 && ' · '}
                      <bdi dir="ltr">{text}</bdi>
                    </Fragment>
                  ))}
              </a>
              {user.blockedAt !== null && (
                <span class="tag bad">{fill(texts.blocked, { time: formatTime(user.blockedAt) })}</span>
              )}
              <span class="quiet-text">{formatTime(user.createdAt)}</span>
            </li>
          )}
        </Rows>
      </Card>
    </>
  );
}
