// The states of the sign-in page.
import assert from 'node:assert/strict';
import { codeIn, newPhone } from '../../helpers/browser/page-stage.ts';
import { hold, type Look, refuse, type Scene } from './look.ts';

const sendPath = '/api/auth/phone/send/otp';
const loginPath = '/api/auth/phone/login';
/** A number that nobody sends anything to. */
const typed = '+44 7400 900111';

const open = ({ page, url }: Scene) => page.goto(`${url}/`);

async function typePhone({ page, say }: Scene, phone = typed): Promise<void> {
  await page.getByLabel(say.page('sign-in.phone'), { exact: true }).fill(phone);
}

async function sendCode(scene: Scene, phone = typed): Promise<void> {
  await open(scene);
  await typePhone(scene, phone);
  await scene.page.getByRole('button', { name: scene.say.page('sign-in.sendCode') }).click();
}

/** The step that asks for the code, without a message: the send is only played. */
async function askForCode(scene: Scene): Promise<void> {
  const { page, url } = scene;
  const json = { success: true, message: 'sent', codeError: null, data: {} };
  await page.route(`${url}${sendPath}`, (route) => route.fulfill({ json }));
  await sendCode(scene);
  await codeField(scene).waitFor();
}

/** A captcha that is solved to a part: its worker reports that, and then nothing else. */
async function holdCaptcha({ page, url }: Scene): Promise<void> {
  await page.route(`${url}/`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('provider&quot;:&quot;open', 'provider&quot;:&quot;altcha');
    await route.fulfill({ response, body });
  });
  const json = { success: true, message: 'challenge', codeError: null, data: {} };
  await page.route(`${url}/api/auth/captcha/challenge`, (route) => route.fulfill({ json }));
  const body = 'addEventListener("message", () => setInterval(() => postMessage({ share: 0.6 }), 50));';
  await page.route(/\/captcha-worker[^/]*\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body }));
}

const codeField = ({ page, say }: Scene) => page.getByLabel(say.page('sign-in.code'));

async function refusedCode(scene: Scene, ...refusal: Refusal): Promise<void> {
  await refuse(scene, loginPath, ...refusal);
  await askForCode(scene);
  await codeField(scene).fill('123456');
  await alert(scene);
}

type Refusal = [status: number, code: Parameters<Scene['say']['failure']>[0], values?: Record<string, number>];

const alert = ({ page }: Scene) => page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();

async function openEmail(scene: Scene): Promise<void> {
  await scene.page.goto(`${scene.url}/#email`);
  await scene.page.getByLabel(scene.say.page('sign-in.email'), { exact: true }).waitFor();
}

export const signInLooks: readonly Look[] = [
  {
    name: 'sign-in-empty',
    who: 'guest',
    show: async (scene) => {
      await open(scene);
      await typePhone(scene, '');
    },
  },
  {
    name: 'sign-in-phone',
    who: 'guest',
    show: async (scene) => {
      await open(scene);
      await typePhone(scene);
    },
  },
  {
    name: 'sign-in-wrong-number',
    who: 'guest',
    statuses: [400, 422],
    show: async (scene) => {
      await sendCode(scene, '12');
      await alert(scene);
    },
  },
  {
    name: 'sign-in-rate-limited',
    who: 'guest',
    statuses: [429],
    show: async (scene) => {
      await refuse(scene, sendPath, 429, 'OTP_SEND_LIMIT', { retryAfterSeconds: 540 });
      await sendCode(scene);
      await alert(scene);
    },
  },
  {
    name: 'sign-in-sending',
    who: 'guest',
    show: async (scene) => {
      await hold(scene, sendPath);
      await sendCode(scene);
      await scene.page.locator('button[aria-busy="true"], button:disabled').first().waitFor();
    },
  },
  {
    name: 'sign-in-captcha',
    who: 'guest',
    show: async (scene) => {
      await holdCaptcha(scene);
      await sendCode(scene);
      await scene.page.locator('progress').waitFor();
    },
  },
  {
    name: 'sign-in-code',
    who: 'guest',
    show: async (scene) => {
      const { phone } = newPhone();
      await sendCode(scene, phone);
      const [message] = await scene.messages(phone);
      const code = codeIn(message ?? assert.fail());
      await scene.page.getByRole('button', { name: `${code.slice(0, 3)} ${code.slice(3)}` }).waitFor();
      await codeField(scene).pressSequentially(code.slice(0, 3));
    },
  },
  {
    name: 'sign-in-wrong-code',
    who: 'guest',
    statuses: [400, 401, 422],
    show: (scene) => refusedCode(scene, 422, 'OTP_INVALID', { left: 3 }),
  },
  {
    name: 'sign-in-expired-code',
    who: 'guest',
    statuses: [410],
    show: (scene) => refusedCode(scene, 410, 'OTP_EXPIRED'),
  },
  {
    name: 'sign-in-no-attempts-left',
    who: 'guest',
    statuses: [429],
    show: (scene) => refusedCode(scene, 429, 'OTP_ATTEMPTS_EXCEEDED'),
  },
  {
    name: 'sign-in-closed',
    who: 'guest',
    statuses: [403],
    show: (scene) => refusedCode(scene, 403, 'SIGNUP_CLOSED'),
  },
  {
    name: 'sign-in-blocked',
    who: 'guest',
    statuses: [403],
    show: (scene) => refusedCode(scene, 403, 'USER_BLOCKED'),
  },
  { name: 'sign-in-email', who: 'guest', show: openEmail },
  {
    name: 'sign-in-email-sent',
    who: 'guest',
    show: async (scene) => {
      const { page, say } = scene;
      await openEmail(scene);
      await page.getByLabel(say.page('sign-in.email'), { exact: true }).fill('nobody@example.com');
      await page.getByRole('button', { name: say.page('sign-in.sendLink') }).click();
      await page.getByRole('heading', { name: say.page('sign-in.mailedTitle') }).waitFor();
    },
  },
  {
    name: 'sign-in-ended',
    who: 'guest',
    show: async ({ page, url, say }) => {
      await page.goto(`${url}/?next=/account&why=ended`);
      await page.getByText(say.page('sign-in.wasEnded')).waitFor();
    },
  },
  {
    name: 'sign-in-offline',
    who: 'guest',
    statuses: [0],
    show: async (scene) => {
      await scene.page.route(`${scene.url}${sendPath}`, (route) => route.abort());
      await sendCode(scene);
      await alert(scene);
    },
  },
];
