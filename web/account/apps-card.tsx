// Lists the apps that the user allowed to use the account, and removes their access. Shown only if there are some.
import { useEffect, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Button } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { LoadNotice } from '../parts/load-notice.tsx';
import { fill } from '../parts/page-data.ts';
import { useLoading } from '../parts/use-loading.ts';
import { useTask } from '../parts/use-task.ts';
import { texts } from './account-texts.ts';
import { gatehouse } from './gatehouse.ts';

type App = Calls['listAllowedApps']['data']['apps'][number];

export function AppsCard({ onRemoved }: { readonly onRemoved: () => void }) {
  const [apps, setApps] = useState<readonly App[]>([]);
  const [asked, setAsked] = useState<App | undefined>();
  const removal = useTask(texts.offline);
  const loading = useLoading(async () => setApps(await gatehouse.apps.list()), texts.offline);
  useEffect(loading.load, []);
  if (apps.length === 0 && loading.error === undefined) return null;
  const remove = ({ id }: App) =>
    removal.run(async () => {
      await gatehouse.apps.remove(id);
      setAsked(undefined);
      onRemoved();
      loading.load();
    });
  return (
    <section class="card sessions" aria-labelledby="apps">
      <h2 id="apps">{texts.apps}</h2>
      <ul>
        {apps.map((app) => (
          <li key={app.id}>
            <div>
              <p>
                <bdi>{app.name}</bdi>
              </p>
              <p class="quiet-text">{app.scopes.map((scope) => texts.appScopes[scope]).join(' · ')}</p>
              <p class="quiet-text">{fill(texts.appAllowedAt, { time: formatTime(app.allowedAt) })}</p>
            </div>
            <Button aria-label={`${texts.removeApp}: ${app.name}`} onClick={() => setAsked(app)}>
              {texts.removeApp}
            </Button>
          </li>
        ))}
      </ul>
      <LoadNotice of={loading} />
      {asked !== undefined && (
        <Confirm
          question={fill(texts.removeAppQuestion, { app: asked.name })}
          explanation={fill(texts.removeAppLead, { app: asked.name })}
          yes={texts.removeApp}
          no={texts.cancel}
          task={removal}
          onYes={() => remove(asked)}
          onNo={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}
