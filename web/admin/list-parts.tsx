// The common parts of every list of the admin page: loading, empty state, error with retry, and a button for more rows.
import type { ComponentChildren } from 'preact';
import { EmptyState } from '../parts/empty-state.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import type { IconPath } from '../parts/icon.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { texts } from './admin-texts.ts';
import type { List } from './use-list.ts';

type Props<T> = {
  readonly list: List<T>;
  readonly icon: IconPath;
  readonly empty: string;
  readonly children: (item: T, index: number) => ComponentChildren;
};

export function Rows<T>({ list, icon, empty, children }: Props<T>) {
  const { items, more, reload, task } = list;
  return (
    <>
      <Notice kind="bad">{task.message}</Notice>
      {items === undefined && task.error !== undefined && <Button onClick={reload}>{texts.tryAgain}</Button>}
      {items === undefined && task.error === undefined && <Skeleton shape="lines" count={3} />}
      {items?.length === 0 && <EmptyState icon={icon} title={empty} />}
      {items !== undefined && items.length > 0 && <ul class="rows">{items.map(children)}</ul>}
      {more !== undefined && (
        <Button isBusy={task.isBusy} onClick={more}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

type CardProps = { readonly id: string; readonly title: string; readonly children: ComponentChildren };

export function Card({ id, title, children }: CardProps) {
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
