/** Numbers of the models in the kernel. The kernel exports all of them; src/core/simd/kernel.ts declares them. */
export const MODEL_GBM: i32 = 0;
export const MODEL_STUDENT_T: i32 = 1;
export const MODEL_GARCH: i32 = 2;
export const MODEL_FILTERED: i32 = 3;
export const MODEL_BOOTSTRAP_DAYS: i32 = 4;
export const MODEL_BOOTSTRAP_HOURS: i32 = 5;
