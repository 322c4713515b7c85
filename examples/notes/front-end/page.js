// Small helpers of the page: find an element, show a notice, run what a form or a button does.

/**
 * The element with this id, which the page is known to have.
 *
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
export function find(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`the page has no ${kind.name} ${id}`);
  return element;
}

/** @param {string} text */
export function notify(text) {
  find('notice', HTMLElement).textContent = text;
}

/**
 * Runs the work on submit. Meanwhile the form takes no second submit; a failure is shown, in the words of Gatehouse.
 *
 * @param {HTMLFormElement} form
 * @param {() => Promise<void>} work
 */
export function onSubmit(form, work) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void runOnce(form.querySelectorAll('button'), work);
  });
}

/**
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} work
 */
export function onClick(button, work) {
  button.addEventListener('click', () => void runOnce([button], work));
}

/**
 * @param {Iterable<HTMLButtonElement>} buttons
 * @param {() => Promise<void>} work
 */
async function runOnce(buttons, work) {
  const all = [...buttons];
  for (const button of all) button.disabled = true;
  notify('');
  try {
    await work();
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error));
  } finally {
    for (const button of all) button.disabled = false;
  }
}
