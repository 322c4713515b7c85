// A button that opens a menu of actions, each with an icon and a label. Arrow keys move, Escape closes, and the focus returns to the button.
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconPath } from './icon.tsx';
import { moreIcon } from './icons.ts';
import './menu.css';

export type MenuItem = {
  readonly icon: IconPath;
  readonly label: string;
  readonly kind?: 'danger';
} & ({ readonly onChoose: () => void } | { readonly href: string; readonly download?: string });

type Props = {
  /** The name of the button, which shows only an icon. */
  readonly label: string;
  readonly items: readonly MenuItem[];
};

/** Opens below its button, or above it if there is more room. */
export function Menu({ label, items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isAbove, setAbove] = useState(false);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useLeaving(place, isOpen, () => setOpen(false));
  useLayoutEffect(() => setAbove(isOpen && isCutOff(place)), [isOpen]);
  useEffect(() => {
    if (isOpen) itemsIn(place)[0]?.focus({ preventScroll: true });
  }, [isOpen]);
  const steer = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (!moveFocus(itemsIn(place), event.key)) return;
    // An arrow key must not scroll the page, and Escape must not close a dialog around the menu.
    event.preventDefault();
    event.stopPropagation();
  };
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <div ref={place} class="menu-place">
      <button
        ref={button}
        type="button"
        class="button plain icon-only"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={isOpen ? steer : openByArrow}
      >
        <Icon of={moreIcon} />
      </button>
      {isOpen && (
        <div
          id={id}
          class={isAbove ? 'menu above' : 'menu below'}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={steer}
        >
          {items.map((item) => (
            <Item key={item.label} item={item} onChosen={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, onChosen }: { readonly item: MenuItem; readonly onChosen: () => void }) {
  const { icon, label, kind = '' } = item;
  const shared = { class: `menu-item ${kind}`, role: 'menuitem', tabIndex: -1 } as const;
  const shown = (
    <>
      <Icon of={icon} />
      {label}
    </>
  );
  if ('href' in item)
    return (
      <a {...shared} href={item.href} download={item.download} onClick={onChosen}>
        {shown}
      </a>
    );
  const choose = () => {
    // The action comes second: it may put the focus elsewhere, or remove the menu.
    onChosen();
    item.onChoose();
  };
  return (
    <button type="button" {...shared} onClick={choose}>
      {shown}
    </button>
  );
}

function itemsIn({ current }: RefObject<HTMLDivElement | null>): HTMLElement[] {
  return [...(current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

/** Whether the menu ends below the screen, although it would fit above its button. */
function isCutOff({ current }: RefObject<HTMLDivElement | null>): boolean {
  const menu = current?.querySelector('[role="menu"]')?.getBoundingClientRect();
  const top = current?.getBoundingClientRect().top ?? 0;
  return menu !== undefined && menu.bottom > document.documentElement.clientHeight && top > menu.height;
}

/** False if the key moves nothing. */
function moveFocus(items: readonly HTMLElement[], key: string): boolean {
  const now = items.indexOf(document.activeElement as HTMLElement);
  const places: Readonly<Record<string, number>> = {
    ArrowDown: (now + 1) % items.length,
    ArrowUp: (Math.max(now, 0) + items.length - 1) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const next = places[key];
  if (next !== undefined) items[next]?.focus();
  return next !== undefined;
}

/** A click elsewhere closes the menu, and so does the focus when it goes elsewhere. */
function useLeaving(place: RefObject<HTMLDivElement | null>, isOpen: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const check = ({ target }: Event) => {
      if (place.current?.contains(target as Node) === false) leave();
    };
    document.addEventListener('pointerdown', check);
    document.addEventListener('focusin', check);
    return () => {
      document.removeEventListener('pointerdown', check);
      document.removeEventListener('focusin', check);
    };
  }, [isOpen]);
}
