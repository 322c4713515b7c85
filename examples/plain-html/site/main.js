// The page after sign-in: lists the files of the user, uploads with progress, and deletes. The client comes from the element.

/** @import { FileRecord, Gatehouse } from '@gatehouse/client' */
/** @import { GatehouseSignIn } from '@gatehouse/client/element' */

/** @type {GatehouseSignIn | null} */
const signIn = document.querySelector('gatehouse-sign-in');
const welcome = find('.welcome', HTMLElement);
const user = find('#user', HTMLElement);
const box = find('#box', HTMLElement);
const drop = find('#drop', HTMLLabelElement);
const input = find('#file', HTMLInputElement);
const list = find('#files', HTMLUListElement);
const empty = find('#empty', HTMLElement);
const notice = find('#notice', HTMLElement);
/** @type {Gatehouse | undefined} */
let client;

document.addEventListener('gatehouse-signed-in', ({ detail }) => void open(detail.client));
document.addEventListener('gatehouse-signed-out', close);
// The element may have been faster than this file.
if (signIn?.getAttribute('state') === 'signed-in') void open(signIn.client);
find('#sign-out', HTMLButtonElement).addEventListener('click', () => void client?.signOut());
input.addEventListener('change', () => {
  for (const file of input.files ?? []) void upload(file);
  input.value = '';
});
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'])
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragenter' || name === 'dragover');
  });
drop.addEventListener('drop', ({ dataTransfer }) => {
  for (const file of dataTransfer?.files ?? []) void upload(file);
});

/** @param {Gatehouse} signedIn */
async function open(signedIn) {
  client = signedIn;
  const [me, { files }] = await Promise.all([client.me(), client.files.list({ limit: 50 })]);
  find('#name', HTMLElement).textContent = me.phone ?? me.email;
  list.replaceChildren(...files.map(showFile));
  show(true);
}

function close() {
  client = undefined;
  list.replaceChildren();
  show(false);
}

/** @param {boolean} isOpen */
function show(isOpen) {
  welcome.hidden = isOpen;
  user.hidden = !isOpen;
  box.hidden = !isOpen;
  empty.hidden = list.childElementCount > 0;
}

/** @param {File} file */
async function upload(file) {
  const bar = make('progress', '');
  bar.setAttribute('aria-label', file.name);
  const row = make('li', '');
  row.append(make('span', file.name), bar);
  list.prepend(row);
  empty.hidden = true;
  notice.textContent = '';
  try {
    const stored = await client?.files.upload(file, {
      purpose: 'document',
      onProgress: ({ sentBytes, totalBytes }) => {
        bar.value = sentBytes / totalBytes;
      },
    });
    if (stored !== undefined) row.replaceWith(showFile(stored));
  } catch (error) {
    row.remove();
    tell(error);
  }
}

/** @param {FileRecord} file */
function showFile({ id, name, size }) {
  const row = make('li', '');
  const link = make('a', name);
  // Cookie mode: the browser sends the token with the link.
  link.href = client?.files.url(id) ?? '';
  link.target = '_blank';
  const remove = make('button', 'Delete');
  remove.type = 'button';
  remove.className = 'plain';
  remove.setAttribute('aria-label', `Delete ${name}`);
  remove.addEventListener('click', async () => {
    try {
      await client?.files.delete(id);
      row.remove();
      empty.hidden = list.childElementCount > 0;
    } catch (error) {
      tell(error);
    }
  });
  const kilobytes = Math.max(1, Math.round(size / 1024)).toLocaleString();
  row.append(link, make('span', `${kilobytes} KB`), remove);
  return row;
}

/** @param {unknown} error */
function tell(error) {
  notice.textContent = error instanceof Error ? error.message : String(error);
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} text
 */
function make(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/**
 * @template {HTMLElement} Kind
 * @param {string} selector
 * @param {new () => Kind} Type
 * @returns {Kind}
 */
function find(selector, Type) {
  const element = document.querySelector(selector);
  if (!(element instanceof Type)) throw new Error(`The page has no ${selector}.`);
  return element;
}
