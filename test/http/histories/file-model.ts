// What one user's uploads and deletions must answer as if they came one after the other, within a number of files.
import type { Model } from '../../helpers/histories/linearizability.ts';

/**
 * An upload takes effect twice: it reserves a place at its beginning, and its file is there at its end. It is recorded as two calls
 * with the same times. One that is refused never reserves.
 */
export type FileInput =
  | { readonly act: 'reserve' | 'store'; readonly upload: number }
  | { readonly act: 'delete'; readonly file: string }
  | { readonly act: 'list' };

export type FileOutput = { readonly outcome: string; readonly files?: readonly string[] };

export type FileState = { readonly files: readonly string[]; readonly reserved: readonly number[] };

/** FILE_COUNT of the nodes. */
export const mostFiles = 3;

export const fileModel: Model<FileState, FileInput, FileOutput> = {
  initial: { files: [], reserved: [] },
  step: (state, input, { outcome, files: shown = [] }) => {
    const { files, reserved } = state;
    switch (input.act) {
      case 'reserve': {
        const isFull = files.length + reserved.length >= mostFiles;
        if (outcome !== (isFull ? '403 FILE_QUOTA_EXCEEDED' : '201')) return undefined;
        return isFull ? state : { files, reserved: [...reserved, input.upload].sort((a, b) => a - b) };
      }
      case 'store': {
        const isNew = shown.length === 1 && !files.includes(shown[0] ?? '');
        if (outcome !== '201' || !isNew || !reserved.includes(input.upload)) return undefined;
        return { files: [...files, ...shown].sort(), reserved: reserved.filter((upload) => upload !== input.upload) };
      }
      case 'delete': {
        if (outcome !== (files.includes(input.file) ? '200' : '404 FILE_NOT_FOUND')) return undefined;
        return { files: files.filter((file) => file !== input.file), reserved };
      }
      case 'list':
        return outcome === '200' && files.join() === shown.toSorted().join() ? state : undefined;
    }
  },
};
