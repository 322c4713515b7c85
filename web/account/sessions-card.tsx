// Lists where the account is signed in, and signs out single, other or all devices.
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import type { SignOutScope } from '../../client/src/auth-calls.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { Icon, type IconPath, phoneIcon } from '../parts/icon.tsx';
import { appIcon, laptopIcon, signOutIcon } from '../parts/icons.ts';
import { LoadNotice } from '../parts/load-notice.tsx';
import { nameDevice } from '../parts/name-device.ts';
import { fill } from '../parts/page-data.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { useLoading } from '../parts/use-loading.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';
import { leaveAfter } from './leave.ts';

type Session = Calls['listSessions']['data']['sessions'][number];

export function SessionsCard({ isUploading }: { readonly isUploading: boolean }) {
  const [sessions, setSessions] = useState<readonly Session[] | undefined>();
  /** The user is asked first: an upload would be lost. */
  const [asked, setAsked] = useState<SignOutScope | undefined>();
  const loading = useLoading(async () => setSessions(await gatehouse.sessions.list()), texts.offline);
  useEffect(loading.load, []);
  const task = useTask(texts.offline);
  /** The ID of a session, or what the button ends. */
  const [acted, setActed] = useState('');
  const act = (button: string, work: () => Promise<void>) => {
    if (!task.isBusy) setActed(button);
    task.run(work);
  };
  const isBusy = (button: string) => task.isBusy && acted === button;
  const end = (id: string) =>
    act(id, async () => {
      await gatehouse.sessions.end(id);
      loading.load();
    });
  const endOthers = () =>
    act('others', async () => {
      await gatehouse.signOut('others');
      loading.load();
    });
  const leave = (scope: SignOutScope) => act(scope, () => leaveAfter(() => gatehouse.signOut(scope)));
  const ask = (scope: SignOutScope) => (isUploading ? setAsked(scope) : leave(scope));
  return (
    <section class="card sessions" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      {sessions === undefined && loading.error === undefined && <Skeleton shape="lines" count={1} />}
      <ul>
        {sessions?.map((session) => (
          <li key={session.id}>
            <Device session={session} />
            {session.current ? (
              <Button icon={signOutIcon} isBusy={isBusy('local')} onClick={() => ask('local')}>
                {texts.signOut}
              </Button>
            ) : (
              <Button
                aria-label={`${texts.endSession}: ${nameSession(session)}`}
                isBusy={isBusy(session.id)}
                onClick={() => end(session.id)}
              >
                {texts.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <LoadNotice of={loading} />
      <Notice kind="bad">{task.message}</Notice>
      <div class="row">
        {sessions !== undefined && sessions.length > 1 && (
          <Button isBusy={isBusy('others')} onClick={endOthers}>
            {texts.endOthers}
          </Button>
        )}
        <Button isBusy={isBusy('global')} onClick={() => ask('global')}>
          {texts.endAll}
        </Button>
      </div>
      {asked !== undefined && (
        <Confirm
          question={texts.uploadsRunning}
          explanation={texts.uploadsRunningLead}
          yes={texts.signOutAnyway}
          no={texts.cancel}
          task={task}
          onYes={() => leave(asked)}
          onNo={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}

/** Tells the buttons of a list apart. */
function nameSession({ userAgent, app }: Session): string {
  const device = nameDevice(userAgent, texts.program) ?? texts.unknownDevice;
  return app === null ? device : `${device}, ${app.name}`;
}

function Device({ session }: { readonly session: Session }) {
  const { userAgent, app, current, lastUsedAt } = session;
  return (
    <div class="device">
      <Icon of={iconOf(userAgent)} />
      <div>
        <p class="device-name">
          {nameDevice(userAgent, texts.program) ?? texts.unknownDevice}
          {app !== null && (
            <span class="badge app-badge">
              <bdi>{app.name}</bdi>
            </span>
          )}
          {current && <span class="badge">{texts.thisDevice}</span>}
        </p>
        <p class="quiet-text">{fill(texts.lastUsed, { time: formatTime(lastUsedAt) })}</p>
      </div>
    </div>
  );
}

function iconOf(userAgent: string | null): IconPath {
  const isPhone = /\biPhone\b|\bAndroid\b/.test(userAgent ?? '');
  const isBrowser = /^Mozilla\//.test(userAgent ?? '');
  return isPhone ? phoneIcon : isBrowser ? laptopIcon : appIcon;
}
