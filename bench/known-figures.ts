/** Written by known/make-known-figures.ts: do not edit. Mean and standard deviation per path of every figure. */
export const KNOWN_FIGURES = {
  'loan-five-assets': {
    fingerprint: '755fac3989b706cf',
    paths: 2000000,
    figures: {
      marginCalls: {
        mean: 0.442896,
        deviation: 0.49672843001382555,
      },
      liquidations: {
        mean: 0.073799,
        deviation: 0.26144350747149947,
      },
      closeouts: {
        mean: 0.308323,
        deviation: 0.46180074455440195,
      },
      underwater: {
        mean: 0.0260745,
        deviation: 0.15935689646121376,
      },
      openSteps: {
        mean: 592.75301,
        deviation: 190.2866870381107,
      },
      loss: {
        mean: 0.0008222982133083516,
        deviation: 0.0091420935456895,
      },
    },
  },
  garch: {
    fingerprint: '5ebe7def4452d38b',
    paths: 2000000,
    figures: {
      marginCalls: {
        mean: 0.5525165,
        deviation: 0.49723436851021274,
      },
      liquidations: {
        mean: 0.2029195,
        deviation: 0.40217306786972945,
      },
      closeouts: {
        mean: 0.2672365,
        deviation: 0.442516839304167,
      },
      underwater: {
        mean: 0.104556,
        deviation: 0.3059804615723037,
      },
      openSteps: {
        mean: 532.0838825,
        deviation: 232.28208856523185,
      },
      loss: {
        mean: 0.0066607804025132335,
        deviation: 0.03653436497667826,
      },
    },
  },
  'low-liquidity': {
    fingerprint: 'e7613d4afa764d87',
    paths: 2000000,
    figures: {
      marginCalls: {
        mean: 0.5208745,
        deviation: 0.4995640652106094,
      },
      liquidations: {
        mean: 0.1400725,
        deviation: 0.3470622346838532,
      },
      closeouts: {
        mean: 0.3071835,
        deviation: 0.4613261290321089,
      },
      underwater: {
        mean: 0,
        deviation: 0,
      },
      calls: {
        mean: 0.5863915,
        deviation: 0.6215331919758993,
      },
      callAmount: {
        mean: 0.06211304848021397,
        deviation: 0.0658993953748695,
      },
      sellers: {
        mean: 0.444065,
        deviation: 0.49686142512273984,
      },
      soldAmount: {
        mean: 0.43464710542631363,
        deviation: 0.49239237488928006,
      },
    },
  },
};

export type KnownPlan = keyof typeof KNOWN_FIGURES;
