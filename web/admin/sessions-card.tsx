// The sessions of a user. Staff can end each of them.

import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { laptopIcon } from '../parts/icons.ts';
import { nameDevice } from '../parts/name-device.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './admin-texts.ts';
import { call } from './call.ts';
import { Card } from './list-parts.tsx';
import type { ShownUser } from './shown-user.ts';
import { useActions } from './use-actions.tsx';

type Sessions = ShownUser['sessions'];

type Props = {
  readonly id: string;
  /** The user, as the page names them. */
  readonly name: string;
  readonly sessions: Sessions;
  /** The same sessions with full IP addresses, after staff have revealed them. */
  readonly revealed: Sessions | undefined;
  readonly onDone: () => void;
};

export function SessionsCard({ id, name, sessions, revealed = [], onDone }: Props) {
  const { button, dialog, notice } = useActions(onDone);
  return (
    <Card id="sessions" title={texts.sessions}>
      {notice}
      {sessions.length === 0 && <EmptyState icon={laptopIcon} title={texts.noSessions} />}
      <ul class="rows">
        {sessions.map((session) => {
          const device = nameDevice(session.userAgent, texts.program) ?? texts.unknownDevice;
          const address = revealed.find((one) => one.id === session.id)?.address ?? session.address;
          return (
            <li key={session.id}>
              <span class="grow">
                {device}
                {session.app !== null && (
                  <>
                    {' '}
                    <span class="tag">
                      <bdi>{session.app.name}</bdi>
                    </span>
                  </>
                )}
                {address !== null && (
                  <span class="quiet-text">
                    {' · '}
                    <bdi>{address}</bdi>
                  </span>
                )}
                <span class="quiet-text"> · {fill(texts.lastUsed, { time: formatTime(session.lastUsedAt) })}</span>
              </span>
              {button(
                {
                  label: texts.endSession,
                  title: fill(texts.endSessionTitle, { user: name, device }),
                  lead: texts.endSessionLead,
                  call: 'adminEndSession',
                  act: (reason) => call('adminEndSession', { at: { id, session: session.id }, body: { reason } }),
                },
                device,
              )}
            </li>
          );
        })}
      </ul>
      {dialog}
    </Card>
  );
}
