// Reads the inbox of a Gatehouse in local mode: the code or link of the next message to a recipient.

export type TestInbox = {
  /**
   * Waits up to ten seconds for a new message to a phone number or e-mail address, and returns its code.
   * Each message is returned once.
   * @example
   * await gatehouse.phone.sendCode('+12025550123');
   * await gatehouse.phone.signIn('+12025550123', await service.inbox.code('+12025550123'));
   */
  code(recipient: string): Promise<string>;
  /**
   * Waits in the same way, and returns the sign-in link. The token is the part after the `#`.
   * @example
   * await gatehouse.email.sendLink('ann@example.com');
   * const link = await service.inbox.link('ann@example.com');
   * await gatehouse.email.signIn(new URL(link).hash.slice(1));
   */
  link(email: string): Promise<string>;
};

type Message = { readonly id: string; readonly subject?: string; readonly text: string };

const maxWaitMilliseconds = 10_000;
const pauseMilliseconds = 50;

export function createTestInbox(url: string): TestInbox {
  const returned = new Set<string>();
  const next = async (to: string, find: (message: Message) => string | undefined): Promise<string> => {
    for (const startedAt = Date.now(); Date.now() - startedAt < maxWaitMilliseconds; ) {
      const response = await fetch(`${url}/api/inbox?to=${encodeURIComponent(to)}`);
      const { data } = (await response.json()) as { data: { messages: Message[] } };
      const message = data.messages.find((one) => !returned.has(one.id) && find(one) !== undefined);
      const found = message && find(message);
      if (message !== undefined && found !== undefined) {
        returned.add(message.id);
        return found;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
    throw new Error(`no new message to ${to}`);
  };
  return {
    code: (recipient) =>
      next(recipient, ({ text, subject = '' }) => (/#(\d{6})\s*$/.exec(text) ?? /^(\d{6}) /.exec(subject))?.[1]),
    link: (email) => next(email, ({ text }) => /https?:\/\/\S+#[\w-]{43}/.exec(text)?.[0]),
  };
}
