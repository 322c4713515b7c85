// The style of the element. A page changes it with custom properties and ::part(); light or dark follows the page's color-scheme.
// The element's own properties begin with an underscore, so that they never meet those of the page.

export const elementStyle = `
:host {
  --_accent: var(--gatehouse-accent, light-dark(#3346c8, #a3b4ff));
  --_on-accent: var(--gatehouse-on-accent, light-dark(#ffffff, #10142b));
  --_card: var(--gatehouse-background, light-dark(#ffffff, #14161b));
  --_field: var(--gatehouse-field, var(--_card));
  --_ink: var(--gatehouse-text, light-dark(#16181d, #eceef2));
  --_quiet: var(--gatehouse-quiet, light-dark(#59606e, #a3abb9));
  --_line: var(--gatehouse-border, light-dark(#e6e8ed, #262a32));
  --_edge: var(--gatehouse-field-border, light-dark(#868e9c, #747d8c));
  --_bad: var(--gatehouse-error, light-dark(#b3261e, #ffaaa3));
  --_good: var(--gatehouse-success, light-dark(#12703a, #7fdba4));
  --_radius: var(--gatehouse-radius, 10px);
  --_sans: var(--gatehouse-font, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
  --_mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --_soft: color-mix(in srgb, var(--_ink) 5%, transparent);
  --_ring: 0 0 0 3px color-mix(in srgb, var(--_accent) 24%, transparent);
  display: block;
  max-inline-size: 26rem;
  color: var(--_ink);
  font: 1rem / 1.55 var(--_sans);
  text-align: start;
  container-type: inline-size;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.card {
  padding: var(--gatehouse-padding, clamp(1.25rem, 7cqi, 2rem));
  background: var(--_card);
  border: 1px solid var(--_line);
  border-radius: var(--gatehouse-card-radius, 20px);
  box-shadow: var(--gatehouse-shadow, 0 1px 2px rgb(20 26 46 / 6%), 0 12px 32px -16px rgb(20 26 46 / 18%));
}
form, .step { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
h2, p { margin: 0; }
h2 { font-size: 1.5rem; font-weight: 650; line-height: 1.2; letter-spacing: -0.02em; text-wrap: balance; outline: none; }
h2:dir(rtl) { letter-spacing: 0; }
.lead { margin-block-start: -0.5rem; color: var(--_quiet); overflow-wrap: anywhere; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.375rem; }
label { font-size: 0.875rem; font-weight: 550; }
input, select { font: inherit; color: inherit; }
.field > input, .phone-box {
  inline-size: 100%;
  min-block-size: 3rem;
  padding: 0.5rem 0.875rem;
  background: var(--_field);
  border: 1px solid var(--_edge);
  border-radius: var(--_radius);
  font-size: 1.0625rem;
  transition: border-color 140ms, box-shadow 140ms;
}
.field > input:focus, .phone-box:focus-within {
  border-color: var(--_accent);
  outline: 1px solid var(--_accent);
  box-shadow: var(--_ring);
}
[aria-invalid="true"], .phone-box:has([aria-invalid="true"]) { border-color: var(--_bad); }
.phone-box { display: flex; padding: 0; direction: ltr; }
.phone-box > input { flex: 1; min-inline-size: 0; padding: 0.5rem 0.875rem; background: none; border: 0; outline: none; }
.country {
  position: relative;
  display: flex;
  align-items: center;
  gap: 0.375rem;
  padding-inline: 0.875rem 0.625rem;
  border-inline-end: 1px solid var(--_line);
  border-start-start-radius: calc(var(--_radius) - 1px);
  border-end-start-radius: calc(var(--_radius) - 1px);
  color: var(--_quiet);
  font-size: 0.9375rem;
  white-space: nowrap;
}
.country:hover, .country:focus-within { background: var(--_soft); color: var(--_ink); }
.country > select { position: absolute; inset: 0; inline-size: 100%; opacity: 0; font-size: 1rem; cursor: pointer; }
option { background: var(--_card); color: var(--_ink); }
.icon { flex: none; inline-size: 1.25rem; block-size: 1.25rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.country > .icon { inline-size: 1rem; block-size: 1rem; }
.code-field { position: relative; direction: ltr; }
.digits { display: grid; grid-template-columns: repeat(6, 1fr); gap: clamp(0.25rem, 2cqi, 0.5rem); }
.digit { display: grid; place-items: center; block-size: 3.5rem; background: var(--_field); border: 1px solid var(--_edge); border-radius: var(--_radius); font: 600 1.5rem / 1 var(--_mono); transition: border-color 140ms, box-shadow 140ms; }
.digit.active { border-color: var(--_accent); box-shadow: inset 0 0 0 1px var(--_accent), var(--_ring); }
.digit.active:empty::after { inline-size: 2px; block-size: 1.5rem; background: var(--_accent); content: ""; }
.code-field:has([aria-invalid="true"]) .digit { border-color: var(--_bad); }
.code-field > input { position: absolute; inset: 0; inline-size: 100%; padding: 0 0 0 1rem; background: none; border: 0; outline: none; color: transparent; caret-color: transparent; font: 600 1.5rem / 1 var(--_mono); letter-spacing: 1.25em; }
.code-field > input::selection { background: transparent; }
.button {
  position: relative;
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 0.5rem;
  min-block-size: 2.75rem;
  padding: 0.5rem 1rem;
  overflow: hidden;
  background: var(--_card);
  border: 1px solid var(--_edge);
  border-radius: var(--_radius);
  color: var(--_ink);
  font: 550 0.9375rem / 1.3 var(--_sans);
  cursor: pointer;
  transition: background-color 140ms, border-color 140ms;
}
.button[hidden] { display: none; }
.button:hover { background: var(--_soft); }
.button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
.button.primary:hover { background: color-mix(in srgb, var(--_accent) 86%, var(--_ink)); }
.button.quiet { background: none; border-color: transparent; color: var(--_accent); }
.button.quiet:hover { background: var(--_soft); }
.button:disabled, .button.primary:disabled { background: none; border-color: transparent; color: var(--_quiet); cursor: default; }
.button[aria-busy="true"]::before { inline-size: 1em; block-size: 1em; border: 2px solid currentColor; border-inline-end-color: transparent; border-radius: 50%; content: ""; }
.button[aria-busy="true"]::after { position: absolute; inset-block-end: 0; inset-inline-start: 0; inline-size: calc(var(--_progress, 0) * 100%); block-size: 3px; background: currentColor; content: ""; }
.link { padding: 0; background: none; border: 0; color: var(--_accent); font: inherit; font-weight: 550; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; cursor: pointer; }
:is(.button, .link, .chip):focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
.link:focus-visible, .chip:focus-visible { border-radius: 6px; }
.chip { justify-self: start; padding: 0.375rem 0.875rem; border-radius: 999px; background: light-dark(#fdf2de, #33260e); color: light-dark(#6f4300, #f2c26b); font-size: 0.9375rem; font-weight: 550; text-decoration: none; }
.notice { display: flex; gap: 0.5rem; padding: 0.6875rem 0.875rem; border-radius: var(--_radius); font-size: 0.9375rem; line-height: 1.45; }
.notice > span { min-inline-size: 0; overflow-wrap: anywhere; }
.notice:empty { position: absolute; padding: 0; }
.notice.bad { background: color-mix(in srgb, var(--_bad) 9%, var(--_card)); color: var(--_bad); }
.notice.good { background: color-mix(in srgb, var(--_good) 10%, var(--_card)); color: var(--_good); }
.done { display: flex; align-items: center; gap: 0.75rem; }
.done > .icon { inline-size: 2rem; block-size: 2rem; color: var(--_good); }
.done > h2 { font-size: 1.125rem; letter-spacing: -0.01em; }
.bone { block-size: 3rem; border-radius: var(--_radius); background: var(--_soft); }
.bone:first-child { inline-size: 45%; block-size: 1.75rem; }
@media (prefers-reduced-motion: no-preference) {
  .button[aria-busy="true"]::before { animation: turn 700ms linear infinite; }
  .digit.active:empty::after { animation: caret 1.1s steps(1) infinite; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) { .digit.active { outline: 2px solid Highlight; } }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes caret { 50% { opacity: 0; } }
`;
