// The apps that sign users in here, as the operator listed them. Staff cannot change them.
import { appIcon } from '../parts/icons.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card, Rows } from './list-parts.tsx';
import { useList } from './use-list.ts';

type App = Calls['adminApps']['data']['apps'][number];

export function AppsView() {
  const list = useList<App>('', async () => ({ items: (await call('adminApps')).apps, next: null }));
  return (
    <>
      <h1>{texts.apps}</h1>
      <Card id="apps" title={texts.appsTitle}>
        <p class="quiet-text">{texts.appsLead}</p>
        <Rows list={list} icon={appIcon} empty={texts.noApps}>
          {(app) => (
            <li key={app.id}>
              <span class="grow">
                <bdi class="what">{app.name}</bdi>
                <span class="quiet-text block" dir="ltr">
                  {`${app.id} · ${app.scopes.join(', ')}`}
                </span>
                {[...new Set([...app.redirectUris, ...app.logoutUris])].map((uri) => (
                  <span key={uri} class="quiet-text block" dir="ltr">
                    {uri}
                  </span>
                ))}
              </span>
              <span class="tag">{kinds[app.kind]}</span>
              <span class="tag">{app.isFirstParty ? texts.appOurs : texts.appForeign}</span>
            </li>
          )}
        </Rows>
      </Card>
    </>
  );
}

const kinds = {
  public: texts.appPublic,
  confidential: texts.appConfidential,
} as const satisfies Record<App['kind'], string>;
