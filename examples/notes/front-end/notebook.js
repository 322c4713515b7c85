// The notebook of a signed-in user: lists, adds and removes notes, uploads pictures, and changes the plan.
import { find, notify, onClick, onSubmit } from './page.js';

/** @import { Gatehouse } from '@gatehouse/client' */

/** @typedef {{ id: number, text: string, fileId: string | null, author: string, isMine: boolean, createdAt: string }} Note */

/** The app's server says that the session has ended: `blocked`, `ended` or `deleted`. */
export class SessionEnd extends Error {
  /** @param {string} [why] */
  constructor(why = 'ended') {
    super(why);
    this.why = why;
  }
}

const text = find('text', HTMLTextAreaElement);
const picture = find('picture', HTMLInputElement);
const progress = find('progress', HTMLProgressElement);
const list = find('notes', HTMLUListElement);
/** The notes on the page, to see a change. */
let shown = '';

/** @param {Gatehouse} gatehouse */
export function prepareNotebook(gatehouse) {
  onSubmit(find('note-form', HTMLFormElement), async () => {
    const [file] = picture.files ?? [];
    const fileId = file === undefined ? null : await upload(gatehouse, file);
    await call(gatehouse, 'POST', '/api/notes', { text: text.value, fileId });
    find('note-form', HTMLFormElement).reset();
    text.focus();
    await showNotebook(gatehouse);
  });
  onClick(find('become-pro', HTMLButtonElement), async () => {
    await call(gatehouse, 'POST', '/api/pro');
    // The new claims are in the next token.
    await gatehouse.refresh();
    await showNotebook(gatehouse);
    notify('You are pro now.');
  });
  onClick(find('delete-account', HTMLButtonElement), async () => {
    if (!confirm('Delete your account, with your notes and pictures? This cannot be undone.')) return;
    // Gatehouse asks for a code if the sign-in is not recent.
    await gatehouse.withProof(
      () => gatehouse.deleteAccount(),
      async ({ error }) => prompt(error?.message ?? 'Enter the code that was sent to your phone.') ?? undefined,
    );
  });
}

/** @param {Gatehouse} gatehouse */
export async function showNotebook(gatehouse) {
  /** @type {{ name: string, isPro: boolean, notes: Note[] }} */
  const { name, isPro, notes } = await call(gatehouse, 'GET', '/api/notebook');
  find('name', HTMLElement).textContent = name;
  find('pro', HTMLElement).hidden = !isPro;
  find('become-pro', HTMLElement).hidden = isPro;
  find('user', HTMLElement).hidden = false;
  find('notebook', HTMLElement).hidden = false;
  // Only a change redraws the list, so that the keyboard focus stays where it is.
  if (JSON.stringify(notes) === shown) return;
  shown = JSON.stringify(notes);
  list.replaceChildren(...notes.map((note) => itemOf(gatehouse, note)));
  find('empty', HTMLElement).hidden = notes.length > 0;
}

export function hideNotebook() {
  find('user', HTMLElement).hidden = true;
  find('notebook', HTMLElement).hidden = true;
  find('note-form', HTMLFormElement).reset();
  list.replaceChildren();
  shown = '';
}

/**
 * @param {Gatehouse} gatehouse
 * @param {Note} note
 */
function itemOf(gatehouse, note) {
  const { id, fileId, author, isMine } = note;
  const item = document.createElement('li');
  const words = document.createElement('p');
  words.textContent = note.text;
  const from = document.createElement('span');
  from.className = 'quiet';
  const time = new Date(note.createdAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  from.textContent = `${isMine ? 'You' : author}, ${time}`;
  item.append(words);
  if (fileId !== null) {
    // The browser sends the cookie of the session: Gatehouse is on the same site.
    const image = document.createElement('img');
    image.src = gatehouse.files.url(fileId);
    image.alt = 'Picture of the note';
    item.append(image);
  }
  item.append(from);
  if (isMine) {
    const button = document.createElement('button');
    button.className = 'plain';
    button.textContent = 'Remove';
    button.ariaLabel = `Remove the note: ${note.text.slice(0, 40)}`;
    onClick(button, async () => {
      await call(gatehouse, 'DELETE', `/api/notes/${id}`);
      await showNotebook(gatehouse);
      // The button with the keyboard focus is gone.
      text.focus();
    });
    item.append(button);
  }
  return item;
}

/**
 * @param {Gatehouse} gatehouse
 * @param {File} file
 */
async function upload(gatehouse, file) {
  progress.hidden = false;
  try {
    const { id } = await gatehouse.files.upload(file, {
      purpose: 'note-picture',
      onProgress: ({ sentBytes, totalBytes }) => {
        progress.value = sentBytes / totalBytes;
      },
    });
    return id;
  } finally {
    progress.hidden = true;
  }
}

/**
 * Calls the app's own server with the access token.
 *
 * @param {Gatehouse} gatehouse
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function call(gatehouse, method, path, body) {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await gatehouse.fetch(path, { method, ...(body !== undefined && json) });
  if (response.status === 401) throw new SessionEnd((await response.json()).why);
  if (!response.ok) throw new Error(`The notebook could not do this (status ${response.status}).`);
  return response.status === 204 ? undefined : response.json();
}
