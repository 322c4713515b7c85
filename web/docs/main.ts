// The styles and the script of the API reference and the error catalogue.
import '../style/colours.css';
import './docs.css';
import '../style/skip-link.css';
import './frame.css';
import './reference-page.css';
import './try-form.css';
import './errors-page.css';
import './try.ts';
