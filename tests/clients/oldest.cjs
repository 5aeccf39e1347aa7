// SQLite 3.35.0 (sql.js 1.5.0): runs the SQL of standard input in memory, then
// prints the rows of the query given first, with tabs.
const fs = require("fs");
const path = require("path");
const dist = path.join(__dirname, "node_modules", "sql.js", "dist");

require(path.join(dist, "sql-wasm.js"))({
  wasmBinary: fs.readFileSync(path.join(dist, "sql-wasm.wasm")),
}).then((SQL) => {
  const db = new SQL.Database();
  db.exec(fs.readFileSync(0, "utf8"));
  for (const { values } of db.exec(process.argv[2])) {
    for (const row of values) console.log(row.join("\t"));
  }
});
