/**
 * Writes operations.py, the operations of the Python client with the types of their requests, from the description that the compiled
 * service gives of itself.
 *
 *   node clients/python/generate.mjs
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { QUESTIONS } = await import('../../dist/question/questions.js');
const { PROBLEMS } = await import('../../dist/server/answers/problem.js');
const { openApiDocument } = await import('../../dist/server/openapi/document.js');

const WIDTH = 120;
const KEYWORDS = ['and', 'as', 'class', 'from', 'global', 'if', 'in', 'is', 'lambda', 'or', 'with'];
const SCALARS = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' };

/** Classes of bodies, in the order in which a reader of types needs them: parts first. */
const classes = new Map();

const literal = values => `Literal[${values.map(value => JSON.stringify(value)).join(', ')}]`;
const unionOf = types => [...new Set(types)].join(' | ');
const pascal = name => name.replaceAll(/(?:^|[_-])([a-z])/g, (_, letter) => letter.toUpperCase());

/** The Python type of a schema; objects with members become classes. */
function typeOf(schema, name) {
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.enum !== undefined) return literal(schema.enum);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) {
    const objects = forms.filter(form => form.properties !== undefined);
    const others = forms.filter(form => form.properties === undefined).map(form => typeOf(form, name));
    return unionOf(objects.length > 0 ? [classOf(objects, name), ...others] : others);
  }
  if (schema.properties !== undefined) return classOf([schema], name);
  if (Array.isArray(schema.type)) return unionOf(schema.type.map(type => typeOf({ ...schema, type }, name)));
  if (schema.type === 'array')
    return `list[${schema.items === undefined || schema.items === false ? 'Any' : typeOf(schema.items, name)}]`;
  if (schema.type === 'object')
    return `dict[str, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, name) : 'Any'}]`;
  return SCALARS[schema.type] ?? 'Any';
}

/** Paragraphs of a comment, broken at the width. */
function comment(text, indent) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}#: ${word}`);
  }
  return lines;
}

/** One class for objects of several forms: what all of them require is required. */
function classOf(forms, name) {
  const members = new Map();
  for (const form of forms)
    for (const [member, schema] of Object.entries(form.properties)) {
      const types = members.get(member)?.types ?? [];
      members.set(member, { schema: members.get(member)?.schema ?? schema, types: [...types, schema] });
    }
  const isRequired = member => forms.every(form => form.required?.includes(member));
  // A member that is a word of the language cannot be written in a class.
  const isClass = [...members.keys()].every(member => !KEYWORDS.includes(member));
  const lines = [isClass ? `class ${name}(TypedDict):` : `${name} = TypedDict("${name}", {`];
  for (const [member, { schema, types }] of members) {
    const unit = schema['x-unit'] === undefined ? '' : ` [${schema['x-unit']}]`;
    const text = `${schema.description ?? ''}${unit}`.trim();
    if (text !== '') lines.push(...comment(text, '    '));
    const same = new Set(types.map(type => JSON.stringify(type))).size === 1 ? types.slice(0, 1) : types;
    const constants = same.filter(type => type.const !== undefined).map(type => type.const);
    const type =
      constants.length === same.length
        ? literal([...new Set(constants)])
        : unionOf(same.map(each => typeOf(each, name + pascal(member))));
    const need = `${isRequired(member) ? 'Required' : 'NotRequired'}[${type}]`;
    lines.push(isClass ? `    ${member}: ${need}` : `    "${member}": ${need},`);
  }
  if (!isClass) lines.push('})');
  classes.set(name, lines);
  return name;
}

const described = openApiDocument({ version: '0.0.0', routes: QUESTIONS, problems: PROBLEMS });
/** The objects of a schema with several forms. */
function formsOf(schema) {
  const own =
    schema.$ref === undefined ? schema : described.components.schemas[schema.$ref.split('/').at(-1)];
  return (own.oneOf ?? own.anyOf)?.flatMap(formsOf) ?? [own];
}
const methods = [];
for (const { path } of QUESTIONS) {
  const { summary, description, requestBody } = described.paths[path].post;
  const { schema } = requestBody.content['application/json'];
  const method = path.slice(1);
  const body = `${pascal(method)}Request`;
  classOf(formsOf(schema), body);
  const text = [`${summary}. ${description}`.replaceAll('\\', '\\\\')]
    .flatMap(each => comment(each, '        '))
    .map(line => line.replace('#: ', ''));
  methods.push(
    `    def ${method}(self, body: ${body}, **options: Any) -> Answer:`,
    `        """${text[0].trim()}`,
    ...text.slice(1),
    '',
    '        :param options: as of `ask`: seed, compute, include, market_data and members of the query',
    '        """',
    `        return self.ask("${path}", body, **options)`,
    '',
  );
}

const head = `"""The operations and the types of their requests. Generated by generate.mjs from openapi.json; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, Required, TypedDict

from .answer import Answer

`;
/** The text of operations.py. */
export const text = [
  head,
  ...[...classes.values()].map(lines => `\n${lines.join('\n')}\n\n`),
  '\nclass Operations:\n    """A method for each operation."""\n\n',
  '    def ask(self, path: str, body: Mapping[str, Any], **options: Any) -> Answer:\n',
  '        """See RiskClient."""\n        raise NotImplementedError\n\n',
  methods.join('\n').trimEnd(),
  '\n',
].join('');
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('src/collateral_risk_engine/operations.py', import.meta.url), text);
