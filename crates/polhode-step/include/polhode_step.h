/* One exact step of a free rigid body, for physics engines: one file to copy.
 *
 *     double moments[3] = {1.0, 2.0, 2.6};               once for each body: its principal moments
 *     polhode_inertia inertia = polhode_inertia_principal(moments);
 *     ...
 *     polhode_step_f32(&inertia, omega, rotation, dt);   in every frame, instead of the gyroscopic term
 *                                                        and of the integration of the rotation
 *
 * omega: angular velocity, in the coordinates of the world; polhode_step_body_f32 takes that of the body.
 * rotation: a unit quaternion x, y, z, w that takes vectors of the body to the world.
 * The functions that end in f64 are the same in double precision. An f32 step computes in double precision too,
 * and rounds once: up or down by chance, right on average, the same in every run.
 *
 * Only ratios of moments matter. A moment below a millionth of the largest, zero or negative is taken as no less
 * than the difference of the other two, as that of every real body is, and no less than 1e-30 of the largest. If none
 * is positive, or one is not finite, the body turns as a sphere does. What is finite stays finite; a body with a
 * number that is not finite stays as it is, but for the quaternion of a sphere, which becomes NaN.
 *
 * Compile without -ffast-math, which would take the tests for NaN away: bodies would stand still or fly off. With
 * -ffp-contract=off (GCC, Clang; /fp:precise for MSVC) the results have the bits of the Rust crate polhode-step on
 * every platform whose compiler computes doubles as doubles (not the x87 unit of 32-bit x86).
 *
 * C99 or C++. Generated from crates/polhode-step by `cargo xtask docs`: do not edit.
 * https://crates.io/crates/polhode-step
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef POLHODE_STEP_H
#define POLHODE_STEP_H

#ifdef __FAST_MATH__
#error "polhode_step.h needs NaN: compile without -ffast-math (-fno-finite-math-only does not bring all of it back)"
#endif

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The inertia of a body, made ready for its steps. */
typedef struct polhode_inertia {
    double a[3], b1, b3;
    double moments[3];
    double steepest, widest;
    double frame[4];
    unsigned char first, framed;
} polhode_inertia;

/* Up to which lengths a step is tiny, and short. */
typedef struct polhode_limits {
    double tiny_bend, tiny_turn, short_bend, short_turn;
} polhode_limits;

/* What a step changes. */
typedef struct polhode_motion {
    double omega[3], q[4];
} polhode_motion;

static inline double polhode_larger(double a, double b) {
    return a < b ? b : a;
}

/* The nearest number within the limits. */
static inline double polhode_within(double x, double limit) {
    x = limit < x ? limit : x;
    return x < -limit ? -limit : x;
}

/* A number rounded to the digits of a float, up or down as the dice fall: either with the probability that makes
 * the mean right. To the nearest, the small changes of a slow spin would be lost at some phases of its motion and
 * doubled at others, and its energy would drift. */
static inline double polhode_rounded(double x, uint64_t *dice) {
    uint64_t bits;
    double rounded;
    memcpy(&bits, &x, sizeof bits);
    *dice = (*dice ^ bits) * UINT64_C(0xd1342543de82ef95);
    bits = (bits + (*dice >> 35)) & ~UINT64_C(0x1fffffff);
    memcpy(&rounded, &bits, sizeof rounded);
    return rounded;
}

static inline int polhode_finite(double x) {
    return fabs(x) <= DBL_MAX;
}

/* The largest magnitude. */
static inline double polhode_largest(const double *x, int count) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) largest = polhode_larger(largest, fabs(x[i]));
    return largest;
}

static inline int polhode_all_finite(const double *x, int count) {
    int finite = 1;
    for (int i = 0; i < count; i++) finite = finite && polhode_finite(x[i]);
    return finite;
}

/* The power of two at or below a positive number, but not below the smallest normal one. */
static inline double polhode_power_of_two(double x) {
    uint64_t bits;
    double power;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7ff0000000000000);
    memcpy(&power, &bits, sizeof power);
    return power < DBL_MIN ? DBL_MIN : power;
}

static inline void polhode_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* By how much a rotation moves a vector. */
static inline void polhode_moved(const double axis[3], double w, const double v[3], double out[3]) {
    double across[3], further[3];
    polhode_cross(axis, v, across);
    polhode_cross(axis, across, further);
    for (int i = 0; i < 3; i++) out[i] = 2.0 * (w * across[i] + further[i]);
}

/* A vector turned by a unit quaternion, or back by it. */
static inline void polhode_turned(const double q[4], int back, const double v[3], double out[3]) {
    double change[3];
    polhode_moved(q, back ? -q[3] : q[3], v, change);
    for (int i = 0; i < 3; i++) out[i] = v[i] + change[i];
}

static inline void polhode_product(const double a[4], const double b[4], double out[4]) {
    out[0] = (a[3] * b[0] + a[1] * b[2]) + (a[0] * b[3] - a[2] * b[1]);
    out[1] = (a[3] * b[1] + a[1] * b[3]) - (a[0] * b[2] - a[2] * b[0]);
    out[2] = (a[3] * b[2] - a[1] * b[0]) + (a[0] * b[1] + a[2] * b[3]);
    out[3] = (a[3] * b[3] - a[1] * b[1]) - (a[0] * b[0] + a[2] * b[2]);
}

/* The square of a quaternion's length. */
static inline double polhode_square(const double q[4]) {
    return q[0] * q[0] + q[2] * q[2] + (q[1] * q[1] + q[3] * q[3]);
}

/* A quaternion over its length, or no rotation where it has none. */
static inline void polhode_of_length_one(double q[4]) {
    const double unit = polhode_largest(q, 4);
    for (int i = 0; i < 4; i++) q[i] = q[i] / unit;
    const double length = sqrt(polhode_square(q));
    for (int i = 0; i < 4; i++) q[i] = polhode_finite(length) ? q[i] / length : i == 3;
}

/* What a momentum m says about its motion: 2T - b1 |m|^2, 2T - b3 |m|^2 and |m|^2. */
static inline void polhode_constants(const double a[3], const double m[3], double *t1, double *t3, double *g2) {
    const double t9 = m[0] * m[0];
    const double t10 = m[1] * m[1];
    const double t11 = m[2] * m[2];
    const double t12 = t9 + t10;
    const double t13 = t12 + t11;
    const double t15 = a[1] * t9;
    const double t16 = a[0] * t10;
    const double t17 = t15 - t16;
    const double t18 = a[2] * t10;
    const double t19 = a[1] * t11;
    const double t20 = t18 - t19;
    *t1 = t20;
    *t3 = t17;
    *g2 = t13;
}

/* The step of length h from momentum m, where it is tiny: what is added to it, and the rotation minus one (w, x,
 * y, z). */
static inline void polhode_tiny(const double a[3], double b1, double b3, const double m[3], double h, double d[3],
                                double r[4]) {
    const double gap = m[0] * m[0] - m[2] * m[2];
    const double t9 = m[0] * m[0];
    const double t10 = m[1] * m[1];
    const double t11 = m[2] * m[2];
    const double t12 = t9 + t10;
    const double t13 = t12 + t11;
    const double t14 = sqrt(t13);
    const double t15 = a[1] * t9;
    const double t16 = a[0] * t10;
    const double t17 = t15 - t16;
    const double t18 = a[2] * t10;
    const double t19 = a[1] * t11;
    const double t20 = t18 - t19;
    const int t22 = 0.0 < gap;
    const double t23 = t22 ? t17 : t20;
    const double t24 = t14 * t23;
    const double t25 = a[0] * a[1];
    const double t26 = a[1] * a[2];
    const double t27 = t22 ? t25 : t26;
    const double t28 = t27 * t24;
    const double t29 = a[0] * t17;
    const double t30 = a[2] * t20;
    const double t31 = -t30;
    const double t32 = t22 ? t29 : t31;
    const double t33 = a[2] * t17;
    const double t34 = -t33;
    const double t35 = a[0] * t20;
    const double t37 = h * h;
    const double t38 = t34 * t37;
    const double t39 = t35 * t37;
    const double t40 = t38 + t39;
    const double t41 = t38 * t39;
    const double t42 = t40 * t40;
    const double t44 = t40 * 0.16666666666666666;
    const double t46 = 12.0 * t41;
    const double t47 = t42 + t46;
    const double t49 = t47 * 0.008333333333333333;
    const double t51 = 132.0 * t41;
    const double t52 = t42 + t51;
    const double t53 = t40 * t52;
    const double t55 = t53 * 0.0001984126984126984;
    const double t56 = t49 - t44;
    const double t57 = t56 - t55;
    const double t58 = h * t57;
    const double t59 = h + t58;
    const double t60 = h * t37;
    const double t61 = t28 * t60;
    const double t62 = t32 * t37;
    const double t64 = t40 * 0.3333333333333333;
    const double t65 = t64 - t62;
    const double t67 = 3.0 * t41;
    const double t68 = t42 - t67;
    const double t70 = t68 * 0.06666666666666667;
    const double t71 = t65 * t65;
    const double t72 = t71 - t70;
    const double t74 = t65 * 0.2;
    const double t75 = 0.3333333333333333 - t74;
    const double t77 = t72 * 0.14285714285714285;
    const double t78 = t75 + t77;
    const double t79 = t61 * t78;
    const double t80 = t22 ? b3 : b1;
    const double t81 = t80 * t14;
    const double t82 = t81 * h;
    const double t83 = t82 - t79;
    const double t85 = t83 * 0.5;
    const double t86 = t85 * t85;
    const double t87 = t86 * t86;
    const double t91 = t86 * 0.008333333333333333;
    const double t92 = (-0.16666666666666666) + t91;
    const double t93 = t87 * (-0.0001984126984126984);
    const double t94 = t92 + t93;
    const double t97 = t86 * 0.041666666666666664;
    const double t98 = (-0.5) + t97;
    const double t99 = t87 * (-0.001388888888888889);
    const double t100 = t98 + t99;
    const double t102 = t86 * t100;
    const double t103 = 1.0 + t102;
    const double t104 = t86 * t94;
    const double t105 = t85 * t104;
    const double t106 = t85 + t105;
    const double t107 = t59 * t59;
    const double t108 = t34 * t107;
    const double t109 = t108 * t108;
    const double t111 = t108 * 0.125;
    const double t112 = 0.5 + t111;
    const double t115 = t108 * 0.0390625;
    const double t116 = 0.0625 + t115;
    const double t117 = t109 * t116;
    const double t118 = t112 + t117;
    const double t119 = t108 * t118;
    const double t120 = t35 * t107;
    const double t121 = t120 * t120;
    const double t122 = t120 * 0.125;
    const double t123 = 0.5 + t122;
    const double t124 = t120 * 0.0390625;
    const double t125 = 0.0625 + t124;
    const double t126 = t121 * t125;
    const double t127 = t123 + t126;
    const double t128 = t120 * t127;
    const double t129 = 1.0 - t119;
    const double t130 = 1.0 - t128;
    const double t131 = a[0] * a[2];
    const double t132 = t131 * t10;
    const double t133 = t132 * t107;
    const double t134 = t133 * t133;
    const double t135 = 1.0 + t133;
    const double t136 = 1.0 + t134;
    const double t137 = t135 * t136;
    const double t138 = 1.0 - t133;
    const double t139 = m[0] * m[1];
    const double t140 = t139 * m[2];
    const double t141 = a[0] * m[1];
    const double t142 = t141 * m[2];
    const double t143 = t142 * t59;
    const double t144 = a[1] * m[2];
    const double t145 = t144 * m[0];
    const double t146 = t145 * t59;
    const double t147 = a[2] * m[0];
    const double t148 = t147 * m[1];
    const double t149 = t148 * t59;
    const double t150 = t133 - t128;
    const double t151 = m[0] * t150;
    const double t152 = t143 * t129;
    const double t153 = t151 + t152;
    const double t154 = t153 * t137;
    const double t155 = t119 + t128;
    const double t156 = t119 * t128;
    const double t157 = t155 - t156;
    const double t158 = t133 - t157;
    const double t159 = m[1] * t158;
    const double t160 = t159 + t146;
    const double t161 = t160 * t137;
    const double t162 = t133 - t119;
    const double t163 = m[2] * t162;
    const double t164 = t149 * t130;
    const double t165 = t163 + t164;
    const double t166 = t165 * t137;
    const double t170 = t22 ? m[0] : m[1];
    const double t171 = t22 ? m[1] : m[2];
    const double t172 = t22 ? m[2] : m[0];
    const double t173 = t22 ? t154 : t161;
    const double t174 = t22 ? t161 : t166;
    const double t175 = t22 ? t166 : t154;
    const double t176 = t170 + t173;
    const double t177 = t171 + t174;
    const double t178 = t172 + t175;
    const double t179 = t170 * t170;
    const double t180 = t171 * t171;
    const double t181 = t179 + t180;
    const double t182 = t176 * t170;
    const double t183 = t177 * t171;
    const double t184 = t182 + t183;
    const double t185 = t173 * t171;
    const double t186 = t170 * t174;
    const double t187 = t185 - t186;
    const double t188 = t129 * t130;
    const double t189 = t25 * a[2];
    const double t190 = t189 * t140;
    const double t191 = t190 * t107;
    const double t192 = t191 * t59;
    const double t193 = t188 + t192;
    const double t194 = t193 * t181;
    const double t195 = t22 ? a[2] : a[0];
    const double t196 = t195 * t140;
    const double t197 = t196 * t59;
    const double t198 = t197 * t138;
    const double t199 = t194 - t198;
    const double t200 = t24 * t59;
    const double t201 = t200 * t138;
    const double t202 = t184 * t184;
    const double t203 = t187 * t187;
    const double t204 = t202 + t203;
    const double t205 = sqrt(t204);
    const double t206 = t32 * t107;
    const double t207 = t206 * t206;
    const double t208 = t206 * 0.125;
    const double t209 = 0.5 + t208;
    const double t210 = t206 * 0.0390625;
    const double t211 = 0.0625 + t210;
    const double t212 = t207 * t211;
    const double t213 = t209 + t212;
    const double t214 = t206 * t213;
    const double t215 = 1.0 - t214;
    const double t216 = t138 * t215;
    const double t217 = t205 * t216;
    const double t218 = t217 + t199;
    const double t219 = t205 + t184;
    const double t220 = t14 + t172;
    const double t221 = t14 + t178;
    const double t222 = t220 * t221;
    const double t224 = t14 * t205;
    const double t225 = t222 * t218;
    const double t226 = t225 * t219;
    const double t227 = t226 * t216;
    const double t228 = sqrt(t227);
    const double t229 = t224 * t228;
    const double t230 = 0.25 / t229;
    const double t231 = t218 * t219;
    const double t232 = t201 * t187;
    const double t233 = t231 - t232;
    const double t234 = t218 * t187;
    const double t235 = t201 * t219;
    const double t236 = t234 + t235;
    const double t237 = t103 * t233;
    const double t238 = t106 * t236;
    const double t239 = t237 - t238;
    const double t240 = t103 * t236;
    const double t241 = t106 * t233;
    const double t242 = t240 + t241;
    const double t243 = t239 * t230;
    const double t244 = t242 * t230;
    const double t245 = t220 * t174;
    const double t246 = t175 * t171;
    const double t247 = t245 - t246;
    const double t248 = t243 * t247;
    const double t249 = t220 * t176;
    const double t250 = t221 * t170;
    const double t251 = t249 + t250;
    const double t252 = t244 * t251;
    const double t253 = t248 + t252;
    const double t254 = t175 * t170;
    const double t255 = t220 * t173;
    const double t256 = t254 - t255;
    const double t257 = t243 * t256;
    const double t258 = t220 * t177;
    const double t259 = t221 * t171;
    const double t260 = t258 + t259;
    const double t261 = t244 * t260;
    const double t262 = t257 + t261;
    const double t263 = t243 * t187;
    const double t264 = t222 - t184;
    const double t265 = t244 * t264;
    const double t266 = t263 + t265;
    const double t267 = t253 * t253;
    const double t268 = t262 * t262;
    const double t269 = t267 + t268;
    const double t270 = t266 * t266;
    const double t271 = t269 + t270;
    const double t272 = t271 * t271;
    const double t273 = t271 * 0.125;
    const double t274 = 0.5 + t273;
    const double t275 = t271 * 0.0390625;
    const double t276 = 0.0625 + t275;
    const double t277 = t272 * t276;
    const double t278 = t274 + t277;
    const double t279 = t271 * t278;
    const double t280 = -t279;
    const double t281 = t22 ? t253 : t266;
    const double t282 = t22 ? t262 : t253;
    const double t283 = t22 ? t266 : t262;
    d[0] = t154;
    d[1] = t161;
    d[2] = t166;
    r[0] = t280;
    r[1] = t281;
    r[2] = t282;
    r[3] = t283;
}

/* The same where it is short. */
static inline void polhode_short(const double a[3], double b1, double b3, const double m[3], double h, double d[3],
                                 double r[4]) {
    const double gap = m[0] * m[0] - m[2] * m[2];
    const double t9 = m[0] * m[0];
    const double t10 = m[1] * m[1];
    const double t11 = m[2] * m[2];
    const double t12 = t9 + t10;
    const double t13 = t12 + t11;
    const double t14 = sqrt(t13);
    const double t15 = a[1] * t9;
    const double t16 = a[0] * t10;
    const double t17 = t15 - t16;
    const double t18 = a[2] * t10;
    const double t19 = a[1] * t11;
    const double t20 = t18 - t19;
    const int t22 = 0.0 < gap;
    const double t23 = t22 ? t17 : t20;
    const double t24 = t14 * t23;
    const double t25 = a[0] * a[1];
    const double t26 = a[1] * a[2];
    const double t27 = t22 ? t25 : t26;
    const double t28 = t27 * t24;
    const double t29 = a[0] * t17;
    const double t30 = a[2] * t20;
    const double t31 = -t30;
    const double t32 = t22 ? t29 : t31;
    const double t33 = a[2] * t17;
    const double t34 = -t33;
    const double t35 = a[0] * t20;
    const double t38 = h * h;
    const double t39 = t34 * t38;
    const double t40 = t35 * t38;
    const double t41 = t39 + t40;
    const double t42 = t39 * t40;
    const double t43 = t41 * t41;
    const double t45 = t41 * 0.16666666666666666;
    const double t47 = 12.0 * t42;
    const double t48 = t43 + t47;
    const double t50 = t48 * 0.008333333333333333;
    const double t52 = 132.0 * t42;
    const double t53 = t43 + t52;
    const double t54 = t41 * t53;
    const double t56 = t54 * 0.0001984126984126984;
    const double t57 = t42 * t42;
    const double t59 = 1224.0 * t42;
    const double t60 = t43 + t59;
    const double t61 = t43 * t60;
    const double t63 = 3024.0 * t57;
    const double t64 = t61 + t63;
    const double t66 = 11064.0 * t42;
    const double t67 = t43 + t66;
    const double t68 = t43 * t67;
    const double t70 = 132624.0 * t57;
    const double t71 = t68 + t70;
    const double t73 = t64 * 2.7557319223985893e-6;
    const double t74 = t41 * t71;
    const double t76 = t74 * 2.505210838544172e-8;
    const double t77 = t73 - t76;
    const double t78 = t50 - t45;
    const double t80 = t77 - t56;
    const double t81 = t78 + t80;
    const double t82 = h * t81;
    const double t83 = h + t82;
    const double t84 = h * t38;
    const double t85 = t28 * t84;
    const double t86 = t32 * t38;
    const double t88 = t41 * 0.3333333333333333;
    const double t89 = t88 - t86;
    const double t91 = 3.0 * t42;
    const double t92 = t43 - t91;
    const double t94 = t92 * 0.06666666666666667;
    const double t95 = t89 * t89;
    const double t96 = t95 - t94;
    const double t98 = t89 * 0.2;
    const double t99 = 0.3333333333333333 - t98;
    const double t101 = t96 * 0.14285714285714285;
    const double t102 = t43 + t43;
    const double t104 = 9.0 * t42;
    const double t105 = t102 - t104;
    const double t106 = t41 * t105;
    const double t108 = t106 * 0.005291005291005291;
    const double t109 = t89 * t94;
    const double t110 = t89 * t96;
    const double t111 = t109 - t110;
    const double t112 = t111 - t108;
    const double t113 = t108 * t89;
    const double t114 = t89 * t112;
    const double t115 = t113 - t114;
    const double t116 = t94 * t96;
    const double t117 = t115 - t116;
    const double t118 = t89 * t117;
    const double t119 = t94 * t112;
    const double t120 = t118 + t119;
    const double t121 = -t120;
    const double t123 = t112 * 0.1111111111111111;
    const double t125 = t117 * 0.09090909090909091;
    const double t127 = t121 * 0.07692307692307693;
    const double t128 = t125 + t127;
    const double t129 = t123 + t128;
    const double t131 = t101 + t129;
    const double t132 = t99 + t131;
    const double t133 = t85 * t132;
    const double t134 = t22 ? b3 : b1;
    const double t135 = t134 * t14;
    const double t136 = t135 * h;
    const double t137 = t136 - t133;
    const double t139 = t137 * 0.5;
    const double t140 = t139 * t139;
    const double t141 = t140 * t140;
    const double t144 = t140 * 2.7557319223985893e-6;
    const double t146 = (-0.0001984126984126984) + t144;
    const double t149 = t140 * 2.755731922398589e-7;
    const double t150 = 2.48015873015873e-5 - t149;
    const double t151 = t140 * t150;
    const double t153 = (-0.001388888888888889) + t151;
    const double t155 = t140 * 0.008333333333333333;
    const double t156 = (-0.16666666666666666) + t155;
    const double t157 = t141 * t146;
    const double t158 = t156 + t157;
    const double t161 = t140 * 0.041666666666666664;
    const double t162 = (-0.5) + t161;
    const double t163 = t141 * t153;
    const double t164 = t162 + t163;
    const double t165 = t140 * t164;
    const double t166 = 1.0 + t165;
    const double t167 = t140 * t158;
    const double t168 = t139 * t167;
    const double t169 = t139 + t168;
    const double t170 = t83 * t83;
    const double t171 = t34 * t170;
    const double t172 = t171 * t171;
    const double t174 = t171 * 0.125;
    const double t175 = 0.5 + t174;
    const double t178 = t171 * 0.0390625;
    const double t179 = 0.0625 + t178;
    const double t180 = t172 * t179;
    const double t181 = t175 + t180;
    const double t184 = t171 * 0.0205078125;
    const double t185 = 0.02734375 + t184;
    const double t188 = t171 * 0.013092041015625;
    const double t189 = 0.01611328125 + t188;
    const double t190 = t172 * t172;
    const double t191 = t172 * t189;
    const double t192 = t185 + t191;
    const double t193 = t190 * t192;
    const double t195 = t181 + t193;
    const double t196 = t171 * t195;
    const double t197 = t35 * t170;
    const double t198 = t197 * t197;
    const double t199 = t197 * 0.125;
    const double t200 = 0.5 + t199;
    const double t201 = t197 * 0.0390625;
    const double t202 = 0.0625 + t201;
    const double t203 = t198 * t202;
    const double t204 = t200 + t203;
    const double t205 = t197 * 0.0205078125;
    const double t206 = 0.02734375 + t205;
    const double t207 = t197 * 0.013092041015625;
    const double t208 = 0.01611328125 + t207;
    const double t209 = t198 * t198;
    const double t210 = t198 * t208;
    const double t211 = t206 + t210;
    const double t212 = t209 * t211;
    const double t214 = t204 + t212;
    const double t215 = t197 * t214;
    const double t216 = 1.0 - t196;
    const double t217 = 1.0 - t215;
    const double t218 = a[0] * a[2];
    const double t219 = t218 * t10;
    const double t220 = t219 * t170;
    const double t221 = t220 * t220;
    const double t222 = 1.0 + t220;
    const double t223 = 1.0 + t221;
    const double t224 = t222 * t223;
    const double t225 = t221 * t221;
    const double t227 = 1.0 + t225;
    const double t228 = t224 * t227;
    const double t229 = 1.0 - t220;
    const double t230 = m[0] * m[1];
    const double t231 = t230 * m[2];
    const double t232 = a[0] * m[1];
    const double t233 = t232 * m[2];
    const double t234 = t233 * t83;
    const double t235 = a[1] * m[2];
    const double t236 = t235 * m[0];
    const double t237 = t236 * t83;
    const double t238 = a[2] * m[0];
    const double t239 = t238 * m[1];
    const double t240 = t239 * t83;
    const double t241 = t220 - t215;
    const double t242 = m[0] * t241;
    const double t243 = t234 * t216;
    const double t244 = t242 + t243;
    const double t245 = t244 * t228;
    const double t246 = t196 + t215;
    const double t247 = t196 * t215;
    const double t248 = t246 - t247;
    const double t249 = t220 - t248;
    const double t250 = m[1] * t249;
    const double t251 = t250 + t237;
    const double t252 = t251 * t228;
    const double t253 = t220 - t196;
    const double t254 = m[2] * t253;
    const double t255 = t240 * t217;
    const double t256 = t254 + t255;
    const double t257 = t256 * t228;
    const double t261 = t22 ? m[0] : m[1];
    const double t262 = t22 ? m[1] : m[2];
    const double t263 = t22 ? m[2] : m[0];
    const double t264 = t22 ? t245 : t252;
    const double t265 = t22 ? t252 : t257;
    const double t266 = t22 ? t257 : t245;
    const double t267 = t261 + t264;
    const double t268 = t262 + t265;
    const double t269 = t263 + t266;
    const double t270 = t261 * t261;
    const double t271 = t262 * t262;
    const double t272 = t270 + t271;
    const double t273 = t267 * t261;
    const double t274 = t268 * t262;
    const double t275 = t273 + t274;
    const double t276 = t264 * t262;
    const double t277 = t261 * t265;
    const double t278 = t276 - t277;
    const double t279 = t216 * t217;
    const double t280 = t25 * a[2];
    const double t281 = t280 * t231;
    const double t282 = t281 * t170;
    const double t283 = t282 * t83;
    const double t284 = t279 + t283;
    const double t285 = t284 * t272;
    const double t286 = t22 ? a[2] : a[0];
    const double t287 = t286 * t231;
    const double t288 = t287 * t83;
    const double t289 = t288 * t229;
    const double t290 = t285 - t289;
    const double t291 = t24 * t83;
    const double t292 = t291 * t229;
    const double t293 = t275 * t275;
    const double t294 = t278 * t278;
    const double t295 = t293 + t294;
    const double t296 = sqrt(t295);
    const double t297 = t32 * t170;
    const double t298 = t297 * t297;
    const double t299 = t297 * 0.125;
    const double t300 = 0.5 + t299;
    const double t301 = t297 * 0.0390625;
    const double t302 = 0.0625 + t301;
    const double t303 = t298 * t302;
    const double t304 = t300 + t303;
    const double t305 = t297 * 0.0205078125;
    const double t306 = 0.02734375 + t305;
    const double t307 = t297 * 0.013092041015625;
    const double t308 = 0.01611328125 + t307;
    const double t309 = t298 * t298;
    const double t310 = t298 * t308;
    const double t311 = t306 + t310;
    const double t312 = t309 * t311;
    const double t314 = t304 + t312;
    const double t315 = t297 * t314;
    const double t316 = 1.0 - t315;
    const double t317 = t229 * t316;
    const double t318 = t296 * t317;
    const double t319 = t318 + t290;
    const double t320 = t296 + t275;
    const double t321 = t14 + t263;
    const double t322 = t14 + t269;
    const double t323 = t321 * t322;
    const double t325 = t14 * t296;
    const double t326 = t323 * t319;
    const double t327 = t326 * t320;
    const double t328 = t327 * t317;
    const double t329 = sqrt(t328);
    const double t330 = t325 * t329;
    const double t331 = 0.25 / t330;
    const double t332 = t319 * t320;
    const double t333 = t292 * t278;
    const double t334 = t332 - t333;
    const double t335 = t319 * t278;
    const double t336 = t292 * t320;
    const double t337 = t335 + t336;
    const double t338 = t166 * t334;
    const double t339 = t169 * t337;
    const double t340 = t338 - t339;
    const double t341 = t166 * t337;
    const double t342 = t169 * t334;
    const double t343 = t341 + t342;
    const double t344 = t340 * t331;
    const double t345 = t343 * t331;
    const double t346 = t321 * t265;
    const double t347 = t266 * t262;
    const double t348 = t346 - t347;
    const double t349 = t344 * t348;
    const double t350 = t321 * t267;
    const double t351 = t322 * t261;
    const double t352 = t350 + t351;
    const double t353 = t345 * t352;
    const double t354 = t349 + t353;
    const double t355 = t266 * t261;
    const double t356 = t321 * t264;
    const double t357 = t355 - t356;
    const double t358 = t344 * t357;
    const double t359 = t321 * t268;
    const double t360 = t322 * t262;
    const double t361 = t359 + t360;
    const double t362 = t345 * t361;
    const double t363 = t358 + t362;
    const double t364 = t344 * t278;
    const double t365 = t323 - t275;
    const double t366 = t345 * t365;
    const double t367 = t364 + t366;
    const double t368 = t354 * t354;
    const double t369 = t363 * t363;
    const double t370 = t368 + t369;
    const double t371 = t367 * t367;
    const double t372 = t370 + t371;
    const double t373 = t372 * t372;
    const double t374 = t372 * 0.125;
    const double t375 = 0.5 + t374;
    const double t376 = t372 * 0.0390625;
    const double t377 = 0.0625 + t376;
    const double t378 = t373 * t377;
    const double t379 = t375 + t378;
    const double t380 = t372 * 0.0205078125;
    const double t381 = 0.02734375 + t380;
    const double t382 = t372 * 0.013092041015625;
    const double t383 = 0.01611328125 + t382;
    const double t384 = t373 * t373;
    const double t385 = t373 * t383;
    const double t386 = t381 + t385;
    const double t387 = t384 * t386;
    const double t389 = t379 + t387;
    const double t390 = t372 * t389;
    const double t391 = -t390;
    const double t392 = t22 ? t354 : t367;
    const double t393 = t22 ? t363 : t354;
    const double t394 = t22 ? t367 : t363;
    d[0] = t245;
    d[1] = t252;
    d[2] = t257;
    r[0] = t391;
    r[1] = t392;
    r[2] = t393;
    r[3] = t394;
}

/* S(h), and the direction of half the angle, of a step that is short. */
static inline void polhode_begin(const double a[3], double b1, double b3, const double m[3], double gap, double h,
                                 double *s, double half[2]) {
    const double t9 = m[0] * m[0];
    const double t10 = m[1] * m[1];
    const double t11 = m[2] * m[2];
    const double t12 = t9 + t10;
    const double t13 = t12 + t11;
    const double t14 = sqrt(t13);
    const double t15 = a[1] * t9;
    const double t16 = a[0] * t10;
    const double t17 = t15 - t16;
    const double t18 = a[2] * t10;
    const double t19 = a[1] * t11;
    const double t20 = t18 - t19;
    const int t22 = 0.0 < gap;
    const double t23 = t22 ? t17 : t20;
    const double t24 = t14 * t23;
    const double t25 = a[0] * a[1];
    const double t26 = a[1] * a[2];
    const double t27 = t22 ? t25 : t26;
    const double t28 = t27 * t24;
    const double t29 = a[0] * t17;
    const double t30 = a[2] * t20;
    const double t31 = -t30;
    const double t32 = t22 ? t29 : t31;
    const double t33 = a[2] * t17;
    const double t34 = -t33;
    const double t35 = a[0] * t20;
    const double t38 = h * h;
    const double t39 = t34 * t38;
    const double t40 = t35 * t38;
    const double t41 = t39 + t40;
    const double t42 = t39 * t40;
    const double t43 = t41 * t41;
    const double t45 = t41 * 0.16666666666666666;
    const double t47 = 12.0 * t42;
    const double t48 = t43 + t47;
    const double t50 = t48 * 0.008333333333333333;
    const double t52 = 132.0 * t42;
    const double t53 = t43 + t52;
    const double t54 = t41 * t53;
    const double t56 = t54 * 0.0001984126984126984;
    const double t57 = t42 * t42;
    const double t59 = 1224.0 * t42;
    const double t60 = t43 + t59;
    const double t61 = t43 * t60;
    const double t63 = 3024.0 * t57;
    const double t64 = t61 + t63;
    const double t66 = 11064.0 * t42;
    const double t67 = t43 + t66;
    const double t68 = t43 * t67;
    const double t70 = 132624.0 * t57;
    const double t71 = t68 + t70;
    const double t73 = t64 * 2.7557319223985893e-6;
    const double t74 = t41 * t71;
    const double t76 = t74 * 2.505210838544172e-8;
    const double t77 = t73 - t76;
    const double t78 = t50 - t45;
    const double t80 = t77 - t56;
    const double t81 = t78 + t80;
    const double t82 = h * t81;
    const double t83 = h + t82;
    const double t84 = h * t38;
    const double t85 = t28 * t84;
    const double t86 = t32 * t38;
    const double t88 = t41 * 0.3333333333333333;
    const double t89 = t88 - t86;
    const double t91 = 3.0 * t42;
    const double t92 = t43 - t91;
    const double t94 = t92 * 0.06666666666666667;
    const double t95 = t89 * t89;
    const double t96 = t95 - t94;
    const double t98 = t89 * 0.2;
    const double t99 = 0.3333333333333333 - t98;
    const double t101 = t96 * 0.14285714285714285;
    const double t102 = t43 + t43;
    const double t104 = 9.0 * t42;
    const double t105 = t102 - t104;
    const double t106 = t41 * t105;
    const double t108 = t106 * 0.005291005291005291;
    const double t109 = t89 * t94;
    const double t110 = t89 * t96;
    const double t111 = t109 - t110;
    const double t112 = t111 - t108;
    const double t113 = t108 * t89;
    const double t114 = t89 * t112;
    const double t115 = t113 - t114;
    const double t116 = t94 * t96;
    const double t117 = t115 - t116;
    const double t118 = t89 * t117;
    const double t119 = t94 * t112;
    const double t120 = t118 + t119;
    const double t121 = -t120;
    const double t123 = t112 * 0.1111111111111111;
    const double t125 = t117 * 0.09090909090909091;
    const double t127 = t121 * 0.07692307692307693;
    const double t128 = t125 + t127;
    const double t129 = t123 + t128;
    const double t131 = t101 + t129;
    const double t132 = t99 + t131;
    const double t133 = t85 * t132;
    const double t134 = t22 ? b3 : b1;
    const double t135 = t134 * t14;
    const double t136 = t135 * h;
    const double t137 = t136 - t133;
    const double t139 = t137 * 0.5;
    const double t140 = t139 * t139;
    const double t141 = t140 * t140;
    const double t144 = t140 * 2.7557319223985893e-6;
    const double t146 = (-0.0001984126984126984) + t144;
    const double t149 = t140 * 2.755731922398589e-7;
    const double t150 = 2.48015873015873e-5 - t149;
    const double t151 = t140 * t150;
    const double t153 = (-0.001388888888888889) + t151;
    const double t155 = t140 * 0.008333333333333333;
    const double t156 = (-0.16666666666666666) + t155;
    const double t157 = t141 * t146;
    const double t158 = t156 + t157;
    const double t161 = t140 * 0.041666666666666664;
    const double t162 = (-0.5) + t161;
    const double t163 = t141 * t153;
    const double t164 = t162 + t163;
    const double t165 = t140 * t164;
    const double t166 = 1.0 + t165;
    const double t167 = t140 * t158;
    const double t168 = t139 * t167;
    const double t169 = t139 + t168;
    *s = t83;
    half[0] = t166;
    half[1] = t169;
}

/* Both of twice the step. */
static inline void polhode_twice(const double a[3], const double m[3], double gap, double *s, double half[2]) {
    const double t11 = m[0] * m[0];
    const double t12 = m[1] * m[1];
    const double t13 = m[2] * m[2];
    const double t14 = t11 + t12;
    const double t15 = t14 + t13;
    const double t16 = sqrt(t15);
    const double t17 = a[1] * t11;
    const double t18 = a[0] * t12;
    const double t19 = t17 - t18;
    const double t20 = a[2] * t12;
    const double t21 = a[1] * t13;
    const double t22 = t20 - t21;
    const int t24 = 0.0 < gap;
    const double t25 = t24 ? t19 : t22;
    const double t26 = t16 * t25;
    const double t27 = a[0] * a[1];
    const double t28 = a[1] * a[2];
    const double t29 = t24 ? t27 : t28;
    const double t30 = t29 * t26;
    const double t31 = a[0] * t19;
    const double t32 = a[2] * t22;
    const double t33 = -t32;
    const double t34 = t24 ? t31 : t33;
    const double t35 = a[2] * t19;
    const double t36 = -t35;
    const double t37 = a[0] * t22;
    const double t40 = *s * *s;
    const double t41 = t36 * t40;
    const double t42 = t37 * t40;
    const double t43 = 1.0 - t41;
    const double t44 = 1.0 - t42;
    const double t45 = t43 * t44;
    const double t46 = *s + *s;
    const double t47 = sqrt(t45);
    const double t48 = t46 * t47;
    const double t49 = t34 * t40;
    const double t50 = 1.0 - t49;
    const double t51 = t45 + t43;
    const double t52 = t51 + t44;
    const double t53 = t50 * t52;
    const double t54 = t45 + t45;
    const double t55 = t53 - t54;
    const double t56 = t30 * t40;
    const double t57 = t56 * t48;
    const double t58 = -t57;
    const double t59 = t55 * t55;
    const double t60 = t58 * t58;
    const double t61 = t59 + t60;
    const double t62 = sqrt(t61);
    const double t63 = t62 + t55;
    const double t64 = t62 + t62;
    const double t65 = t64 * t63;
    const double t66 = sqrt(t65);
    const double t67 = 1.0 / t66;
    const double t68 = t41 * t42;
    const double t69 = 1.0 - t68;
    const double t70 = t48 / t69;
    const double t71 = half[0] * half[0];
    const double t72 = half[1] * half[1];
    const double t73 = t71 - t72;
    const double t74 = half[0] * half[1];
    const double t75 = half[1] * half[0];
    const double t76 = t74 + t75;
    const double t77 = t63 * t67;
    const double t78 = t58 * t67;
    const double t79 = t73 * t77;
    const double t80 = t76 * t78;
    const double t81 = t79 - t80;
    const double t82 = t73 * t78;
    const double t83 = t76 * t77;
    const double t84 = t82 + t83;
    *s = t70;
    half[0] = t81;
    half[1] = t84;
}

/* What the step does, from both. */
static inline void polhode_finish(const double a[3], const double m[3], double gap, double s, const double half[2],
                                  double d[3], double r[4]) {
    const double t11 = m[0] * m[0];
    const double t12 = m[1] * m[1];
    const double t13 = m[2] * m[2];
    const double t14 = t11 + t12;
    const double t15 = t14 + t13;
    const double t16 = sqrt(t15);
    const double t17 = a[1] * t11;
    const double t18 = a[0] * t12;
    const double t19 = t17 - t18;
    const double t20 = a[2] * t12;
    const double t21 = a[1] * t13;
    const double t22 = t20 - t21;
    const int t24 = 0.0 < gap;
    const double t25 = t24 ? t19 : t22;
    const double t26 = t16 * t25;
    const double t27 = a[0] * a[1];
    const double t31 = a[0] * t19;
    const double t32 = a[2] * t22;
    const double t33 = -t32;
    const double t34 = t24 ? t31 : t33;
    const double t35 = a[2] * t19;
    const double t36 = -t35;
    const double t37 = a[0] * t22;
    const double t40 = s * s;
    const double t41 = t36 * t40;
    const double t42 = 1.0 - t41;
    const double t43 = sqrt(t42);
    const double t44 = 1.0 + t43;
    const double t45 = t41 / t44;
    const double t46 = t37 * t40;
    const double t47 = 1.0 - t46;
    const double t48 = sqrt(t47);
    const double t49 = 1.0 + t48;
    const double t50 = t46 / t49;
    const double t51 = 1.0 - t45;
    const double t52 = 1.0 - t50;
    const double t53 = a[0] * a[2];
    const double t54 = t53 * t12;
    const double t55 = t54 * t40;
    const double t56 = 1.0 - t55;
    const double t57 = 1.0 / t56;
    const double t58 = m[0] * m[1];
    const double t59 = t58 * m[2];
    const double t60 = a[0] * m[1];
    const double t61 = t60 * m[2];
    const double t62 = t61 * s;
    const double t63 = a[1] * m[2];
    const double t64 = t63 * m[0];
    const double t65 = t64 * s;
    const double t66 = a[2] * m[0];
    const double t67 = t66 * m[1];
    const double t68 = t67 * s;
    const double t69 = t55 - t50;
    const double t70 = m[0] * t69;
    const double t71 = t62 * t51;
    const double t72 = t70 + t71;
    const double t73 = t72 * t57;
    const double t74 = t45 + t50;
    const double t75 = t45 * t50;
    const double t76 = t74 - t75;
    const double t77 = t55 - t76;
    const double t78 = m[1] * t77;
    const double t79 = t78 + t65;
    const double t80 = t79 * t57;
    const double t81 = t55 - t45;
    const double t82 = m[2] * t81;
    const double t83 = t68 * t52;
    const double t84 = t82 + t83;
    const double t85 = t84 * t57;
    const double t89 = t24 ? m[0] : m[1];
    const double t90 = t24 ? m[1] : m[2];
    const double t91 = t24 ? m[2] : m[0];
    const double t92 = t24 ? t73 : t80;
    const double t93 = t24 ? t80 : t85;
    const double t94 = t24 ? t85 : t73;
    const double t95 = t89 + t92;
    const double t96 = t90 + t93;
    const double t97 = t91 + t94;
    const double t98 = t89 * t89;
    const double t99 = t90 * t90;
    const double t100 = t98 + t99;
    const double t101 = t95 * t89;
    const double t102 = t96 * t90;
    const double t103 = t101 + t102;
    const double t104 = t92 * t90;
    const double t105 = t89 * t93;
    const double t106 = t104 - t105;
    const double t107 = t51 * t52;
    const double t108 = t27 * a[2];
    const double t109 = t108 * t59;
    const double t110 = t109 * t40;
    const double t111 = t110 * s;
    const double t112 = t107 + t111;
    const double t113 = t112 * t100;
    const double t114 = t24 ? a[2] : a[0];
    const double t115 = t114 * t59;
    const double t116 = t115 * s;
    const double t117 = t116 * t56;
    const double t118 = t113 - t117;
    const double t119 = t26 * s;
    const double t120 = t119 * t56;
    const double t121 = t103 * t103;
    const double t122 = t106 * t106;
    const double t123 = t121 + t122;
    const double t124 = sqrt(t123);
    const double t125 = t34 * t40;
    const double t126 = 1.0 - t125;
    const double t127 = sqrt(t126);
    const double t128 = 1.0 + t127;
    const double t129 = t125 / t128;
    const double t130 = 1.0 - t129;
    const double t131 = t56 * t130;
    const double t132 = t124 * t131;
    const double t133 = t132 + t118;
    const double t134 = t124 + t103;
    const double t135 = t16 + t91;
    const double t136 = t16 + t97;
    const double t137 = t135 * t136;
    const double t139 = t16 * t124;
    const double t140 = t137 * t133;
    const double t141 = t140 * t134;
    const double t142 = t141 * t131;
    const double t143 = sqrt(t142);
    const double t144 = t139 * t143;
    const double t145 = 0.25 / t144;
    const double t146 = t133 * t134;
    const double t147 = t120 * t106;
    const double t148 = t146 - t147;
    const double t149 = t133 * t106;
    const double t150 = t120 * t134;
    const double t151 = t149 + t150;
    const double t152 = half[0] * t148;
    const double t153 = half[1] * t151;
    const double t154 = t152 - t153;
    const double t155 = half[0] * t151;
    const double t156 = half[1] * t148;
    const double t157 = t155 + t156;
    const double t158 = t154 * t145;
    const double t159 = t157 * t145;
    const double t160 = t135 * t93;
    const double t161 = t94 * t90;
    const double t162 = t160 - t161;
    const double t163 = t158 * t162;
    const double t164 = t135 * t95;
    const double t165 = t136 * t89;
    const double t166 = t164 + t165;
    const double t167 = t159 * t166;
    const double t168 = t163 + t167;
    const double t169 = t94 * t89;
    const double t170 = t135 * t92;
    const double t171 = t169 - t170;
    const double t172 = t158 * t171;
    const double t173 = t135 * t96;
    const double t174 = t136 * t90;
    const double t175 = t173 + t174;
    const double t176 = t159 * t175;
    const double t177 = t172 + t176;
    const double t178 = t158 * t106;
    const double t179 = t137 - t103;
    const double t180 = t159 * t179;
    const double t181 = t178 + t180;
    const double t182 = t168 * t168;
    const double t183 = t177 * t177;
    const double t184 = t182 + t183;
    const double t185 = t181 * t181;
    const double t186 = t184 + t185;
    const double t187 = 1.0 - t186;
    const double t188 = sqrt(t187);
    const double t189 = 1.0 + t188;
    const double t190 = t186 / t189;
    const double t191 = -t190;
    const double t192 = t24 ? t168 : t181;
    const double t193 = t24 ? t177 : t168;
    const double t194 = t24 ? t181 : t177;
    d[0] = t73;
    d[1] = t80;
    d[2] = t85;
    r[0] = t191;
    r[1] = t192;
    r[2] = t193;
    r[3] = t194;
}

/* A step that is not short, by its square: halved until it is, and doubled again. */
static inline void polhode_doubled(const double a[3], double b1, double b3, const double m[3], double h,
                                   double square, double d[3], double r[4]) {
    /* The gauge axis is the one that the middle of the step is farther from. */
    const double part = h * 0.5, n1 = m[0] + part * (a[0] * m[1] * m[2]), n3 = m[2] + part * (a[2] * m[0] * m[1]);
    const double gap = n1 * n1 - n3 * n3;
    double s, half[2];
    int doublings = 0;
    for (; 1.0 < square; doublings++) {
        square = square * 0.25;
        h = h * 0.5;
    }
    polhode_begin(a, b1, b3, m, gap, h, &s, half);
    for (int i = 0; i < doublings; i++) polhode_twice(a, m, gap, &s, half);
    polhode_finish(a, m, gap, s, half, d, r);
}

/* The body whose principal axes are turned by `frame` (x, y, z, w) in it: a vector along the principal axes, turned
 * by it, is that vector in the body's own coordinates. */
static inline polhode_inertia polhode_inertia_principal_in_frame(const double moments[3], const double frame[4]) {
    polhode_inertia body;
    double i[3], most = 0.0;
    for (int k = 0; k < 3; k++) most = polhode_larger(most, moments[k]);
    const int proper = 0.0 < most && polhode_all_finite(moments, 3);
    most = proper ? most : 1.0;
    const double unit = polhode_power_of_two(most);
    for (int k = 0; k < 3; k++) i[k] = polhode_larger((proper ? moments[k] : 1.0) / unit, (most / unit) * 1e-30);
    /* Beside moments that differ by a rounding, one that is lost in it would be spun up to any speed. */
    const double thin[3] = {i[0], i[1], i[2]};
    for (int k = 0; k < 3; k++) {
        if (thin[k] < 1e-6) i[k] = polhode_larger(thin[k], fabs(thin[(k + 1) % 3] - thin[(k + 2) % 3]));
    }
    /* The second axis of the formula is that of the least moment. */
    body.first = i[0] <= i[1] && i[0] <= i[2] ? 2 : i[2] < i[1];
    for (int k = 0; k < 3; k++) body.moments[k] = i[(k + body.first) % 3];
    const double *j = body.moments, b1 = 1.0 / j[0], b2 = 1.0 / j[1], b3 = 1.0 / j[2];
    body.a[0] = (j[1] - j[2]) * (b2 * b3);
    body.a[1] = (j[2] - j[0]) * (b3 * b1);
    body.a[2] = (j[0] - j[1]) * (b1 * b2);
    body.b1 = b1;
    body.b3 = b3;
    body.steepest = polhode_larger(fabs(body.a[0]), fabs(body.a[2]));
    body.widest = polhode_larger(b1 * b1, b3 * b3);
    memcpy(body.frame, frame, sizeof body.frame);
    polhode_of_length_one(body.frame);
    body.framed = body.frame[0] != 0.0 || body.frame[1] != 0.0 || body.frame[2] != 0.0;
    return body;
}

/* The body with these principal moments about its own axes. */
static inline polhode_inertia polhode_inertia_principal(const double moments[3]) {
    const double upright[4] = {0.0, 0.0, 0.0, 1.0};
    return polhode_inertia_principal_in_frame(moments, upright);
}

/* The body with this inertia tensor, row by row: it is symmetric, and what is above its diagonal is read. */
static inline polhode_inertia polhode_inertia_tensor(const double rows[9]) {
    static const int turns[3][3] = {{2, 0, 1}, {0, 1, 2}, {1, 2, 0}};
    double moments[3] = {rows[0], rows[4], rows[8]}, others[3] = {rows[5], rows[2], rows[1]};
    double frame[4] = {0.0, 0.0, 0.0, 1.0};
    const double unit = polhode_power_of_two(polhode_larger(polhode_largest(moments, 3), polhode_largest(others, 3)));
    for (int k = 0; k < 3; k++) {
        moments[k] = moments[k] / unit;
        others[k] = others[k] / unit;
    }
    for (int sweep = 0; sweep < 12; sweep++) {
        for (int k = 0; k < 3; k++) {
            const int axis = turns[k][0], p = turns[k][1], q = turns[k][2];
            const double off = others[axis];
            if (fabs(off) <= 1e-40) continue;
            const double theta = (moments[q] - moments[p]) / (off + off);
            const double root = sqrt(theta * theta + 1.0);
            const double tangent = 1.0 / (theta < 0.0 ? theta - root : theta + root);
            const double cosine = 1.0 / sqrt(tangent * tangent + 1.0);
            const double sine = tangent * cosine;
            moments[p] = moments[p] - tangent * off;
            moments[q] = moments[q] + tangent * off;
            const double other_q = cosine * others[q] - sine * others[p];
            others[p] = sine * others[q] + cosine * others[p];
            others[q] = other_q;
            others[axis] = 0.0;
            const double half_cosine = sqrt((1.0 + cosine) * 0.5);
            double turn[4] = {0.0, 0.0, 0.0, half_cosine}, turned[4];
            turn[axis] = -(sine * 0.5) / half_cosine;
            polhode_product(frame, turn, turned);
            memcpy(frame, turned, sizeof frame);
        }
    }
    return polhode_inertia_principal_in_frame(moments, frame);
}

/* One short step of a sphere: its rotation; false if it is too long. */
static inline int polhode_spin(polhode_motion *s, int world, double h, double most) {
    const double x = s->omega[0], y = s->omega[1], z = s->omega[2];
    const double u = (x * x + y * y + z * z) * (h * h);
    if (!(u <= most)) return 0;
    /* The sine of half the angle over the angle, and the cosine. */
    const double tail = 1.0 / 3840.0 + u * (-1.0 / 645120.0 + u * (1.0 / 185794560.0));
    const double sine = 0.5 + u * (-1.0 / 48.0 + u * tail);
    const double scale = h * sine, cosine = sqrt(1.0 - u * (sine * sine));
    const double turn[4] = {x * scale, y * scale, z * scale, cosine}, q[4] = {s->q[0], s->q[1], s->q[2], s->q[3]};
    polhode_product(world ? turn : q, world ? q : turn, s->q);
    return 1;
}

/* A step of up to a radian or so: zero if it is done, else the square of how many times too long it is, or NaN where
 * numbers need a unit of their own, or are not finite, or the quaternion has no direction. */
static inline double polhode_tumble(polhode_motion *s, const polhode_inertia *body, int world, double h,
                                    const polhode_limits *limits) {
    const double longest_bend = 0.96, longest_turn = 4.0;
    const double lack = 1.0 - polhode_square(s->q);
    double q[4], axes[4], along[3], omega[3], m[3];
    for (int i = 0; i < 4; i++) q[i] = s->q[i] * (1.0 + lack * 0.5);
    memcpy(axes, q, sizeof axes);
    if (body->framed) polhode_product(q, body->frame, axes);
    const double *outer = world ? axes : body->frame;
    memcpy(along, s->omega, sizeof along);
    if (world || body->framed) polhode_turned(outer, 1, s->omega, along);
    for (int i = 0; i < 3; i++) omega[i] = along[(i + body->first) % 3];
    for (int i = 0; i < 3; i++) m[i] = body->moments[i] * omega[i];
    const double size = fabs(m[0]) + fabs(m[1]) + fabs(m[2]);
    if (!(fabs(lack) < 0.01 && 1e-40 < size && size < 1e40 && fabs(h) < 1e40)) return NAN;

    double t1, t3, g2, d[3], r[4];
    polhode_constants(body->a, m, &t1, &t3, &g2);
    const double bend = body->steepest * polhode_larger(fabs(t1), fabs(t3)) * (h * h);
    const double turn = body->widest * (g2 * (h * h));
    if (bend < limits->tiny_bend && turn < limits->tiny_turn) {
        polhode_tiny(body->a, body->b1, body->b3, m, h, d, r);
    } else if (bend <= limits->short_bend && turn <= limits->short_turn) {
        polhode_short(body->a, body->b1, body->b3, m, h, d, r);
    } else if (bend <= longest_bend && turn <= longest_turn) {
        polhode_doubled(body->a, body->b1, body->b3, m, h,
                        polhode_larger(bend / limits->short_bend, turn / limits->short_turn), d, r);
    } else {
        return polhode_larger(bend / longest_bend, turn / longest_turn);
    }

    double change[3], sum[3], more[3], axis[3], placed[3], rotation[4], turned[4];
    for (int i = 0; i < 3; i++) change[i] = d[i] / body->moments[i];
    if (world) {
        for (int i = 0; i < 3; i++) sum[i] = omega[i] + change[i];
        polhode_moved(r + 1, 1.0 + r[0], sum, more);
        for (int i = 0; i < 3; i++) change[i] = change[i] + more[i];
    }
    for (int i = 0; i < 3; i++) {
        placed[(i + body->first) % 3] = change[i];
        axis[(i + body->first) % 3] = r[1 + i];
    }
    memcpy(change, placed, sizeof change);
    if (world || body->framed) polhode_turned(outer, 0, placed, change);
    memcpy(rotation, axis, sizeof axis);
    if (body->framed) polhode_turned(body->frame, 0, axis, rotation);
    rotation[3] = r[0];
    polhode_product(q, rotation, turned);
    for (int i = 0; i < 3 && body->steepest != 0.0; i++) s->omega[i] = s->omega[i] + change[i];
    for (int i = 0; i < 4; i++) s->q[i] = q[i] + turned[i];
    return 0.0;
}

/* Any step; false, with nothing changed, if a number is not finite. */
static inline int polhode_run(polhode_motion *s, const polhode_inertia *body, int world, double h,
                              const polhode_limits *limits) {
    double power = 1.0;
    double square = polhode_tumble(s, body, world, h, limits);
    if (square != square) {
        /* Numbers that need a unit of their own. */
        if (!(polhode_all_finite(s->q, 4) && polhode_all_finite(s->omega, 3) && polhode_finite(h))) return 0;
        polhode_of_length_one(s->q);
        power = polhode_power_of_two(polhode_largest(s->omega, 3));
        power = power < 1.0 / DBL_MIN ? power : 1.0 / DBL_MIN;
        for (int i = 0; i < 3; i++) s->omega[i] = s->omega[i] / power;
        h = polhode_within(h * power, 0.5 * 1e40);
        square = polhode_tumble(s, body, world, h, limits);
    }
    if (0.0 < square) {
        /* In equal parts, twice as many as it takes: rounding grows faster than the length of a part. */
        const double length = 2.0 * sqrt(square);
        const int count = length < 1024.0 ? (int)length + 1 : 1024;
        const double part = h / polhode_larger((double)count, length);
        for (int i = 0; i < count; i++) (void)polhode_tumble(s, body, world, part, limits);
    }
    for (int i = 0; i < 3; i++) s->omega[i] = s->omega[i] * power;
    return 1;
}

/* Moves a free body on by the time dt: its angular velocity, in the coordinates of the world, and its rotation. */
static inline void polhode_step_f32(const polhode_inertia *inertia, float omega[3], float rotation[4],
                                        float dt) {
    const polhode_limits limits = {0.004, 0.1, 0.06, 0.5};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    if (inertia->steepest == 0.0 && polhode_spin(&s, 1, dt, limits.short_turn)) {
        for (int i = 0; i < 4; i++) rotation[i] = (float)polhode_within(s.q[i], FLT_MAX);
    } else if (polhode_run(&s, inertia, 1, dt, &limits)) {
        uint64_t dice = 0;
        for (int i = 0; i < 4; i++) rotation[i] = (float)polhode_within(polhode_rounded(s.q[i], &dice), FLT_MAX);
        for (int i = 0; i < 3; i++) omega[i] = (float)polhode_within(polhode_rounded(s.omega[i], &dice), FLT_MAX);
    }
}

/* Moves a free body on by the time dt: its angular velocity, in the coordinates of the body, and its rotation. */
static inline void polhode_step_body_f32(const polhode_inertia *inertia, float omega[3], float rotation[4],
                                        float dt) {
    const polhode_limits limits = {0.004, 0.1, 0.06, 0.5};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    if (inertia->steepest == 0.0 && polhode_spin(&s, 0, dt, limits.short_turn)) {
        for (int i = 0; i < 4; i++) rotation[i] = (float)polhode_within(s.q[i], FLT_MAX);
    } else if (polhode_run(&s, inertia, 0, dt, &limits)) {
        uint64_t dice = 0;
        for (int i = 0; i < 4; i++) rotation[i] = (float)polhode_within(polhode_rounded(s.q[i], &dice), FLT_MAX);
        for (int i = 0; i < 3; i++) omega[i] = (float)polhode_within(polhode_rounded(s.omega[i], &dice), FLT_MAX);
    }
}

/* Moves a free body on by the time dt: its angular velocity, in the coordinates of the world, and its rotation. */
static inline void polhode_step_f64(const polhode_inertia *inertia, double omega[3], double rotation[4],
                                        double dt) {
    const polhode_limits limits = {5e-5, 0.0005, 0.006, 0.03};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    if (inertia->steepest == 0.0 && polhode_spin(&s, 1, dt, limits.short_turn)) {
        for (int i = 0; i < 4; i++) rotation[i] = (double)polhode_within(s.q[i], DBL_MAX);
    } else if (polhode_run(&s, inertia, 1, dt, &limits)) {
        for (int i = 0; i < 4; i++) rotation[i] = (double)polhode_within(s.q[i], DBL_MAX);
        for (int i = 0; i < 3; i++) omega[i] = (double)polhode_within(s.omega[i], DBL_MAX);
    }
}

/* Moves a free body on by the time dt: its angular velocity, in the coordinates of the body, and its rotation. */
static inline void polhode_step_body_f64(const polhode_inertia *inertia, double omega[3], double rotation[4],
                                        double dt) {
    const polhode_limits limits = {5e-5, 0.0005, 0.006, 0.03};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    if (inertia->steepest == 0.0 && polhode_spin(&s, 0, dt, limits.short_turn)) {
        for (int i = 0; i < 4; i++) rotation[i] = (double)polhode_within(s.q[i], DBL_MAX);
    } else if (polhode_run(&s, inertia, 0, dt, &limits)) {
        for (int i = 0; i < 4; i++) rotation[i] = (double)polhode_within(s.q[i], DBL_MAX);
        for (int i = 0; i < 3; i++) omega[i] = (double)polhode_within(s.omega[i], DBL_MAX);
    }
}

#ifdef __cplusplus
}
#endif
#endif
