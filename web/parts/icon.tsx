// An icon: lines of one weight on a grid of 24, beside a text that says the same. The icons of the sign-in page are here, all others in icons.ts.
import './icon.css';

/** The path of an icon. An icon that points along the line of text turns round in languages that are written from right to left. */
export type IconPath = { readonly path: string; readonly isDirectional?: true };

export function Icon({ of: { path, isDirectional } }: { readonly of: IconPath }) {
  return (
    <svg class={isDirectional ? 'icon directional' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

export const mailIcon: IconPath = { path: 'M4 6h16v12H4zl8 7 8-7' };
export const phoneIcon: IconPath = { path: 'M8 3h8v18H8zm3 15h2' };
export const chevronIcon: IconPath = { path: 'm7 10 5 5 5-5' };
export const alertIcon: IconPath = { path: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 5v5m0 3v.01' };
export const checkIcon: IconPath = { path: 'm5 12.5 4.5 4.5L19 7.5' };
export const languageIcon: IconPath = {
  path: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18',
};
