// What an event of Gatehouse means for this app. Webhooks and pulled events both come here, each event once or more.
import type { Event } from '@gatehouse/client/service';
import type { Notebook } from './notebook.ts';

export type ApplyEvent = (event: Event) => void;

export function createApplyEvent(notebook: Notebook): ApplyEvent {
  return (event) => notebook.once(event.id, event.timestamp, () => change(notebook, event));
}

/** Other types are none of the app's business, also those that Gatehouse will add. */
function change(notebook: Notebook, { type, timestamp, data }: Event): void {
  const { userId = '', fileId = '' } = data as { userId?: string; fileId?: string };
  if (type === 'file.deleted') notebook.removePicture(fileId);
  if (type === 'user.deleted') {
    notebook.removeAllOf(userId);
    notebook.mark(userId, 'deleted', timestamp);
  }
  if (type === 'user.blocked') notebook.mark(userId, 'blocked', timestamp);
  // Sessions from before the block stay ended.
  if (['user.unblocked', 'user.sessions_ended', 'user.sessions_revoked', 'session.reused'].includes(type))
    notebook.mark(userId, 'ended', timestamp);
}
