// The timeline of a user: codes, messages, sign-ins, and what staff did.
import { clockIcon } from '../parts/icons.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { EventRow } from './event-row.tsx';
import { Card, Rows } from './list-parts.tsx';
import { useList } from './use-list.ts';

type Entry = Calls['adminTimeline']['data']['entries'][number];

export function TimelineCard({ id, version }: { readonly id: string; readonly version: number }) {
  const list = useList<Entry>(`${id} ${version}`, async (cursor) => {
    const { entries, next } = await call('adminTimeline', { at: { id }, cursor });
    return { items: entries, next };
  });
  return (
    <Card id="timeline" title={texts.timeline}>
      <Rows list={list} icon={clockIcon} empty={texts.nothing}>
        {(entry, index) => <EventRow key={index} event={entry} />}
      </Rows>
    </Card>
  );
}
