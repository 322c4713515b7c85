// Pulls the events after the stored cursor: at the start, so that nothing is lost while the app was down, and once a minute.
import type { Service } from '@gatehouse/client/service';
import type { ApplyEvent } from './apply-event.ts';
import type { Notebook } from './notebook.ts';

type Parts = { readonly service: Service; readonly notebook: Notebook; readonly apply: ApplyEvent };

const day = 24 * 60 * 60 * 1000;

/** The cursor moves after the events of its page have been applied: a crash between the two repeats events, and loses none. */
export async function catchUp({ service, notebook, apply }: Parts): Promise<void> {
  for (let isDone = false; !isDone; ) {
    try {
      const { events, next } = await service.events.page({ after: notebook.cursor() });
      for (const event of events) apply(event);
      notebook.moveCursor(next);
      isDone = events.length === 0;
    } catch (error) {
      if (!isOf('CURSOR_EXPIRED', error)) throw error;
      await compareUsers(service, notebook);
    }
  }
  // Gatehouse repeats no event after 90 days, and no token lives for a day.
  notebook.forgetEventsBefore(new Date(Date.now() - 91 * day).toISOString());
  notebook.forgetMarksBefore(new Date(Date.now() - day).toISOString());
}

/** The app was down for more than 90 days, or Gatehouse was restored from a backup: asks about every user with notes. */
async function compareUsers(service: Service, notebook: Notebook): Promise<void> {
  for (const id of notebook.authors()) {
    await service.users.get(id).catch((error: unknown) => {
      if (!isOf('NOT_FOUND', error)) throw error;
      notebook.removeAllOf(id);
    });
  }
  notebook.forgetCursor();
}

function isOf(code: string, error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
