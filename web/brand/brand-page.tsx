// The preview of the brand: problems of the file, light and dark side by side, and every message.

import { fill } from '../parts/page-data.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import './brand-page.css';
import { nameLanguage, preview, texts } from './brand-facts.ts';
import { MailPreview } from './mail-preview.tsx';
import { SchemeView } from './scheme-view.tsx';

export function BrandPage() {
  const { file, problems, sms } = preview;
  return (
    <PageFrame texts={texts} current="/brand" width="wide">
      <header>
        <h1>{texts.title}</h1>
        <p class="quiet-text">{file === null ? texts.noFile : fill(texts.lead, { file })}</p>
      </header>
      {problems.length > 0 && (
        <section class="card step" aria-labelledby="problems">
          <h2 id="problems" class="fails">
            {texts.problems}
          </h2>
          <ul class="problems">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </section>
      )}
      <div class="schemes">
        <SchemeView scheme="light" />
        <SchemeView scheme="dark" />
      </div>
      <section class="card step" aria-labelledby="sms">
        <h2 id="sms">{texts.sms}</h2>
        <ul class="sms-list">
          {sms.map(({ language, text, isInEnglish, ...length }) => (
            <li key={language}>
              <h3>{nameLanguage(language)}</h3>
              <p class="bubble" lang={isInEnglish ? 'en' : language} dir="auto">
                {text}
              </p>
              <p class="quiet-text">{fill(texts.segments, length)}</p>
              {isInEnglish && <p class="quiet-text">{texts.inEnglish}</p>}
            </li>
          ))}
        </ul>
      </section>
      <MailPreview />
    </PageFrame>
  );
}
