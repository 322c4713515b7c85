// Where files are chosen. They can be dropped anywhere on the card, and pasted anywhere on the page.
import { texts } from './account-texts.ts';

type Props = {
  readonly accept: string;
  readonly hint: string;
  /** The user holds files over the card. */
  readonly isOver: boolean;
  readonly onFiles: (files: readonly File[]) => void;
};

export function DropZone({ accept, hint, isOver, onFiles }: Props) {
  return (
    <label class={isOver ? 'drop-zone over' : 'drop-zone'}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M5 16v2a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-2" />
      </svg>
      <span class="drop-title">{isOver ? texts.dropNow : texts.drop}</span>
      <span class="quiet-text">{hint}</span>
      <input
        class="visually-hidden"
        type="file"
        multiple
        accept={accept}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Allows the user to choose the same file again after it was refused.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
