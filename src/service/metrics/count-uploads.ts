// Counts what becomes of uploads in several requests.
import type { ResumableStore } from '../../files/resumable/resumable-upload.ts';
import type { Metrics } from './metric-definitions.ts';

/** A stored upload is counted when its file is settled. */
export function countUploads(resumables: ResumableStore, { count }: Pick<Metrics, 'count'>): ResumableStore {
  return {
    ...resumables,
    create: async (upload) => {
      const outcome = await resumables.create(upload);
      if (outcome.kind === 'created') count('resumable_uploads', { outcome: 'created' });
      return outcome;
    },
    advance: async (advance) => {
      const outcome = await resumables.advance(advance);
      if (outcome === 'lost') count('resumable_uploads', { outcome: 'taken over' });
      return outcome;
    },
    cancel: async (cancellation) => {
      const outcome = await resumables.cancel(cancellation);
      const label = cancellation.holder === undefined ? 'cancelled' : 'refused';
      if (outcome === 'cancelled') count('resumable_uploads', { outcome: label });
      return outcome;
    },
  };
}
