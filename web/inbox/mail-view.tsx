// Shows an e-mail as HTML (in a frame without scripts), as text, or its headers. Its sign-in link becomes a button.
import { useState } from 'preact/hooks';
import { formatTime } from '../parts/format.ts';
import { codeIn } from '../parts/inbox-chip.tsx';
import type { InboxMessage } from '../parts/inbox-messages.ts';
import { CodeButtons } from './code-buttons.tsx';
import { texts } from './inbox-texts.ts';

const views = ['html', 'text', 'headers'] as const;

export function MailView({ message }: { readonly message: InboxMessage }) {
  const [chosen, setView] = useState<(typeof views)[number]>('html');
  const view = chosen === 'html' && message.html === undefined ? 'text' : chosen;
  const link = linkIn(message.text);
  const code = link === undefined ? codeIn(message.text) : undefined;
  const labels = { html: 'HTML', text: texts.plainText, headers: texts.headers };
  return (
    <>
      <h2 dir="auto">{message.subject}</h2>
      <fieldset class="views" aria-label={texts.view}>
        {views.map((name) => (
          <button key={name} type="button" aria-pressed={name === view} onClick={() => setView(name)}>
            {labels[name]}
          </button>
        ))}
      </fieldset>
      {view === 'html' && (
        <iframe
          class="mail"
          title={message.subject ?? texts.mail}
          src={`/inbox/mail/${message.id}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      )}
      {view === 'text' && (
        <pre class="mail-text" dir="auto">
          {message.text}
        </pre>
      )}
      {view === 'headers' && <Headers message={message} />}
      {link !== undefined && (
        <a class="button primary" href={link} target="_blank" rel="noreferrer">
          {texts.openLink}
        </a>
      )}
      {code !== undefined && <CodeButtons key={message.id} to={message.to} code={code} />}
    </>
  );
}

function Headers({ message: { id, to, subject, createdAt } }: { readonly message: InboxMessage }) {
  return (
    <dl class="headers">
      {[
        ['To', to],
        ['Subject', subject ?? ''],
        ['Date', `${formatTime(createdAt)} (${createdAt})`],
        ['ID', id],
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A sign-in link has its token after the hash. */
function linkIn(text: string): string | undefined {
  return /https?:\/\/\S+#[\w-]{20,}/.exec(text)?.[0];
}
