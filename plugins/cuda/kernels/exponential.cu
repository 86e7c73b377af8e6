// exp and log, which PTX does not have of doubles, each within an ulp or so. The reductions are those of
// fdlibm (Sun Microsystems 1993), the polynomials plain series, long enough for their small arguments.
#include "number.cuh"

// ln 2 in two parts: the first has so few bits that a small integer times it is exact.
static const u64 LN2_HIGH = 0x3fe62e42fee00000, LN2_LOW = 0x3dea39ef35793c76;
const f64 INVERSE_LN2 = 1.44269504088896338700;

// power_of_2 is 2^k for k of -1022 to 1023.
static __device__ __forceinline__ f64 power_of_2(i64 k) { return float_of((u64)(k + 1023) << 52); }

// expm1_minus is e^r - 1 - r for |r| up to ln(2)/2, by the series of the exponential.
static __device__ __forceinline__ f64 expm1_minus(f64 r) {
	f64 sum = 1.0 / 87178291200; // 1/14!
	sum = sum * r + 1.0 / 6227020800;
	sum = sum * r + 1.0 / 479001600;
	sum = sum * r + 1.0 / 39916800;
	sum = sum * r + 1.0 / 3628800;
	sum = sum * r + 1.0 / 362880;
	sum = sum * r + 1.0 / 40320;
	sum = sum * r + 1.0 / 5040;
	sum = sum * r + 1.0 / 720;
	sum = sum * r + 1.0 / 120;
	sum = sum * r + 1.0 / 24;
	sum = sum * r + 1.0 / 6;
	sum = sum * r + 0.5;
	return sum * (r * r);
}

extern "C" __device__ __attribute__((used, noinline)) f64 penstock_exp(f64 x) {
	if (x != x) {
		return x;
	}
	if (x > 709.79) {
		return float_of(INFINITE);
	}
	if (x < -745.14) {
		return 0;
	}
	i64 k = (i64)(x * INVERSE_LN2 + (x < 0 ? -0.5 : 0.5)); // x = k ln 2 + r
	f64 high = x - (f64)k * float_of(LN2_HIGH), low = (f64)k * float_of(LN2_LOW);
	f64 power = 1 - ((low - expm1_minus(high - low)) - high);
	return power * power_of_2(k / 2) * power_of_2(k - k / 2); // in two steps, since 2^k may be out of range
}

// log1p_series is (log(1+s) - log(1-s))/s - 2 by z = s², for s up to 0.172.
static __device__ __forceinline__ f64 log1p_series(f64 z) {
	f64 sum = 2.0 / 25;
	sum = sum * z + 2.0 / 23;
	sum = sum * z + 2.0 / 21;
	sum = sum * z + 2.0 / 19;
	sum = sum * z + 2.0 / 17;
	sum = sum * z + 2.0 / 15;
	sum = sum * z + 2.0 / 13;
	sum = sum * z + 2.0 / 11;
	sum = sum * z + 2.0 / 9;
	sum = sum * z + 2.0 / 7;
	sum = sum * z + 2.0 / 5;
	sum = sum * z + 2.0 / 3;
	return sum * z;
}

// log_of is log x for a positive, finite x that is 2^more times what is meant.
static __device__ __forceinline__ f64 log_of(f64 x, i64 more) {
	const u64 fraction = (1ull << 52) - 1, root_half = 0x6a09e667f3bcd; // of sqrt(2)
	u64 bits = bits_of(x);
	i64 k = (i64)(bits >> 52) - 1023 - more;
	bool upper = (bits & fraction) >= root_half; // x = 2^k (1+f), with 1+f from sqrt(1/2) to sqrt(2)
	k += upper;
	f64 f = float_of((bits & fraction) | (upper ? 1022ull : 1023ull) << 52) - 1;
	f64 s = f / (2 + f), half = 0.5 * f * f, rest = s * (half + log1p_series(s * s));
	return (f64)k * float_of(LN2_HIGH) - ((half - (rest + (f64)k * float_of(LN2_LOW))) - f);
}

extern "C" __device__ __attribute__((used, noinline)) f64 penstock_log(f64 x) {
	if (x != x || bits_of(x) == INFINITE) {
		return x;
	}
	if (x == 0) {
		return float_of(INFINITE | SIGN);
	}
	if (x < 0) {
		return float_of(INFINITE | 1ull << 51); // NaN
	}
	const i64 more = 54;
	return x < power_of_2(-1022) ? log_of(x * power_of_2(more), more) : log_of(x, 0);
}
