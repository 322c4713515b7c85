// The audit log: which staff member did what to which user, and why.
import { shieldIcon } from '../parts/icons.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { EventRow } from './event-row.tsx';
import { Card, Rows } from './list-parts.tsx';
import { useList } from './use-list.ts';

type Event = Calls['adminAudit']['data']['events'][number];

export function AuditView() {
  const list = useList<Event>('', async (cursor) => {
    const { events, next } = await call('adminAudit', { cursor });
    return { items: events, next };
  });
  return (
    <>
      <h1>{texts.audit}</h1>
      <Card id="acts" title={texts.auditTitle}>
        <Rows list={list} icon={shieldIcon} empty={texts.nothing}>
          {(event, index) => <EventRow key={index} event={event} />}
        </Rows>
      </Card>
    </>
  );
}
