// One scheme of the brand: the logo, a sign-in card with an error, and every kind of button, all light or all dark.
import { brand } from '../parts/brand.ts';
import { Button, Field, Notice } from '../parts/form-parts.tsx';
import { type Contrast, preview, type Scheme, sample, texts } from './brand-facts.ts';
import { variablesOf } from './scheme-variables.ts';

const uses: Readonly<Record<Contrast['what'], string>> = {
  button: texts.button,
  'button-hover': texts.buttonHover,
  link: texts.link,
  focus: texts.focus,
};

export function SchemeView({ scheme }: { readonly scheme: Scheme }) {
  return (
    <section class="scheme" style={variablesOf(scheme)} aria-labelledby={`scheme-${scheme}`}>
      <h2 id={`scheme-${scheme}`}>{texts[scheme]}</h2>
      <p class="brand">
        {brand.logo === null ? <Mark /> : <img class="logo" src={brand.logo[scheme]} alt={brand.name} />}
      </p>
      <SampleCard />
      <ContrastTable scheme={scheme} />
    </section>
  );
}

function Mark() {
  return (
    <>
      {brand.initial !== null && (
        <span class="initial" aria-hidden="true">
          {brand.initial}
        </span>
      )}
      {brand.name}
    </>
  );
}

function SampleCard() {
  return (
    <div class="card step">
      <h3>{sample.title}</h3>
      <p class="lead">{sample.phoneLead}</p>
      <Field label={sample.phone}>
        {({ id }) => <input id={id} type="tel" value="07400 12" aria-invalid="true" />}
      </Field>
      <Notice kind="bad">{texts.phoneInvalid}</Notice>
      <Button kind="primary">{sample.sendCode}</Button>
      <Button kind="plain">{texts.cancel}</Button>
      <Button kind="quiet">{sample.useEmail}</Button>
      <p>
        <a href="#main">{texts.terms}</a>
      </p>
    </div>
  );
}

function ContrastTable({ scheme }: { readonly scheme: Scheme }) {
  return (
    <table class="contrast">
      <caption>{texts.contrast}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.colours}</th>
          <th scope="col">{texts.ratio}</th>
          <th scope="col">{texts.least}</th>
        </tr>
      </thead>
      <tbody>
        {preview.contrast
          .filter((each) => each.scheme === scheme)
          .map(({ what, foreground, background, ratio, least }) => (
            <tr key={`${what}${background}`}>
              <th scope="row">
                <span class="swatch" style={{ color: foreground, background }} aria-hidden="true">
                  Aa
                </span>{' '}
                {uses[what]}
                <code>
                  {foreground} / {background}
                </code>
              </th>
              <td class={ratio < least ? 'fails' : undefined}>{(Math.floor(ratio * 100) / 100).toFixed(2)}</td>
              <td>{least}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
