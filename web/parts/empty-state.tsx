// What a list shows when it is empty: what will be here, and what to do about it.
import type { ComponentChildren } from 'preact';
import './empty-state.css';
import { Icon, type IconPath } from './icon.tsx';

type Props = {
  readonly icon: IconPath;
  readonly title: string;
  readonly children?: ComponentChildren;
};

export function EmptyState({ icon, title, children }: Props) {
  return (
    <div class="empty-state">
      <Icon of={icon} />
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="quiet-text">{children}</div>}
    </div>
  );
}
