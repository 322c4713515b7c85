// The inbox of a Gatehouse in local mode, as a test reads it: the code or link of the next message to somebody.

export type TestInbox = {
  /** The code in the newest message to a phone number or address that was not given before; waits for it. */
  code(recipient: string): Promise<string>;
  /** The login link in such a message; what stands behind the # is the token. */
  link(email: string): Promise<string>;
};

type Message = { readonly id: string; readonly subject?: string; readonly text: string };

const longestWaitMilliseconds = 10_000;
const pauseMilliseconds = 50;

export function createTestInbox(url: string): TestInbox {
  const given = new Set<string>();
  const next = async (to: string, find: (message: Message) => string | undefined): Promise<string> => {
    for (const begin = Date.now(); Date.now() - begin < longestWaitMilliseconds; ) {
      const response = await fetch(`${url}/api/inbox?to=${encodeURIComponent(to)}`);
      const { data } = (await response.json()) as { data: { messages: Message[] } };
      const message = data.messages.find((one) => !given.has(one.id) && find(one) !== undefined);
      const found = message && find(message);
      if (message !== undefined && found !== undefined) {
        given.add(message.id);
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
