// npm packages hold no symbolic links: the package lists those of its libraries in a file, and they are made here.
// Usage: node symlinks.js <folder of the package>
const { readFileSync, rmSync, symlinkSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");

const root = process.argv[2];
for (const { source, target } of JSON.parse(readFileSync(join(root, "native/pg-symlinks.json"), "utf8"))) {
  rmSync(join(root, target), { force: true });
  symlinkSync(relative(dirname(target), source), join(root, target));
}
