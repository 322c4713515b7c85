// The links to a file that work: until when, how often used, and buttons to revoke one or all.
import { useRef } from 'preact/hooks';
import type { FileLink } from '../../client/src/sharing-calls.ts';
import { Button } from '../parts/form-parts.tsx';
import { formatDateTime } from '../parts/format.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';

type Props = {
  readonly links: readonly FileLink[];
  /** The link that was just made. */
  readonly newest: string | undefined;
  /** Without a link: all. */
  readonly onRevoke: (link: FileLink | undefined) => void;
};

export function LinkList({ links, newest, onRevoke }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const revoke = (link: FileLink | undefined) => {
    onRevoke(link);
    // The button goes away with its link.
    heading.current?.focus();
  };
  return (
    <div class="links">
      <h3 ref={heading} tabIndex={-1}>
        {texts.links}
      </h3>
      {links.length === 0 && <p class="quiet-text">{texts.noLinks}</p>}
      <ul>
        {links.map((link) => (
          <li key={link.id}>
            <p>
              {describe(link)} {link.id === newest && <span class="badge">{texts.newLink}</span>}
            </p>
            <Button kind="quiet" aria-label={`${texts.revoke}: ${describe(link)}`} onClick={() => revoke(link)}>
              {texts.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {links.length > 1 && (
        <Button kind="danger" onClick={() => revoke(undefined)}>
          {texts.revokeAll}
        </Button>
      )}
    </div>
  );
}

function describe({ expiresAt, uses, used }: FileLink): string {
  const until = fill(texts.linkUntil, { time: formatDateTime(expiresAt) });
  return uses === null ? until : `${until} · ${fill(texts.linkUses, { used, max: uses })}`;
}
