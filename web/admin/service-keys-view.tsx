// Service keys: staff creates, rotates and revokes the keys of app servers. A new key is shown once.
import { useState } from 'preact/hooks';
import { formatDateTime, formatDays } from '../parts/format.ts';
import { keyIcon } from '../parts/icons.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card, Rows } from './list-parts.tsx';
import { NewKey } from './new-key.tsx';
import { NewKeyForm } from './new-key-form.tsx';
import { mayCall } from './staff-role.ts';
import { useActions } from './use-actions.tsx';
import { useList } from './use-list.ts';

type Key = Calls['adminServiceKeys']['data']['keys'][number];

const rotatedDays = 90;

export function ServiceKeysView() {
  const [created, setCreated] = useState<string | undefined>();
  const list = useList<Key>('', async () => ({ items: (await call('adminServiceKeys')).keys, next: null }));
  const { button, dialog, notice } = useActions(list.reload);
  const show = (key: string) => {
    setCreated(key);
    list.reload();
  };
  const rotate = ({ id, name }: Key) =>
    button(
      {
        label: texts.rotateKey,
        title: fill(texts.rotateKeyTitle, { name }),
        lead: fill(texts.rotateKeyLead, { time: formatDays(rotatedDays) }),
        call: 'adminRotateServiceKey',
        act: async (reason) =>
          show((await call('adminRotateServiceKey', { at: { id }, body: { days: rotatedDays, reason } })).key),
      },
      `${name} ${id}`,
    );
  const revoke = ({ id, name }: Key) =>
    button(
      {
        label: texts.revokeKey,
        title: fill(texts.revokeKeyTitle, { name }),
        lead: texts.revokeKeyLead,
        call: 'adminRevokeServiceKey',
        act: (reason) => call('adminRevokeServiceKey', { at: { id }, body: { reason } }),
      },
      `${name} ${id}`,
    );
  return (
    <>
      <h1>{texts.serviceKeys}</h1>
      {created !== undefined && <NewKey text={created} />}
      <Card id="keys" title={texts.keysTitle}>
        {notice}
        <Rows list={list} icon={keyIcon} empty={texts.noKeys}>
          {(key) => (
            <li key={key.id}>
              <span class="grow">
                {key.name} <span class={key.state === 'live' ? 'tag' : 'tag bad'}>{states[key.state]}</span>
                <span class="quiet-text">
                  {` · ${key.id} · ${key.scopes.join(', ')} · ${fill(texts.keyEnds, { time: formatDateTime(key.endsAt) })} · `}
                  {key.lastUsedAt === null
                    ? texts.neverUsed
                    : fill(texts.lastUsed, { time: formatDateTime(key.lastUsedAt) })}
                </span>
              </span>
              {key.state !== 'revoked' && rotate(key)}
              {key.state === 'live' && revoke(key)}
            </li>
          )}
        </Rows>
      </Card>
      {mayCall('adminCreateServiceKey') && <NewKeyForm onCreated={show} />}
      {dialog}
    </>
  );
}

const states = {
  live: texts.keyLive,
  ended: texts.keyEnded,
  revoked: texts.keyRevoked,
} as const satisfies Record<Key['state'], string>;
