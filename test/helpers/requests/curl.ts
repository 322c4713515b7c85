// Runs the real curl: the last answer, and the number of redirects before it.
import { execFile, spawnSync } from 'node:child_process';

type Fetched = {
  readonly status: number;
  readonly redirects: number;
  /** Names in lower case. The values of a repeated header are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0;
}

/** Does not block, because the service may run in this process. */
export async function curl(...args: readonly string[]): Promise<Fetched> {
  let rest = await run(['-q', '-sS', '-L', '-i', '--max-time', '60', ...args]);
  let head = '';
  let redirects = 0;
  while (rest.toString('latin1', 0, 5) === 'HTTP/') {
    const end = rest.indexOf('\r\n\r\n');
    head = rest.toString('latin1', 0, end);
    rest = rest.subarray(end + 4);
    if (/^location:/im.test(head)) redirects += 1;
  }
  const [first = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return { status: Number(first.split(' ')[1]), redirects, headers, body: rest };
}

function run(args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile('curl', args, { encoding: 'buffer', maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`curl ${args.at(-1)}: ${stderr.toString()}`));
    });
  });
}
