// The logo and the name of an app. An app without a logo shows its first letter.
import './app-mark.css';
import type { ShownApp } from './page-data.ts';

export function AppMark({ app: { name, logo } }: { readonly app: ShownApp }) {
  return (
    <p class="app-mark">
      {logo === null ? (
        <span class="letter" aria-hidden="true">
          {[...name][0]}
        </span>
      ) : (
        <img src={logo} alt="" />
      )}
      <bdi>{name}</bdi>
    </p>
  );
}
