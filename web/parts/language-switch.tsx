// The language switch in the footer of every page. The choice stays in a cookie, and the page comes back where it was.
import { Icon, languageIcon } from './icon.tsx';
import './language-switch.css';
import { facts } from './page-data.ts';
import { reloadIn } from './reload-in.ts';

export function LanguageSwitch({ label }: { readonly label: string }) {
  return (
    <div class="language-switch">
      <Icon of={languageIcon} />
      <select
        aria-label={label}
        // Firefox would keep the choice of the visitor over a reload that failed.
        autocomplete="off"
        value={facts.language}
        onChange={({ currentTarget }) => reloadIn(currentTarget.value)}
      >
        {facts.languages.map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
