// `serve --lan`: local mode for phones and other machines of the same network. Finds the address, and draws it as a QR code.
import { networkInterfaces } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { Piece } from '../../kernel/text/terminal-style.ts';
import { CommandError } from '../command-error.ts';

type Interfaces = ReturnType<typeof networkInterfaces>;
type Env = Readonly<Record<string, string | undefined>>;

/** Bridges, tunnels and virtual machines: a phone does not reach them. They are the last choice. */
const virtualName =
  /^(?:docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|utun|tun|tap|wg|tailscale|zt|cni|flannel|lxc|podman)/i;

/** The IPv4 addresses of this machine that others in the network may reach, the most likely one first. */
export function findLanAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))
      .map(({ address }) => ({ address, rank: (virtualName.test(name) ? 2 : 0) + (isPrivate(address) ? 0 : 1) })),
  );
  return found.toSorted((a, b) => a.rank - b.rank).map(({ address }) => address);
}

function isPrivate(address: string): boolean {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address);
}

/** Local mode must stay a choice: settings that say where the service is are never overruled. */
export function toLan(config: Config, env: Env, addresses: readonly string[]): Config {
  const set = ['PUBLIC_URL', 'HOST'].filter((name) => (env[name] ?? '').trim() !== '');
  if (config.mode === 'production' || set.length > 0)
    throw new CommandError(
      `--lan is for local mode, and ${set.join(' and ')} ${set.length === 2 ? 'are' : 'is'} set. Remove the setting, or start without --lan.`,
      78,
    );
  const [address, ...others] = addresses;
  if (address === undefined)
    throw new CommandError(
      '--lan finds no IPv4 address of this machine. Connect the machine to a network, or start without --lan.',
    );
  const publicUrl = `http://${address}:${config.listen.port}`;
  const isOwnLink = config.loginLinkUrl === `${config.publicUrl}/login/link`;
  return Object.freeze({
    ...config,
    publicUrl,
    loginLinkUrl: isOwnLink ? `${publicUrl}/login/link` : config.loginLinkUrl,
    // Metrics are for this machine.
    listen: { ...config.listen, host: '0.0.0.0', metricsPort: undefined },
    warnings: [
      'Everyone in this network can open the inbox and sign in as anyone. Use --lan only in a network that you trust.',
      ...(config.captcha.scheme === 'open'
        ? []
        : [
            'Browsers solve a captcha only on https and localhost: other machines cannot request a code. Remove CAPTCHA_URL.',
          ]),
      ...(others.length > 0
        ? [`This machine has other addresses too: ${others.join(', ')}. Cookies belong to one address.`]
        : []),
      ...config.warnings,
    ],
  });
}

/** Two modules in each character. With colours it is black on white, whatever the terminal looks like. */
function drawCode(modules: readonly (readonly boolean[])[]): Piece[] {
  const rows = Array.from({ length: Math.ceil(modules.length / 2) }, (_, index) => {
    const [upper = [], lower = []] = modules.slice(index * 2, index * 2 + 2);
    return upper.map((isDark, at) => blocks[isDark ? 1 : 0][lower[at] === true ? 1 : 0]).join('');
  });
  return rows.flatMap((text): Piece[] => ['  ', { text, style: 'paper' }, '\n']);
}

/** By whether the upper and the lower module are dark. */
const blocks = [
  [' ', '▄'],
  ['▀', '█'],
] as const;

export async function writeLanCode(publicUrl: string): Promise<Piece[]> {
  const qr = await import('qr');
  const modules = qr.encodeQR(`${publicUrl}/`, 'raw', { ecc: 'low', border: 2 });
  return ['  Open it on a phone in the same network:\n\n', ...drawCode(modules), `\n  ${publicUrl}/\n\n`];
}
