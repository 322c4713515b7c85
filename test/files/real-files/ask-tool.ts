// Asks the common tool of a format whether it opens a file without a complaint.
import { extname } from 'node:path';
import { type MediaType, mediaTypeNames, mediaTypes } from '#media/media-type';
import type { Refused } from './examine-files.ts';
import { knownType } from './gather-files.ts';
import { runTool, type ToolResult } from './run-tool.ts';

export type Opinion = {
  readonly tool: string;
  /** What the file is taken for. */
  readonly type: MediaType;
  readonly opens: boolean;
  readonly complaint: string;
};
type Tool = { readonly name: string; readonly run: (path: string) => Promise<ToolResult> };

/** Decodes every pixel. */
const identify: Tool = {
  name: 'identify',
  run: (path) => runTool('identify', ['-regard-warnings', '-format', '%#\n', path]),
};
/** Decodes every sample of sound and picture. Some warnings are about what it cannot know. */
const ffmpeg: Tool = {
  name: 'ffmpeg',
  run: async (path) => {
    const streams = ['-map', '0:a?', '-map', '0:v?', '-f', 'null', '-'];
    const { complaint, ...result } = await runTool('ffmpeg', ['-nostdin', '-v', 'warning', '-i', path, ...streams]);
    const lines = complaint.split('\n').filter((line) => !harmless.test(line));
    return { ...result, complaint: lines.join('\n') };
  },
};
const harmless =
  /Estimating duration|deprecated pixel format|Guessed Channel Layout|Cannot check for SPDIF|Application provided duration|Timestamps are unset/;
const unzip: Tool = { name: 'unzip', run: (path) => runTool('unzip', ['-tqq', path]) };
const qpdf: Tool = { name: 'qpdf', run: (path) => runTool('qpdf', ['--check', path]) };
const file: Tool = { name: 'file', run: () => Promise.resolve({ code: 0, out: Buffer.alloc(0), complaint: '' }) };

const byFamily = {
  image: identify,
  audio: ffmpeg,
  video: ffmpeg,
  text: file,
  archive: unzip,
  document: unzip,
} as const;

function toolOf(type: MediaType): Tool {
  return type === 'application/pdf' ? qpdf : byFamily[mediaTypes[type].family];
}

/** Undefined if neither the service nor file(1) nor the name says what the file is. */
export async function askTool({ file: { path, name, seen }, type }: Refused): Promise<Opinion | undefined> {
  const known = type ?? knownType(seen) ?? byExtension(name);
  if (known === undefined) return undefined;
  const tool = toolOf(known);
  if (tool === file && seen === undefined) return { tool: tool.name, type: known, opens: false, complaint: 'no text' };
  const { code, complaint } = await tool.run(path);
  const first =
    complaint
      .split('\n')[0]
      ?.replaceAll(path, name)
      .replaceAll(/ @ 0x[\da-f]+|`|'/g, '')
      .slice(0, 160) ?? '';
  return {
    tool: tool.name,
    type: known,
    opens: code === 0 && complaint === '',
    complaint: first || `exit code ${code}`,
  };
}

function byExtension(name: string): MediaType | undefined {
  const extension = extname(name).slice(1).toLowerCase();
  return mediaTypeNames.find((type) => mediaTypes[type].extensions.some((each) => each === extension));
}
