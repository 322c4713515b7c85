// What use cases of staff need where they send notices: the settings of the service, and the language of the user.
import type { AuthDeps } from '../../auth/deps.ts';
import { type Language, languages } from '../../kernel/text/language.ts';
import { CommandError } from '../command-error.ts';
import type { OperatorContext, OperatorStore } from '../operator-context.ts';

type StaffDeps = OperatorStore &
  Pick<
    AuthDeps,
    'secrets' | 'testRecipients' | 'phoneTypes' | 'brake' | 'phoneRecoveryWaitSeconds' | 'noticeChoice' | 'wakeDelivery'
  >;

/** The service finds the notices in the outbox within a second. */
export async function staffDeps(context: OperatorContext): Promise<StaffDeps> {
  const { testRecipients, phoneTypes, brake, phoneRecoveryWaitSeconds, notices } = context.config();
  const settings = { testRecipients, phoneTypes, brake, phoneRecoveryWaitSeconds, noticeChoice: notices };
  return { ...(await context.open()), ...settings, secrets: context.secrets(), wakeDelivery: () => undefined };
}

/** The service does not know the language of a user. */
export function readLanguage(text: string): Language {
  const language = languages.find((known) => known === text);
  if (language === undefined) throw new CommandError(`Give a language of the service: ${languages.join(', ')}`, 2);
  return language;
}
