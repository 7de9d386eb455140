// A table in the browser: it follows the stream, morphs what changed, and posts decisions. The server decides
// everything; here is only what a page must do by itself.
import { arm } from "./arming.js";
import { page } from "./here.js";
import "./clocks.js";
import "./hints.js";
import "./keeping.js";
import "./keys.js";
import "./knock.js";
import "./past.js";
import { bringChoices } from "./sight.js";
import { listen } from "./stream.js";
import "./title.js";

page.classList.remove("still"); // without this script nothing can be chosen, and nothing looks as if it could
arm();
bringChoices();
listen();
