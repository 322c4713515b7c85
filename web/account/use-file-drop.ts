// Takes files that are dropped on a card or pasted anywhere on the page. A file dropped beside the card does not replace the page.
import { useEffect, useState } from 'preact/hooks';
import { type ChosenFile, readTransfer } from './dropped-files.ts';

export function useFileDrop(onFiles: (files: readonly ChosenFile[]) => void) {
  const [isOver, setOver] = useState(false);
  const take = (transfer: DataTransfer) =>
    void readTransfer(transfer).then((files) => {
      if (files.length > 0) onFiles(files);
    });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      const isText = target instanceof Element && target.matches('input:not([type="file"]), textarea');
      if (!isText && clipboardData !== null) take(clipboardData);
    };
    const stay = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    document.addEventListener('paste', paste);
    document.addEventListener('dragover', stay);
    document.addEventListener('drop', stay);
    return () => {
      document.removeEventListener('paste', paste);
      document.removeEventListener('dragover', stay);
      document.removeEventListener('drop', stay);
    };
  });
  const handlers = {
    onDragOver: (event: DragEvent) => setOver(hasFiles(event)),
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      // The event also comes when the pointer goes from one part of the card to another.
      const isInside =
        currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      if (!isInside) setOver(false);
    },
    onDrop: ({ dataTransfer }: DragEvent) => {
      setOver(false);
      if (dataTransfer !== null) take(dataTransfer);
    },
  };
  return { isOver, handlers };
}

/** Not for a text or a link that the user drags. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
