// GET /brand and GET /brand/mail/{name}, in local mode: the operator's brand as its file is now, on a page and in every mail.
import { showBrand } from '../../brand/brand.ts';
import { type BrandNow, describePreview } from '../../brand/preview.ts';
import { writeSampleMail } from '../../brand/sample-messages.ts';
import { Failure } from '../../kernel/failure.ts';
import { languages } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import type { HostGuard } from '../guards/host.ts';
import type { Routes } from '../server/server.ts';
import type { PageSender } from './page-routes.ts';

/** Allows inline styles, but no scripts and nothing from other hosts. */
const mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox";

type PreviewParts = {
  /** Reads the file again. */
  readonly readBrand: () => BrandNow;
  readonly publicUrl: string;
  readonly sendPage: PageSender;
  readonly host: HostGuard;
};

export function registerBrandPreview(server: Routes, parts: PreviewParts): void {
  const { readBrand, publicUrl, sendPage, host } = parts;
  server.get('/brand', async (request, reply) => {
    host(request);
    const now = readBrand();
    const { title, phoneLead, phone, sendCode, useEmail } = textsIn(request.language).pages['sign-in'];
    return sendPage(reply, 'brand', request.language, {
      // The page shows logos that no address serves before the next start.
      brand: showBrand(now.brand, (_, { type, base64 }) => `data:${type};base64,${base64}`),
      preview: describePreview(now, publicUrl),
      sample: { title, phoneLead, phone, sendCode, useEmail },
    });
  });
  server.get('/brand/mail/:name', async (request, reply) => {
    host(request);
    const { language: wanted } = request.query;
    const language = languages.find((each) => each === wanted) ?? request.language;
    const mail = writeSampleMail(readBrand().brand, request.params.name ?? '', language, publicUrl);
    if (mail === undefined) throw new Failure('NOT_FOUND');
    return reply
      .headers({ 'content-security-policy': mailPolicy, 'x-frame-options': 'SAMEORIGIN' })
      .type('text/html; charset=utf-8')
      .send(mail.html);
  });
}
