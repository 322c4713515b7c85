// Lists the messages, newest first and live, beside the selected message.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel } from '../parts/channel.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Notice } from '../parts/form-parts.tsx';
import { formatTime } from '../parts/format.ts';
import { Icon, type IconPath, mailIcon, phoneIcon } from '../parts/icon.tsx';
import { inboxIcon } from '../parts/icons.ts';
import type { InboxMessage } from '../parts/inbox-messages.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { formatPhone } from '../parts/phone-input.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import './inbox-page.css';
import { texts } from './inbox-texts.ts';
import { MailView } from './mail-view.tsx';
import { SmsView } from './sms-view.tsx';
import { useMessages } from './use-messages.ts';

export function InboxPage() {
  const { messages, isOffline } = useMessages();
  const [chosen, setChosen] = useState<string | undefined>();
  const current = messages?.find(({ id }) => id === chosen) ?? messages?.[0];
  return (
    <PageFrame texts={texts} current="/inbox" width="wide">
      <header>
        <h1>{texts.title}</h1>
        <p class="quiet-text">{texts.lead}</p>
      </header>
      <Notice kind="bad">{isOffline ? texts.offline : undefined}</Notice>
      {messages === undefined && !isOffline && (
        <div class="inbox">
          <div class="card">
            <Skeleton shape="lines" count={4} />
          </div>
          <div class="card">
            <Skeleton shape="lines" count={3} />
          </div>
        </div>
      )}
      {messages?.length === 0 && (
        <div class="card">
          <EmptyState icon={inboxIcon} title={texts.noMessages}>
            <p>{texts.noMessagesLead}</p>
            <a class="button plain" href="/">
              {texts.requestCode}
            </a>
          </EmptyState>
        </div>
      )}
      {messages !== undefined && current !== undefined && (
        <div class="inbox">
          <ul class="list" aria-label={texts.messages}>
            {messages.map((message) => (
              <li key={message.id}>
                <button
                  type="button"
                  aria-current={message.id === current.id ? 'true' : undefined}
                  onClick={() => setChosen(message.id)}
                >
                  <Line message={message} />
                </button>
              </li>
            ))}
          </ul>
          <article class="card reading" aria-live="polite">
            {looks[current.channel].view(current)}
          </article>
        </div>
      )}
    </PageFrame>
  );
}

type Look = { readonly name: string; readonly icon: IconPath; view(message: InboxMessage): VNode };

const looks: Readonly<Record<Channel, Look>> = {
  sms: { name: 'SMS', icon: phoneIcon, view: (message) => <SmsView message={message} /> },
  mail: { name: texts.mail, icon: mailIcon, view: (message) => <MailView message={message} /> },
};

function Line({ message: { channel, to, subject, text, createdAt } }: { readonly message: InboxMessage }) {
  return (
    <>
      <span class="line-head">
        <span class="kind">
          <Icon of={looks[channel].icon} />
          {looks[channel].name}
        </span>
        <span class="line-to" dir="auto" title={to}>
          {formatPhone(to)}
        </span>
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
      </span>
      <span class="line-text" dir="auto">
        {subject ?? text.split('\n')[0]}
      </span>
    </>
  );
}
