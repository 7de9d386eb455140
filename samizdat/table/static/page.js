// Every page. Nothing here is needed to play.
import "./app.js";
import "./copying.js";
import "./elsewhere.js";
import "./forms.js";
import "./luck.js";
import "./menus.js";
import "./rooms.js";
import "./theme.js";
