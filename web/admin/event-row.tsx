// One event: when, what, who did it and the details.
import { formatMoment } from '../parts/format.ts';
import { texts } from './admin-texts.ts';
import { isProblem, nameEvent } from './name-event.ts';
import { writeDetail } from './write-detail.ts';

type Detail = Readonly<Record<string, unknown>>;
type Props = {
  readonly event: {
    readonly at: string;
    readonly kind: string;
    readonly detail: Detail;
    readonly userId?: string | null;
  };
};

export function EventRow({ event: { at, kind, detail, userId } }: Props) {
  const { actor, admin = '', why } = detail as Readonly<Record<string, string | undefined>>;
  const isStaff = actor === 'admin';
  // What the command line did to a staff sign-in names the member of staff.
  const rest = writeDetail(isStaff || admin === '' ? detail : { ...detail, name: admin });
  return (
    <li>
      <time class="quiet-text when" dateTime={at}>
        {formatMoment(at)}
      </time>
      <span class="grow">
        <span class={isProblem(kind) ? 'what bad' : 'what'}>{nameEvent(kind)}</span>
        {actor !== undefined && <span> · {isStaff ? admin : texts.commandLine}</span>}
        {why !== undefined && <q>{why}</q>}
        {rest !== '' && <span class="quiet-text"> · {rest}</span>}
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
