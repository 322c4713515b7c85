// One thing that happened: when, what, and what is known of it.
import { formatMoment } from '../parts/format.ts';
import { nameEvent, texts } from './admin-texts.ts';

type Detail = Readonly<Record<string, unknown>>;
type Props = {
  readonly event: {
    readonly at: string;
    readonly kind: string;
    readonly detail: Detail;
    readonly userId?: string | null;
  };
};

/** What is told in words of its own, or says nothing to people. */
const told = ['actor', 'token', 'why', 'message', 'session'];

const trouble = /^(?:otp\.wrong|message\.parked|login\.refused|session\.reused|limits\.reached|sms\.suspended)$/;

export function EventRow({ event: { at, kind, detail, userId } }: Props) {
  const { actor, admin = '', why } = detail as Readonly<Record<string, string | undefined>>;
  const isStaff = actor === 'admin';
  const rest = Object.entries(detail).filter(([name]) => !told.includes(name) && !(isStaff && name === 'admin'));
  return (
    <li>
      <time class="quiet-text when" dateTime={at}>
        {formatMoment(at)}
      </time>
      <span class="grow">
        <span class={trouble.test(kind) ? 'what bad' : 'what'}>{nameEvent(kind)}</span>
        {actor !== undefined && <span> · {isStaff ? admin : texts.commandLine}</span>}
        {why !== undefined && <q>{why}</q>}
        {rest.length > 0 && (
          <span class="quiet-text"> · {rest.map(([name, value]) => `${name} ${String(value)}`).join(' · ')}</span>
        )}
        {userId != null && (
          <>
            {' '}
            <a href={`#users/${userId}`}>{texts.openUser}</a>
          </>
        )}
      </span>
    </li>
  );
}
