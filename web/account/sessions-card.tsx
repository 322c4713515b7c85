// Lists where the account is signed in, and signs out single, other or all devices.
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { nameDevice } from '../parts/name-device.ts';
import { fill } from '../parts/page-data.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';

type Session = Calls['listSessions']['data']['sessions'][number];

export function SessionsCard() {
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  const task = useTask(texts.offline);
  const load = async () => setSessions(await gatehouse.sessions.list());
  useEffect(() => task.run(load), []);
  const end = (id: string) =>
    task.run(async () => {
      await gatehouse.sessions.end(id);
      await load();
    });
  const endOthers = () =>
    task.run(async () => {
      await gatehouse.signOut('others');
      await load();
    });
  return (
    <section class="card sessions" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <Device session={session} />
            {session.current ? (
              <Button onClick={() => task.run(() => gatehouse.signOut('local'))}>{texts.signOut}</Button>
            ) : (
              <Button aria-label={`${texts.endSession}: ${nameSession(session)}`} onClick={() => end(session.id)}>
                {texts.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Notice kind="bad">{task.message}</Notice>
      <div class="row">
        {sessions.length > 1 && <Button onClick={endOthers}>{texts.endOthers}</Button>}
        <Button onClick={() => task.run(() => gatehouse.signOut('global'))}>{texts.endAll}</Button>
      </div>
    </section>
  );
}

/** Tells the buttons of a list apart. */
function nameSession({ userAgent, app }: Session): string {
  const device = nameDevice(userAgent) ?? texts.unknownDevice;
  return app === null ? device : `${device}, ${app.name}`;
}

function Device({ session }: { readonly session: Session }) {
  return (
    <div>
      <p>
        {nameDevice(session.userAgent) ?? texts.unknownDevice}
        {session.app !== null && (
          <span class="badge">
            <bdi>{session.app.name}</bdi>
          </span>
        )}
        {session.current && <span class="badge">{texts.thisDevice}</span>}
      </p>
      <p class="quiet-text">{fill(texts.lastUsed, { time: formatTime(session.lastUsedAt) })}</p>
    </div>
  );
}
