// The styles and the script of the documentation.
import '../../../web/style/tokens.css';
import '../../../web/style/colours.css';
import './docs.css';
import '../../../web/style/skip-link.css';
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
