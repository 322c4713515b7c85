// The messages to a user: sent, queued or not delivered. Staff can send a message again.

import { formatTime } from '../parts/format.ts';
import { inboxIcon } from '../parts/icons.ts';
import { fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card, Rows } from './list-parts.tsx';
import { useActions } from './use-actions.tsx';
import { useList } from './use-list.ts';

type Message = Calls['adminMessages']['data']['messages'][number];
type Props = { readonly id: string; readonly version: number; readonly onDone: () => void };

export function MessagesCard({ id, version, onDone }: Props) {
  const { button, dialog, notice } = useActions(onDone);
  const list = useList<Message>(`${id} ${version}`, async () => {
    const { messages } = await call('adminMessages', { at: { id } });
    return { items: messages, next: null };
  });
  const resend = (message: Message) =>
    button(
      {
        label: texts.resend,
        title: fill(texts.resendTitle, { recipient: message.to }),
        lead: fill(texts.resendLead, { recipient: message.to }),
        call: 'adminResend',
        act: (reason) => call('adminResend', { at: { id, message: message.id }, body: { reason } }),
      },
      formatTime(message.at),
    );
  return (
    <Card id="messages" title={texts.messages}>
      {notice}
      <Rows list={list} icon={inboxIcon} empty={texts.noMessages}>
        {(message) => (
          <li key={`${message.id} ${message.state} ${message.at}`}>
            <span class="grow">
              <bdi>{formatPhone(message.to)}</bdi>
              <span class="quiet-text">
                {' '}
                · {formatTime(message.at)} · {message.provider ?? message.error ?? nameChannel(message)}
              </span>
            </span>
            <span class={message.state === 'parked' ? 'tag bad' : 'tag'}>{texts[message.state]}</span>
            {(message.state === 'parked' || message.state === 'queued') && resend(message)}
          </li>
        )}
      </Rows>
      {dialog}
    </Card>
  );
}

/** Empty for a channel of a later version. */
function nameChannel({ channel }: Message): string {
  return channel === null ? '' : texts.values[channel];
}
