// Stands for the cards of the account while it loads, in their sizes, so that nothing jumps when they come.
import { Icon, type IconPath, mailIcon, phoneIcon } from '../parts/icon.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { texts } from './account-texts.ts';
import './account-page.css';
import './files-card.css';
import './loading-cards.css';

export function LoadingCards() {
  return (
    <>
      <section class="card who" aria-busy="true">
        <h1>{texts.hello}</h1>
        <span class="visually-hidden" role="status">
          {texts.loading}
        </span>
        <Way icon={phoneIcon} label={texts.phone} />
        <Way icon={mailIcon} label={texts.email} />
      </section>
      <section class="card files" aria-busy="true">
        <header>
          <h2>{texts.files}</h2>
          <p class="quiet-text">{'\u00a0'}</p>
        </header>
        <LoadingOffer />
        <Skeleton shape="tiles" count={3} />
      </section>
      <section class="card sessions" aria-busy="true">
        <h2>{texts.sessions}</h2>
        <Skeleton shape="lines" count={1} />
      </section>
    </>
  );
}

function Way({ icon, label }: { readonly icon: IconPath; readonly label: string }) {
  return (
    <div class="way">
      <Icon of={icon} />
      <dl>
        <dt>{label}</dt>
        <dd class="awaited value" aria-hidden="true" />
      </dl>
      <div class="awaited control" aria-hidden="true" />
    </div>
  );
}

/** In place of the choice of a purpose and of the drop zone. */
export function LoadingOffer() {
  return (
    <div class="add loading" aria-hidden="true">
      <Skeleton shape="lines" count={1} />
      <div class="drop-zone" />
    </div>
  );
}
