// Accepts files that the user drops, chooses or pastes.
import { useRef, useState } from 'preact/hooks';
import { texts } from './account-texts.ts';

type Props = {
  readonly accept: string;
  readonly hint: string;
  readonly onFiles: (files: readonly File[]) => void;
};

export function DropZone({ accept, hint, onFiles }: Props) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    if (files !== null && files !== undefined && files.length > 0) onFiles([...files]);
  };
  return (
    <label
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
      onPaste={(event) => take(event.clipboardData?.files)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M5 16v2a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-2" />
      </svg>
      <span class="drop-title">{texts.drop}</span>
      <span class="quiet-text">{hint}</span>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple
        accept={accept}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // Allows the user to choose the same file again after it was refused.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
