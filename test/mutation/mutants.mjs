/**
 * The mutants of a file: one small change of a comparison, sign, constant, statement or logical operator each.
 *
 * TypeScript and AssemblyScript are changed on their syntax tree, WGSL token by token. Messages are left alone: words in
 * templates, what is thrown, logged or described. So are types and tables of more than eight numbers.
 *
 * @typedef {{ key: string, file: string, line: number, operator: string, start: number, end: number, to: string }} Mutant
 */
import { parseSync } from 'vite';

/** What each operator is changed into, from a list of pairs. */
const tableOf = list => {
  const pairs = list.split(' ').map(pair => pair.split('~'));
  return Object.fromEntries(
    pairs.map(([from]) => [from, pairs.filter(pair => pair[0] === from).map(([, to]) => to)]),
  );
};
const BINARY = tableOf(
  '<~<= <~>= <=~< <=~> >~>= >~<= >=~> >=~< ===~!== !==~=== ==~!= !=~== +~- -~+ *~/ /~* %~* <<~>> >>~<< >>>~<< &~| |~& &&~|| ||~&& +=~-= -=~+= *=~/= /=~*= &=~|= |=~&=',
);
/** Functions that stand for operators: of `Math`, and of the vectors of AssemblyScript. */
const CALLED = tableOf(
  'min~max max~min pmin~pmax pmax~pmin add~sub sub~add mul~div div~mul lt~le le~lt gt~ge ge~gt eq~ne ne~eq',
);
const CALLED_OF = /^(Math|[fi](32x4|64x2)|v128)$/;
const LARGEST_TABLE = 8;
const MAX_CONSTANT = 2 ** 31 - 1;
/** Lanes of a kernel that is compiled to WebAssembly, as a mutant is: its compiler leaves out the branches for others. */
const LANES = 4;
const IS_BY_LANES = { '<': n => LANES < n, '>': n => LANES > n };
const WORDS_OF = /^(log|logger|console)$|^(describe|meta)$/;

/** The next constant, as 4u for 3u and 2.0 for 1.0; undefined beyond 31 bits, where a type may have no next one. */
function nextOf(raw) {
  const [, number, suffix] = /^(0x[\da-f]+|[\d_.]+(?:e[-+]?\d+)?)(.*)$/i.exec(raw);
  const value = Number(number.replaceAll('_', ''));
  if (value >= MAX_CONSTANT) return undefined;
  const next = String(value + 1);
  return (number.includes('.') && /^\d+$/.test(next) ? `${next}.0` : next) + suffix;
}

/** Adds keys: file, function, operator, and which of these it is in the function. */
function keyed(file, text, changes) {
  const seen = new Map();
  return changes.map(({ scope, operator, start, end, to }) => {
    const place = `${file} ${scope} ${operator}`;
    const ordinal = (seen.get(place) ?? 0) + 1;
    seen.set(place, ordinal);
    const line = text.slice(0, start).split('\n').length;
    return { key: `${place} #${ordinal}`, file, line, operator, start, end, to };
  });
}

const isText = node =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right)));

/** Whether a part of the program is words, a type, or a table. */
function isLeftAlone(node) {
  if (/^(TS(?!As|NonNull|Satisfies)|Import|TemplateLiteral)/.test(node.type)) return true;
  if (node.type === 'ArrayExpression') return node.elements.length > LARGEST_TABLE;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property } = node.callee;
  return WORDS_OF.test(property.name) || WORDS_OF.test(object.property?.name ?? object.name);
}

/** The branch of a condition on the number of lanes that is compiled; undefined for other conditions, null for no branch. */
function compiledBranch({ test, consequent, alternate }) {
  if (test?.left?.name !== 'LANES') return undefined;
  return IS_BY_LANES[test.operator](test.right.value) ? consequent : alternate;
}

/** Name that a part of the program gives to what is inside it; undefined where it gives none. */
function nameOf(node) {
  const isFunction = /Function/.test((node.init ?? node.value)?.type ?? '');
  if (/^(FunctionDeclaration|ClassDeclaration)$/.test(node.type)) return node.id?.name;
  if (/^(MethodDefinition|Property|PropertyDefinition)$/.test(node.type) && isFunction) return node.key.name;
  return node.type === 'VariableDeclarator' && isFunction ? node.id.name : undefined;
}

function removable(node) {
  if (/^(Continue|Break|Throw)Statement$/.test(node.type)) return true;
  if (node.type === 'ReturnStatement') return node.argument === null;
  const { type, callee } = node.expression ?? {};
  const statement = node.type === 'ExpressionStatement';
  return statement && /^(Await|Assignment|Call)Expression$/.test(type) && callee?.type !== 'Super';
}

/** @returns {Mutant[]} */
function mutantsOfProgram(file, text) {
  const changes = [];
  /** Where the text between two parts has an operator. */
  const swap = (scope, operator, from, until, to) => {
    const start = text.indexOf(operator, from);
    if (start < 0 || start >= until) return;
    changes.push({ scope, operator: `${operator} to ${to}`, start, end: start + operator.length, to });
  };
  const replace = (scope, operator, { start, end }, to) => changes.push({ scope, operator, start, end, to });

  function visitOperator(node, scope) {
    const { type, operator, left, right, argument } = node;
    const isSum = operator === '+' || operator === '+=';
    if (left !== undefined && !(isSum && (isText(left) || isText(right))))
      for (const to of BINARY[operator] ?? []) swap(scope, operator, left.end, right.start, to);
    if (type === 'UnaryExpression' && /^[-!]$/.test(operator))
      replace(scope, `${operator} removed`, node, ` ${text.slice(argument.start, argument.end)}`);
    if (type === 'UpdateExpression')
      swap(scope, operator, node.start, node.end, operator === '++' ? '--' : '++');
  }

  function visit(node, scope) {
    if (isLeftAlone(node)) return;
    const compiled = compiledBranch(node);
    if (compiled !== undefined) {
      if (compiled !== null) visit(compiled, scope);
      return;
    }
    const name = nameOf(node);
    const inside = name === undefined ? scope : scope === 'module' ? name : `${scope}.${name}`;
    if (removable(node)) replace(inside, 'statement removed', node, '{}');
    if (node.type === 'ThrowStatement') return;
    if (node.operator !== undefined) visitOperator(node, inside);
    const next = node.type === 'Literal' && typeof node.value === 'number' ? nextOf(node.raw) : undefined;
    if (next !== undefined) replace(inside, `${node.raw} to ${next}`, node, next);
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      replace(inside, `${node.raw} to ${!node.value}`, node, String(!node.value));
    if (node.type === 'CallExpression' && CALLED_OF.test(node.callee.object?.name)) {
      const { property } = node.callee;
      for (const to of CALLED[property.name] ?? [])
        replace(inside, `${property.name} to ${to}`, property, to);
    }
    for (const [member, value] of Object.entries(node)) {
      // A loop whose counter does not move never ends, whatever its tests are.
      if (member === 'update' && node.type === 'ForStatement') continue;
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === 'string') visit(child, inside);
    }
  }
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  visit(program, 'module');
  changes.sort((a, b) => a.start - b.start);
  return keyed(file, text, changes);
}

/** A comment, an attribute, the name of a function, an operator, a constant; a statement, of which no character is taken. */
const SHADER_TOKEN =
  /\/\/.*|@\w+(?:\(.*?\))?|\bfn (\w+)|(?<= )([-+*/%<>=!&|]{1,3})(?= )|(?<![\w.])(0x[\da-f]+u?|\d+(?:\.\d+)?(?:e[-+]?\d+)?[uif]?)(?!\w)|(?<=^\s*)(?=((?:[a-z_]\w*\([^;{}]*\)|[\w(*).[\]]+ [-+*|]?= [^;{}]*);)$)/gim;

/** @returns {Mutant[]} */
function mutantsOfShader(file, text) {
  const changes = [];
  let scope = 'module';
  for (const { 0: token, 1: name, 2: operator, 3: constant, 4: statement, index: start } of text.matchAll(
    SHADER_TOKEN,
  )) {
    const add = (operator, to, end = start + token.length) =>
      changes.push({ scope, operator, start, end, to });
    if (name !== undefined) scope = name;
    for (const to of BINARY[operator] ?? []) add(`${operator} to ${to}`, to);
    const next = constant === undefined ? undefined : nextOf(constant);
    if (next !== undefined) add(`${constant} to ${next}`, next);
    if (statement !== undefined) add('statement removed', ';', start + statement.length);
  }
  return keyed(file, text, changes);
}

/**
 * @param {string} file path from the root of the project
 * @param {string} text
 * @returns {Mutant[]} in the order of the text; no two have the same key
 */
export const mutantsOf = (file, text) =>
  file.endsWith('.wgsl') ? mutantsOfShader(file, text) : mutantsOfProgram(file, text);

/** The file with the mutant in it. */
export const mutated = (text, { start, end, to }) => text.slice(0, start) + to + text.slice(end);
