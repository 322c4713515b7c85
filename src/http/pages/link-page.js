// The landing page of a login link: looks at the link without using it, then signs in by itself or at the press of a button.
const token = location.hash.slice(1);
const status = document.getElementById('status');
const account = document.getElementById('account');
const button = document.getElementById('go');

// Out of the address bar and the history before anything else happens.
history.replaceState(null, '', location.pathname);

/** @param {string} path */
async function post(path) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    return await response.json();
  } catch {
    return { success: false, message: document.body.dataset.offline };
  }
}

function say(text, isFailure = false) {
  status.textContent = text;
  status.className = isFailure ? 'failure' : '';
}

async function signIn() {
  button.disabled = true;
  const answer = await post('/api/auth/email/login');
  account.hidden = true;
  button.hidden = answer.success || answer.codeError !== null;
  button.disabled = false;
  say(answer.success ? document.body.dataset.done : answer.message, !answer.success);
}

button.addEventListener('click', signIn);

const checked = await post('/api/auth/email/link/check');
if (!checked.success) {
  say(checked.message, true);
} else if (checked.data.sameBrowser) {
  await signIn();
} else {
  say(document.body.dataset.confirm);
  account.textContent = checked.data.account;
  account.hidden = false;
  button.hidden = false;
  button.focus();
}
