// Functions of single precision, which PTX has only roughly: each within a few units of the last place. Exponentials
// are reduced as by Cody and Waite (1980), and then are short series.
#pragma once
#include "abi.cuh"

typedef float f32;

__device__ __forceinline__ f32 single_of(u32 bits) { return __uint_as_float(bits); }
__device__ __forceinline__ bool is_nan(f32 x) { return x != x; }

const u32 INFINITE_SINGLE = 0x7f800000, NAN_SINGLE = 0x7fc00000;

// power_of_2_single is 2^k for k of -126 to 127.
__device__ __forceinline__ f32 power_of_2_single(i32 k) { return single_of((u32)(k + 127) << 23); }

// exp_minus_1_near_0 is e^r - 1 for |r| up to ln(2)/2.
__device__ __forceinline__ f32 exp_minus_1_near_0(f32 r) {
	f32 sum = 1.0f / 5040;
	sum = sum * r + 1.0f / 720;
	sum = sum * r + 1.0f / 120;
	sum = sum * r + 1.0f / 24;
	sum = sum * r + 1.0f / 6;
	sum = sum * r + 0.5f;
	return sum * (r * r) + r;
}

// nearest_power finds k and r so that x = k ln 2 + r.
__device__ __forceinline__ i32 nearest_power(f32 x, f32 *r) {
	i32 k = (i32)(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f));
	*r = (x - (f32)k * 0.693359375f) + (f32)k * 2.12194440e-4f; // ln 2 in two parts: the first times k is exact
	return k;
}

__device__ __forceinline__ f32 exponential(f32 x) {
	if (!(x < 89)) {
		return is_nan(x) ? x : single_of(INFINITE_SINGLE); // 89 is beyond the largest number
	}
	if (x < -104) {
		return 0;
	}
	f32 r;
	i32 k = nearest_power(x, &r);
	i32 half = k / 2; // 2^k may be too large or too small by itself
	return (1 + exp_minus_1_near_0(r)) * power_of_2_single(half) * power_of_2_single(k - half);
}

// exponential_minus_1 is e^x - 1 for x of 0 and less.
__device__ __forceinline__ f32 exponential_minus_1(f32 x) {
	if (is_nan(x)) {
		return x;
	}
	if (x < -20) {
		return -1;
	}
	f32 r;
	i32 k = nearest_power(x, &r);
	f32 power = power_of_2_single(k);
	return exp_minus_1_near_0(r) * power + (power - 1);
}

__device__ __forceinline__ f32 logarithm(f32 x) {
	if (!(x > 0)) {
		return x == 0 ? -single_of(INFINITE_SINGLE) : single_of(NAN_SINGLE);
	}
	if (x == single_of(INFINITE_SINGLE)) {
		return x;
	}
	i32 k = 0;
	if (x < power_of_2_single(-126)) {
		x *= power_of_2_single(25);
		k = -25;
	}
	u32 bits = __float_as_uint(x);
	k += (i32)(bits >> 23) - 127;
	f32 m = single_of((bits & 0x7fffff) | 0x3f800000); // x = 2^k m
	if (m > 1.41421356f) {
		m *= 0.5f;
		k++;
	}
	f32 s = (m - 1) / (m + 1), z = s * s; // ln m = 2 artanh s
	f32 sum = 2.0f / 9;
	sum = sum * z + 2.0f / 7;
	sum = sum * z + 2.0f / 5;
	sum = sum * z + 2.0f / 3;
	return (f32)k * 0.693359375f + (sum * z * s + ((f32)k * -2.12194440e-4f + 2 * s));
}

// logarithm_plus_1 is ln(1 + x) for x of 0 to 1: what rounding 1 + x loses is put right.
__device__ __forceinline__ f32 logarithm_plus_1(f32 x) {
	f32 y = 1 + x;
	return y == 1 ? x : logarithm(y) * (x / (y - 1));
}

__device__ __forceinline__ f32 tangent(f32 x) { // hyperbolic
	f32 e = exponential_minus_1(-2 * (x < 0 ? -x : x));
	f32 t = -e / (2 + e);
	return x < 0 ? -t : t;
}

// larger is not a number where one of them is not.
__device__ __forceinline__ f32 larger(f32 x, f32 y) { return x > y || is_nan(x) ? x : y; }
