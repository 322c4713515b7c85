// The styles and the script of the documentation.
import '../style/tokens.css';
import '../style/colours.css';
import './docs.css';
import '../style/skip-link.css';
import './frame.css';
import './search.css';
import './code.css';
import './start-page.css';
import './topic-page.css';
import './reference-page.css';
import './try-form.css';
import './errors-page.css';
import './reading.ts';
import './language-tabs.ts';
import './search.ts';
import './try.ts';
