// The form for a code that was sent to a phone number or an e-mail address. The code can be sent again.
import type { ComponentChildren } from 'preact';
import type { Channel } from './channel.ts';
import { CodeEntry, type CodeTexts } from './code-entry.tsx';
import { facts } from './page-data.ts';
import { useResend } from './use-resend.ts';
import { useTask } from './use-task.ts';

type Props = {
  readonly texts: CodeTexts & { readonly offline: string };
  readonly submit: string;
  readonly hint?: string;
  readonly recipient: string;
  readonly channel: Channel;
  readonly newestBefore: string | undefined;
  /** When the code can be sent again, in milliseconds since 1970. */
  readonly resendAt: number;
  readonly send: () => Promise<void>;
  readonly confirm: (code: string) => Promise<void>;
  readonly children?: ComponentChildren;
};

export function CodeForm({ resendAt, send, confirm, ...shown }: Props) {
  const { offline } = shown.texts;
  const task = useTask(offline);
  const resend = useResend(shown.recipient, facts.resendAfterSeconds[shown.channel], resendAt, send, offline);
  const sendAgain = () => {
    task.clear();
    resend.send();
  };
  return (
    <CodeEntry
      {...shown}
      isBusy={task.isBusy}
      error={task.error}
      message={task.message}
      resend={{ ...resend, send: sendAgain }}
      onCode={(digits) => task.run(() => confirm(digits))}
    />
  );
}
