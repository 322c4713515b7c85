// GET /brand.css and GET /brand/logo-light, /brand/logo-dark: the colours and logos of the operator, for every page.
import { usualAccent } from '../../brand/accent.ts';
import { type Brand, logoPath, logoSides, showBrand } from '../../brand/brand.ts';
import { writeBrandCss } from '../../brand/brand-css.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import type { HttpReply } from '../server/reply.ts';
import type { HttpRequest } from '../server/request.ts';
import type { Routes } from '../server/server.ts';
import { writeIcon } from './icon.ts';
import type { BrandHead } from './page-shell.ts';

const stylePath = '/brand.css';

/** Even if somebody opens the logo as a page, it loads nothing and runs nothing. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

type BrandFile = { readonly type: string; readonly content: Buffer; readonly hash: string };

/** The head of every page. The hash in the address of the style lets browsers keep it for ever. */
export function describeHead(brand: Brand): BrandHead {
  const css = styleOf(brand);
  return {
    name: brand.name,
    icon: writeIcon(showBrand(brand).initial, (brand.accent ?? usualAccent).light),
    style: css && `${stylePath}?v=${css.hash}`,
  };
}

/** A file that the brand does not have has no route. */
export function registerBrandRoutes(server: Routes, brand: Brand): void {
  const style = styleOf(brand);
  if (style !== undefined) server.get(stylePath, async (request, reply) => sendFile(request, reply, style));
  for (const side of logoSides) {
    const logo = brand.logo?.[side];
    if (logo === undefined) continue;
    const file = { type: logo.type, content: Buffer.from(logo.base64, 'base64'), hash: logo.hash };
    server.get(logoPath(side), async (request, reply) =>
      sendFile(request, reply.header('content-security-policy', logoPolicy), file),
    );
  }
}

function styleOf({ accent }: Brand): BrandFile | undefined {
  if (accent === null) return undefined;
  const content = Buffer.from(writeBrandCss(accent));
  return { type: 'text/css; charset=utf-8', content, hash: sha256(content).slice(0, 22) };
}

/** An address with another hash is that of another node or of an older start: nobody may keep the answer under it. */
function sendFile({ query, headers }: HttpRequest, reply: HttpReply, { type, content, hash }: BrandFile) {
  const { v } = query;
  const tag = `"${hash}"`;
  reply.headers({
    'cache-control': v === hash ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: tag,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  if (headers['if-none-match'] === tag) return reply.code(304).send();
  return reply.type(type).send(content);
}
