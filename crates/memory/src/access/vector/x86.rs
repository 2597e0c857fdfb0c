//! Vectors of x86-64. Each function with `target_feature` is called only if the processor has the feature.

use std::arch::x86_64::{
    __m128d, __m256d, __m512d, _mm_add_pd, _mm_loadu_pd, _mm_mul_pd, _mm_set1_pd, _mm_sfence,
    _mm_storeu_pd, _mm_stream_pd, _mm256_add_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_set1_pd,
    _mm256_storeu_pd, _mm256_stream_pd, _mm512_add_pd, _mm512_loadu_pd, _mm512_mul_pd,
    _mm512_set1_pd, _mm512_storeu_pd, _mm512_stream_pd,
};

use super::loops::{self, Vector};
use super::{Pass, Width};

/// The widest vectors that this processor has, and the system keeps for us.
pub fn widest() -> Width {
    if is_x86_feature_detected!("avx512f") {
        Width::Avx512
    } else if is_x86_feature_detected!("avx2") {
        Width::Avx2
    } else {
        Width::Sse2
    }
}

macro_rules! vector {
    ($kind:ty, $lanes:literal, $load:ident, $store:ident, $stream:ident, $splat:ident, $add:ident, $multiply:ident) => {
        impl Vector for $kind {
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn load(from: *const f64) -> Self {
                // SAFETY: the caller has this many numbers there, and a processor with these instructions.
                unsafe { $load(from) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut f64) {
                // SAFETY: as of `load`.
                unsafe { $store(to, self) }
            }

            #[inline(always)]
            unsafe fn stream(self, to: *mut f64) {
                // SAFETY: as of `load`; the caller's array begins at a border that suits it.
                unsafe { $stream(to, self) }
            }

            #[inline(always)]
            unsafe fn splat(value: f64) -> Self {
                // SAFETY: the caller has a processor with these instructions.
                unsafe { $splat(value) }
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: as of `splat`.
                unsafe { $add(self, other) }
            }

            #[inline(always)]
            unsafe fn multiply(self, other: Self) -> Self {
                // SAFETY: as of `splat`.
                unsafe { $multiply(self, other) }
            }

            #[inline(always)]
            unsafe fn settle() {
                // SAFETY: every x86-64 has it.
                unsafe { _mm_sfence() }
            }
        }
    };
}

vector!(
    __m128d,
    2,
    _mm_loadu_pd,
    _mm_storeu_pd,
    _mm_stream_pd,
    _mm_set1_pd,
    _mm_add_pd,
    _mm_mul_pd
);
vector!(
    __m256d,
    4,
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    _mm256_stream_pd,
    _mm256_set1_pd,
    _mm256_add_pd,
    _mm256_mul_pd
);
vector!(
    __m512d,
    8,
    _mm512_loadu_pd,
    _mm512_storeu_pd,
    _mm512_stream_pd,
    _mm512_set1_pd,
    _mm512_add_pd,
    _mm512_mul_pd
);

macro_rules! enabled {
    ($feature:literal, $kind:ty, $pass:ident, $sum:ident, $bump:ident) => {
        #[target_feature(enable = $feature)]
        pub unsafe fn $pass(pass: &mut Pass<'_>) {
            // SAFETY: handed on from the caller.
            unsafe { loops::pass::<$kind>(pass) }
        }

        #[target_feature(enable = $feature)]
        pub unsafe fn $sum(of: &[f64]) -> f64 {
            // SAFETY: handed on from the caller.
            unsafe { loops::total::<$kind>(of) }
        }

        #[target_feature(enable = $feature)]
        pub unsafe fn $bump(each: &mut [f64]) {
            // SAFETY: handed on from the caller.
            unsafe { loops::grow::<$kind>(each) }
        }
    };
}

enabled!("avx512f", __m512d, pass_avx512, sum_avx512, bump_avx512);
enabled!("avx2", __m256d, pass_avx2, sum_avx2, bump_avx2);
enabled!("sse2", __m128d, pass_sse2, sum_sse2, bump_sse2);
