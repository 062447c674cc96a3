// Processes of funding of an account (docs/accounts.md, "Funding that moves"), four hours at a time; each is followed as its distance
// from its mean.
// Inputs: shocks and log prices of the assets; words of a stream of its own; terms, account_data.
// Outputs: rates of the hours that settle, in workgroup memory.
// Units: rates per settlement; hours from 1.
// Provides: account_begin_funding, account_returns_set, account_draw_funding, account_rate.
// Reference: src/core/account/funding.ts, kernel/funding.ts.
// Expects:
//   kernel/bindings.wgsl: market, slice
//   lib/draw.wgsl: DrawWords, LOG2_E, draw_pair
//   lib/threefry.wgsl: threefry_4x32_12
//   product/account_memory.wgsl: AccountPath, account_held, account_hold, account_number, account_processes, account_rates_at,
//     account_returns_at, account_states_at, account_word
//   one product: terms

// Second key word of the normals.
const FUNDING_KEY = 0x66756e64u;
// Largest size of an hour's standardised return that moves a premium.
const FUNDING_MOST_RETURN = 5.0;

// Places of a process in the data: src/core/account/in-units.ts has its numbers.
const PROCESS_ASSET = 0u;
const PROCESS_RANK = 1u;
const PROCESS_KIND = 2u;
const PROCESS_INTERVAL = 3u;
const PROCESS_PHI = 4u;
const PROCESS_BY_RETURN = 5u;
const PROCESS_BY_NORMAL = 6u;
const PROCESS_MEAN = 7u;
const PROCESS_START = 8u;
const PROCESS_PER_WEIGHT = 9u;
const PROCESS_INTEREST = 10u;
const PROCESS_CLAMP = 11u;
const PROCESS_EIGHTS = 12u;
const PROCESS_CAP = 13u;
const PROCESS_LOWEST = 14u;
const PROCESS_HIGHEST = 15u;
const PROCESS_WORDS = 16u;
// Bits of its kind.
const PROCESS_PREMIUM = 1u;
const PROCESS_LINEAR = 2u;

fn funding_process(process: u32) -> u32 {
  return terms.processes_at + PROCESS_WORDS * process;
}

fn funding_within(value: f32, size: f32) -> f32 {
  return clamp(value, -size, size);
}

fn account_begin_funding(who: AccountPath) {
  if (account_processes == 0u) {
    return;
  }
  for (var process = 0u; process < terms.processes; process++) {
    let state = account_states_at + 2u * process;
    account_hold(state, who, account_number(funding_process(process) + PROCESS_START));
    account_hold(state + 1u, who, 0.0);
  }
}

// The rate of a process in the settlement of an hour of the group in hand.
fn account_rate(process: u32, hour: u32, who: AccountPath) -> f32 {
  return account_held(account_rates_at + 4u * process + ((hour - 1u) & 3u), who);
}

// Sets the standardised returns of an asset in a group of hours. `shocks` less `origin` are made of normals by a row of the factor;
// `before` is the log price before `log_prices`.
fn account_returns_set(
  asset: u32,
  shocks: vec4<f32>,
  origin: f32,
  before: f32,
  log_prices: vec4<f32>,
  who: AccountPath,
) {
  var moves = shocks - vec4(origin);
  var square = 0.0;
  if (terms.of_returns == 0u) {
    for (var quad = 0u; 4u * quad <= asset; quad++) {
      let row = market.factor[8u * asset + quad];
      square += dot(row, row);
    }
  } else {
    moves = log_prices - vec4(before, log_prices.xyz);
    let scale = account_number(terms.scale_at + asset) * LOG2_E;
    square = scale * scale;
  }
  let returns = moves * select(0.0, inverseSqrt(square), square > 0.0);
  let at = account_returns_at + 4u * asset;
  account_hold(at, who, returns.x);
  account_hold(at + 1u, who, returns.y);
  account_hold(at + 2u, who, returns.z);
  account_hold(at + 3u, who, returns.w);
}

// The normals of a process in hours `step` + 1 .. `step` + 4.
fn funding_normals(rank: u32, step: u32, who: AccountPath) -> vec4<f32> {
  let w = threefry_4x32_12(vec4(who.drawn, step >> 2u, rank, 0u), vec2(slice.seed, FUNDING_KEY));
  let pair = draw_pair(DrawWords(w.xyxy, w.zwzw));
  return vec4(pair.first.xy, pair.second.xy);
}

// Draws the rates of hours `step` + 1 .. `step` + 4, whose returns are set.
fn account_draw_funding(step: u32, who: AccountPath) {
  for (var process = 0u; process < terms.processes; process++) {
    let at = funding_process(process);
    let kind = account_word(at + PROCESS_KIND);
    let interval = account_word(at + PROCESS_INTERVAL);
    let phi = account_number(at + PROCESS_PHI);
    let by_return = account_number(at + PROCESS_BY_RETURN);
    let by_normal = account_number(at + PROCESS_BY_NORMAL);
    let mean = account_number(at + PROCESS_MEAN);
    let cap = account_number(at + PROCESS_CAP);
    let returns = account_returns_at + 4u * account_word(at + PROCESS_ASSET);
    let rates = account_rates_at + 4u * process;
    let state = account_states_at + 2u * process;
    var x = account_held(state, who);
    var sum = account_held(state + 1u, who);
    var normals = funding_normals(account_word(at + PROCESS_RANK), step, who);
    for (var k = 0u; k < 4u; k++) {
      let z = account_held(returns + k, who);
      let since = (step + k) % interval;
      let settles = since == interval - 1u;
      if ((kind & PROCESS_PREMIUM) != 0u) {
        let shock = by_return * funding_within(z, FUNDING_MOST_RETURN) + by_normal * normals.x;
        x = fma(phi, x, shock);
        sum += x * select(1.0, f32(since + 1u), (kind & PROCESS_LINEAR) != 0u);
        if (settles) {
          let premium = fma(account_number(at + PROCESS_PER_WEIGHT), sum, mean);
          let interest = account_number(at + PROCESS_INTEREST) - premium;
          let rate = premium + funding_within(interest, account_number(at + PROCESS_CLAMP));
          account_hold(rates + k, who, funding_within(account_number(at + PROCESS_EIGHTS) * rate, cap));
          sum = 0.0;
        }
      } else {
        sum += z;
        if (settles) {
          let moved = fma(phi, x, by_return * sum + by_normal * normals.x);
          x = clamp(moved, account_number(at + PROCESS_LOWEST), account_number(at + PROCESS_HIGHEST));
          account_hold(rates + k, who, mean + x);
          sum = 0.0;
        }
      }
      normals = normals.yzwx;
    }
    account_hold(state, who, x);
    account_hold(state + 1u, who, sum);
  }
}
