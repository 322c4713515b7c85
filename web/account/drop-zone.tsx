// Where files are chosen. They can be dropped anywhere on the card, and pasted anywhere on the page.
import { Icon } from '../parts/icon.tsx';
import { uploadIcon } from '../parts/icons.ts';
import { texts } from './account-texts.ts';

/** Nothing can be dropped with a finger. */
const isTouched = matchMedia('(pointer: coarse)').matches;

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
      <Icon of={uploadIcon} />
      <span class="drop-title">{isOver ? texts.dropNow : isTouched ? texts.chooseFile : texts.drop}</span>
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
