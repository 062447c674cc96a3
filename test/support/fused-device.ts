/**
 * A device with the freedoms of a GPU that the software driver does not take: `fma` rounds once, a quotient is a product by a rounded
 * reciprocal (within the two and a half units in the last place that WGSL allows), and in every second kernel a product and a sum are one
 * `fma`, as a driver may contract them kernel by kernel.
 *
 * A single rounding comes from error-free transformations (Dekker, "A floating-point technique for extending the available precision",
 * Numerische Mathematik 18, 1971), which need the strict arithmetic that the software driver has.
 */
import type { GpuContext } from '#src/core/gpu/gpu-context.js';

const TYPES = ['f32', 'vec2<f32>', 'vec4<f32>'] as const;
type Type = (typeof TYPES)[number];
const nameOf = (type: Type) => `fused_fma_${type.slice(0, 4).replace('<', '')}`;

/** a b + c with one rounding, but for ties; numbers whose parts would leave the range of single precision are rounded twice. */
const fusedFma = (type: Type) => `
fn ${nameOf(type)}(a: ${type}, b: ${type}, c: ${type}) -> ${type} {
  let product = a * b;
  let big_a = 4097.0 * a;
  let high_a = big_a - (big_a - a);
  let low_a = a - high_a;
  let big_b = 4097.0 * b;
  let high_b = big_b - (big_b - b);
  let low_b = b - high_b;
  let lost = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
  let sum = product + c;
  let taken = sum - product;
  let rounded = (product - (sum - taken)) + (c - taken);
  let size = max(max(abs(a), abs(b)), max(abs(product), abs(c)));
  let is_exact = (size < ${type}(1e30)) & (abs(product) > ${type}(1e-25));
  return select(sum, sum + (rounded + lost), is_exact);
}
`;

/** The type of a call by its arguments: WGSL has no functions for several types. A wrong one does not compile. */
function typeOf(sent: string): Type {
  if (/vec2\(/.test(sent)) return 'vec2<f32>';
  return /vec4|\[quad\]|noise\[k\]|^roots|^a, z|^values, power|^y, power/.test(sent) ? 'vec4<f32>' : 'f32';
}

/** Products and sums that a driver may contract. */
export const CONTRACTIONS: readonly (readonly [text: string, contracted: string])[] = [
  ['a * z - bridged', 'fma(a, z, -bridged)'],
  ['bridged + to * drift', 'fma(vec4(to), drift, bridged)'],
  [
    'terms.recovery_ratio * loan - terms.nominal_ratio * collateral',
    'fma(terms.recovery_ratio, loan, -(terms.nominal_ratio * collateral))',
  ],
  ['change - terms.fee * notional', 'fma(-terms.fee, notional, change)'],
  [
    'loan.start + (collateral - debt) + sign(limit) * room',
    'fma(sign(limit), room, loan.start + (collateral - debt))',
  ],
];

/** Divisors of quotients of whole numbers. */
const WHOLE =
  /^(\d+u|DAY_STEPS|BOOK_\w+|DRAW_BLOCK_STEPS|LOAN_SUM_COUNT|live|places\.\w+|slice\.steps|workgroup_size|max\(terms\.times, 1u\))$/;
/** The divisor of a quotient: a name with members, a number, or brackets up to two deep. */
const QUOTIENT = / \/ ((?:\(\*\w+\)|\w+)(?:\.\w+)*(?:\([^()]*\))?|\((?:[^()]|\([^()]*\))*\))/g;

/** The text of a file of WGSL without its comments, which are not to be rewritten. */
const withoutComments = (text: string) => text.replace(/\/\/.*$/gm, '');

/** The text with every call of `fma` by its own type, the inner ones first. */
function withFusedCalls(text: string): string {
  const from = text.search(/(?<!\w)fma\(/);
  if (from < 0) return text;
  const first = from + 'fma('.length;
  let end = first;
  for (let open = 1; open > 0; end++) open += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
  const sent = text.slice(first, end - 1);
  const call = `${nameOf(typeOf(sent))}(${withFusedCalls(sent)})`;
  return text.slice(0, from) + call + withFusedCalls(text.slice(end));
}

/** Whether a kernel's products and sums are contracted: about every second one, by its name. */
export const isContracted = (kernel: string): boolean =>
  [...kernel].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2 === 1;

/** A module as a GPU may run it. @param kernel its name */
export function fusedModule(code: string, kernel: string): string {
  let text = withoutComments(code);
  if (isContracted(kernel))
    for (const [plain, contracted] of CONTRACTIONS) text = text.replaceAll(plain, contracted);
  text = text.replace(QUOTIENT, (whole, divisor: string) =>
    WHOLE.test(divisor) ? whole : ` * (1.0 / ${divisor})`,
  );
  return withFusedCalls(text) + TYPES.map(fusedFma).join('');
}

/** The same device, whose modules are rewritten. */
export function fusedContext(context: GpuContext): GpuContext {
  const device = new Proxy(context.device, {
    get(target, key) {
      if (key === 'createShaderModule')
        return ({ code, label = '' }: GPUShaderModuleDescriptor) =>
          target.createShaderModule({ label, code: fusedModule(code, label) });
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...context, device };
}
