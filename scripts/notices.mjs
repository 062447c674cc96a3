/**
 * Writes what a package and an image state of the packages of others that they run: `dist/THIRD-PARTY-NOTICES.txt`, the licence of each, and
 * `dist/sbom.cdx.json`, all of them with versions and hashes (CycloneDX). The packages of the console, which are part of its
 * files, are in `dist/console/licences.md`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => path.join(root, ...parts);
const json = file => JSON.parse(readFileSync(inRoot(file), 'utf8'));
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

/** The installed packages that a program without development packages loads, by folder. */
const packages = Object.entries(json('package-lock.json').packages).filter(
  ([folder, { dev, link }]) =>
    folder.startsWith('node_modules/') && !dev && !link && existsSync(inRoot(folder)),
);

function noticeOf([folder, { version, license }]) {
  const texts = readdirSync(inRoot(folder))
    .filter(name => LICENCE_FILE.test(name))
    .map(name => readFileSync(inRoot(folder, name), 'utf8').trim());
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const none = 'The package has no text of its licence.';
  return `${name} ${version}: ${license}\n\n${texts.length > 0 ? texts.join('\n\n') : none}\n`;
}

/** All packages of the lock without those of development; `--omit dev` of npm also leaves out packages that others name as peers. */
function sbom() {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`npm sbom: ${stderr}`);
  const document = JSON.parse(stdout);
  const isOwn = ({ properties = [] }) =>
    !properties.some(({ name }) => name === 'cdx:npm:package:development');
  const components = document.components.filter(isOwn);
  // npm takes the name of the folder.
  document.metadata.component.name = json('package.json').name;
  const kept = new Set([document.metadata.component, ...components].map(each => each['bom-ref']));
  const dependencies = document.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(each => kept.has(each)) }));
  return `${JSON.stringify({ ...document, components, dependencies }, null, 1)}\n`;
}

mkdirSync(inRoot('dist'), { recursive: true });
writeFileSync(inRoot('dist/THIRD-PARTY-NOTICES.txt'), packages.map(noticeOf).join(`\n${'-'.repeat(72)}\n\n`));
writeFileSync(inRoot('dist/sbom.cdx.json'), sbom());
