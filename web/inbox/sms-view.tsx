// Shows an SMS as on a phone, how many segments it takes, and whether phones can fill in its code.

import { codeIn } from '../parts/inbox-chip.tsx';
import type { InboxMessage } from '../parts/inbox-messages.ts';
import { fill } from '../parts/page-data.ts';
import { formatPhone } from '../parts/phone-input.ts';
import { CodeButtons } from './code-buttons.tsx';
import { texts } from './inbox-texts.ts';
import { measureSms } from './measure-sms.ts';

export function SmsView({ message: { id, to, text } }: { readonly message: InboxMessage }) {
  const { segments, characters, encoding } = measureSms(text);
  const code = codeIn(text);
  const autofillLine = /^@\S+ #\S+$/m.exec(text)?.[0];
  return (
    <>
      <h2>{formatPhone(to)}</h2>
      <p class="bubble" dir="auto">
        {text}
      </p>
      <ul class="facts">
        <li>{fill(texts.segments, { segments, characters, encoding })}</li>
        <li>
          {autofillLine === undefined ? texts.noAutofill : texts.autofill}{' '}
          {autofillLine !== undefined && <code>{autofillLine}</code>}
        </li>
      </ul>
      {code !== undefined && <CodeButtons key={id} to={to} code={code} />}
    </>
  );
}
