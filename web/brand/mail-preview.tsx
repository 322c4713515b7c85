// Every mail of the service with the brand, one at a time, in a frame that runs nothing.
import { useState } from 'preact/hooks';
import { Field } from '../parts/form-parts.tsx';
import { facts, fill } from '../parts/page-data.ts';
import { nameLanguage, preview, texts } from './brand-facts.ts';

export function MailPreview() {
  const [first] = preview.mails;
  const [name, setName] = useState(first?.name ?? '');
  const [language, setLanguage] = useState(facts.language);
  const subject = preview.mails.find((mail) => mail.name === name)?.subjects[language] ?? '';
  return (
    <section class="card step" aria-labelledby="mails">
      <h2 id="mails">{texts.mails}</h2>
      <div class="choices">
        <Field label={texts.message}>
          {({ id }) => (
            <select id={id} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
              {preview.mails.map((mail) => (
                <option key={mail.name} value={mail.name}>
                  {mail.subjects[facts.language]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={texts.language}>
          {({ id }) => (
            <select id={id} value={language} onChange={({ currentTarget }) => setLanguage(currentTarget.value)}>
              {preview.languages.map((each) => (
                <option key={each} value={each}>
                  {nameLanguage(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <p>
        {fill(texts.subject, { subject })} <code>mail.{name}</code>
      </p>
      <iframe class="mail" title={subject} src={`/brand/mail/${name}?language=${language}`} sandbox="" />
    </section>
  );
}
