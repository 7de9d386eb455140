// boardgame.io's own server with that game: NODE_ENV=production node server.js PORT memory|FOLDER. It says "ready" when it
// answers.
import { argv } from "node:process";

import server from "boardgame.io/dist/cjs/server.js";
import { game } from "./game.js";

const [port, where] = argv.slice(2);
const db = where === "memory" ? undefined : new server.FlatFile({ dir: where });
const served = server.Server({ games: [game], db, origins: [/^http:\/\/127\.0\.0\.1/] });
served.run({ port: Number(port), callback: () => console.log("ready") });
