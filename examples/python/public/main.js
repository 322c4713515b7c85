// The page: signs the user in with the client, and calls the back end with the access token.
import { browserStorage, createGatehouse } from '/client/create-gatehouse.js';

const find = (id) => document.getElementById(id);
const { gatehouse: url } = await (await fetch('/settings.json')).json();
// The back end reads the token from the header `authorization`: gatehouse.fetch sends it there, and renews it. The storage survives a reload.
const gatehouse = createGatehouse({ url, mode: 'header', storage: browserStorage() });
find('inbox').href = `${url}/inbox`;

on('phone-form', 'submit', async () => {
  await gatehouse.phone.sendCode(find('phone').value);
  find('phone-form').hidden = true;
  find('code-form').hidden = false;
  find('code').focus();
});
on('code-form', 'submit', () => gatehouse.phone.signIn(find('phone').value, find('code').value));
on('file-form', 'submit', async () => {
  const [file] = find('file').files;
  // Through the back end, which could look at it first. An app can also let the browser upload to Gatehouse: gatehouse.files.upload.
  await call(`/api/files?name=${encodeURIComponent(file.name)}`, { method: 'POST', body: file });
  find('file-form').reset();
  await show();
});
on('sign-out', 'click', () => gatehouse.signOut());
find('phone').addEventListener('input', () => gatehouse.prepareCaptcha());
gatehouse.on('signed-in', () => void show());
gatehouse.on('signed-out', askToSignIn);
if (await gatehouse.isSignedIn()) await show();
else askToSignIn();

function askToSignIn() {
  find('home').hidden = true;
  find('sign-in').hidden = false;
  find('phone-form').hidden = false;
  find('code-form').hidden = true;
  find('code').value = '';
  find('phone').focus();
}

async function show() {
  const [{ phone, events }, { files }] = await Promise.all([call('/api/me'), call('/api/files')]);
  find('sign-in').hidden = true;
  find('home').hidden = false;
  find('name').textContent = phone;
  find('files').replaceChildren(...files.map(({ id, name }) => toItem(toButton(name, () => download(id, name)))));
  find('events').replaceChildren(...events.map(({ type, timestamp }) => toItem(`${type}, ${toTime(timestamp)}`)));
}

async function download(id, name) {
  const content = await (await gatehouse.fetch(new URL(`/api/files/${id}`, location.href))).blob();
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(content), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function call(path, options) {
  const response = await gatehouse.fetch(new URL(path, location.href), options);
  if (!response.ok) throw new Error(`The back end answered ${response.status}.`);
  return response.json();
}

/** Runs the work on the event. What goes wrong is said on the page. */
function on(id, event, work) {
  find(id).addEventListener(event, async (happening) => {
    happening.preventDefault();
    find('notice').textContent = '';
    await work().catch((error) => {
      find('notice').textContent = error.message;
    });
  });
}

function toItem(content) {
  const item = document.createElement('li');
  item.append(content);
  return item;
}

function toButton(text, act) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: text });
  button.className = 'plain';
  button.addEventListener('click', () => void act());
  return button;
}

function toTime(timestamp) {
  return new Date(timestamp).toLocaleTimeString();
}
