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
 * and rounds once.
 *
 * Only ratios of moments matter. A moment that is zero, negative or below 1e-30 of the largest is taken as that
 * part of it. If none is positive, or one is not finite, the body turns as a sphere does. What is finite stays
 * finite; a body with a number that is not stays as it is.
 *
 * Compile with -ffp-contract=off (GCC, Clang; /fp:precise for MSVC) and without -ffast-math: the results then
 * have the bits of the Rust crate polhode-step on every platform whose compiler computes doubles as doubles
 * (not the x87 unit of 32-bit x86).
 *
 * C99 or C++. Generated from crates/polhode-step by `cargo xtask docs`: do not edit.
 * https://crates.io/crates/polhode-step
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef POLHODE_STEP_H
#define POLHODE_STEP_H

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
    unsigned char first, framed, sphere;
} polhode_inertia;

/* Up to which lengths a step is done at once, and the largest number. */
typedef struct polhode_limits {
    double short_bend, short_turn, tiny_bend, tiny_turn, most;
} polhode_limits;

/* What a step changes. */
typedef struct polhode_motion {
    double omega[3], q[4];
} polhode_motion;

enum { POLHODE_DONE, POLHODE_TOO_LONG, POLHODE_UNUSUAL };

static inline double polhode_larger(double a, double b) {
    return a < b ? b : a;
}

static inline double polhode_within(double x, double limit) {
    x = limit < x ? limit : x;
    return x < -limit ? -limit : x;
}

static inline int polhode_finite(double x) {
    return fabs(x) <= DBL_MAX;
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
    for (int i = 0; i < 3; i++) {
        const double half = w * across[i] + further[i];
        out[i] = half + half;
    }
}

/* A vector turned by a unit quaternion, or back by it. */
static inline void polhode_turned(const double q[4], int back, const double v[3], double out[3]) {
    double change[3];
    polhode_moved(q, back ? -q[3] : q[3], v, change);
    for (int i = 0; i < 3; i++) out[i] = v[i] + change[i];
}

static inline void polhode_product(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* A quaternion over its length, or no rotation where it has none. */
static inline void polhode_of_length_one(double q[4]) {
    double largest = 0.0;
    for (int i = 0; i < 4; i++) largest = polhode_larger(largest, fabs(q[i]));
    if (!(0.0 < largest && polhode_all_finite(q, 4))) {
        q[0] = q[1] = q[2] = 0.0;
        q[3] = 1.0;
        return;
    }
    for (int i = 0; i < 4; i++) q[i] = q[i] / largest;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]));
    for (int i = 0; i < 4; i++) q[i] = q[i] / length;
}

/* What a momentum m says about its motion. */
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
    const double t10 = m[0] * m[0];
    const double t11 = m[1] * m[1];
    const double t12 = m[2] * m[2];
    const double t13 = t10 + t11;
    const double t14 = t13 + t12;
    const double t15 = sqrt(t14);
    const double t16 = a[1] * t10;
    const double t17 = a[0] * t11;
    const double t18 = t16 - t17;
    const double t19 = a[2] * t11;
    const double t20 = a[1] * t12;
    const double t21 = t19 - t20;
    const double t22 = 0.0 * t11;
    const double t23 = t10 + t22;
    const double t24 = t23 - t12;
    const double t26 = t24 + 2.2250738585072014e-308;
    const int t27 = 0.0 < t26;
    const double t28 = t27 ? t18 : t21;
    const double t29 = t15 * t28;
    const double t30 = a[2] * t18;
    const double t31 = -t30;
    const double t32 = a[0] * t21;
    const double t33 = a[0] * a[1];
    const double t34 = a[1] * a[2];
    const double t35 = t27 ? t33 : t34;
    const double t36 = t35 * t29;
    const double t37 = a[0] * t18;
    const double t38 = a[2] * t21;
    const double t39 = -t38;
    const double t40 = t27 ? t37 : t39;
    const double t43 = h * h;
    const double t44 = t31 * t43;
    const double t45 = t32 * t43;
    const double t46 = t44 + t45;
    const double t47 = t44 * t45;
    const double t48 = t46 * t46;
    const double t50 = t46 * 0.16666666666666666;
    const double t52 = 12.0 * t47;
    const double t53 = t48 + t52;
    const double t55 = t53 * 0.008333333333333333;
    const double t57 = 132.0 * t47;
    const double t58 = t48 + t57;
    const double t59 = t46 * t58;
    const double t61 = t59 * 0.0001984126984126984;
    const double t62 = t55 - t50;
    const double t63 = t62 - t61;
    const double t64 = h * t63;
    const double t65 = h + t64;
    const double t66 = h * t43;
    const double t67 = t36 * t66;
    const double t68 = t40 * t43;
    const double t70 = t46 * 0.3333333333333333;
    const double t71 = t70 - t68;
    const double t73 = 3.0 * t47;
    const double t74 = t48 - t73;
    const double t76 = t74 * 0.06666666666666667;
    const double t77 = t71 * t71;
    const double t78 = t77 - t76;
    const double t80 = t71 * 0.2;
    const double t81 = 0.3333333333333333 - t80;
    const double t83 = t78 * 0.14285714285714285;
    const double t84 = t81 + t83;
    const double t85 = t67 * t84;
    const double t86 = t65 * t65;
    const double t87 = t31 * t86;
    const double t88 = t87 * t87;
    const double t90 = t87 * 0.125;
    const double t91 = 0.5 + t90;
    const double t94 = t87 * 0.0390625;
    const double t95 = 0.0625 + t94;
    const double t96 = t88 * t95;
    const double t97 = t91 + t96;
    const double t98 = t87 * t97;
    const double t99 = t32 * t86;
    const double t100 = t99 * t99;
    const double t101 = t99 * 0.125;
    const double t102 = 0.5 + t101;
    const double t103 = t99 * 0.0390625;
    const double t104 = 0.0625 + t103;
    const double t105 = t100 * t104;
    const double t106 = t102 + t105;
    const double t107 = t99 * t106;
    const double t108 = 1.0 - t98;
    const double t109 = 1.0 - t107;
    const double t110 = a[0] * a[2];
    const double t111 = t110 * t11;
    const double t112 = t111 * t86;
    const double t113 = t112 * t112;
    const double t114 = 1.0 + t112;
    const double t115 = 1.0 + t113;
    const double t116 = t114 * t115;
    const double t117 = 1.0 - t112;
    const double t118 = m[0] * m[1];
    const double t119 = t118 * m[2];
    const double t120 = a[0] * m[1];
    const double t121 = t120 * m[2];
    const double t122 = t121 * t65;
    const double t123 = a[1] * m[2];
    const double t124 = t123 * m[0];
    const double t125 = t124 * t65;
    const double t126 = a[2] * m[0];
    const double t127 = t126 * m[1];
    const double t128 = t127 * t65;
    const double t129 = t112 - t107;
    const double t130 = m[0] * t129;
    const double t131 = t122 * t108;
    const double t132 = t130 + t131;
    const double t133 = t132 * t116;
    const double t134 = t98 + t107;
    const double t135 = t98 * t107;
    const double t136 = t134 - t135;
    const double t137 = t112 - t136;
    const double t138 = m[1] * t137;
    const double t139 = t138 + t125;
    const double t140 = t139 * t116;
    const double t141 = t112 - t98;
    const double t142 = m[2] * t141;
    const double t143 = t128 * t109;
    const double t144 = t142 + t143;
    const double t145 = t144 * t116;
    const double t149 = t27 ? m[0] : m[1];
    const double t150 = t27 ? m[1] : m[2];
    const double t151 = t27 ? m[2] : m[0];
    const double t152 = t27 ? t133 : t140;
    const double t153 = t27 ? t140 : t145;
    const double t154 = t27 ? t145 : t133;
    const double t155 = t149 + t152;
    const double t156 = t150 + t153;
    const double t157 = t151 + t154;
    const double t158 = t149 * t149;
    const double t159 = t150 * t150;
    const double t160 = t158 + t159;
    const double t161 = t155 * t149;
    const double t162 = t156 * t150;
    const double t163 = t161 + t162;
    const double t164 = t152 * t150;
    const double t165 = t149 * t153;
    const double t166 = t164 - t165;
    const double t167 = t108 * t109;
    const double t168 = t33 * a[2];
    const double t169 = t168 * t119;
    const double t170 = t169 * t86;
    const double t171 = t170 * t65;
    const double t172 = t167 + t171;
    const double t173 = t172 * t160;
    const double t174 = t27 ? a[2] : a[0];
    const double t175 = t174 * t119;
    const double t176 = t175 * t65;
    const double t177 = t176 * t117;
    const double t178 = t173 - t177;
    const double t179 = t29 * t65;
    const double t180 = t179 * t117;
    const double t181 = t163 * t163;
    const double t182 = t166 * t166;
    const double t183 = t181 + t182;
    const double t184 = sqrt(t183);
    const double t185 = t40 * t86;
    const double t186 = t185 * t185;
    const double t187 = t185 * 0.125;
    const double t188 = 0.5 + t187;
    const double t189 = t185 * 0.0390625;
    const double t190 = 0.0625 + t189;
    const double t191 = t186 * t190;
    const double t192 = t188 + t191;
    const double t193 = t185 * t192;
    const double t194 = 1.0 - t193;
    const double t195 = t117 * t194;
    const double t196 = t184 * t195;
    const double t197 = t196 + t178;
    const double t198 = t184 + t163;
    const double t199 = t15 + t151;
    const double t200 = t15 + t157;
    const double t201 = t199 * t200;
    const double t203 = t15 * t184;
    const double t204 = t201 * t197;
    const double t205 = t204 * t198;
    const double t206 = t205 * t195;
    const double t207 = sqrt(t206);
    const double t208 = t203 * t207;
    const double t209 = 0.25 / t208;
    const double t210 = t27 ? b3 : b1;
    const double t211 = t210 * t15;
    const double t212 = t211 * h;
    const double t213 = t212 - t85;
    const double t214 = t213 * 0.5;
    const double t215 = t214 * t214;
    const double t216 = t215 * t215;
    const double t220 = t215 * 0.008333333333333333;
    const double t221 = (-0.16666666666666666) + t220;
    const double t222 = t216 * (-0.0001984126984126984);
    const double t223 = t221 + t222;
    const double t226 = t215 * 0.041666666666666664;
    const double t227 = (-0.5) + t226;
    const double t228 = t216 * (-0.001388888888888889);
    const double t229 = t227 + t228;
    const double t230 = t215 * t223;
    const double t231 = t214 * t230;
    const double t232 = t214 + t231;
    const double t233 = t215 * t229;
    const double t234 = 1.0 + t233;
    const double t235 = t197 * t198;
    const double t236 = t180 * t166;
    const double t237 = t235 - t236;
    const double t238 = t197 * t166;
    const double t239 = t180 * t198;
    const double t240 = t238 + t239;
    const double t241 = t234 * t237;
    const double t242 = t232 * t240;
    const double t243 = t241 - t242;
    const double t244 = t234 * t240;
    const double t245 = t232 * t237;
    const double t246 = t244 + t245;
    const double t247 = t243 * t209;
    const double t248 = t246 * t209;
    const double t249 = t199 * t153;
    const double t250 = t154 * t150;
    const double t251 = t249 - t250;
    const double t252 = t247 * t251;
    const double t253 = t199 * t155;
    const double t254 = t200 * t149;
    const double t255 = t253 + t254;
    const double t256 = t248 * t255;
    const double t257 = t252 + t256;
    const double t258 = t154 * t149;
    const double t259 = t199 * t152;
    const double t260 = t258 - t259;
    const double t261 = t247 * t260;
    const double t262 = t199 * t156;
    const double t263 = t200 * t150;
    const double t264 = t262 + t263;
    const double t265 = t248 * t264;
    const double t266 = t261 + t265;
    const double t267 = t247 * t166;
    const double t268 = t201 - t163;
    const double t269 = t248 * t268;
    const double t270 = t267 + t269;
    const double t271 = t257 * t257;
    const double t272 = t266 * t266;
    const double t273 = t271 + t272;
    const double t274 = t270 * t270;
    const double t275 = t273 + t274;
    const double t276 = t275 * t275;
    const double t277 = t275 * 0.125;
    const double t278 = 0.5 + t277;
    const double t279 = t275 * 0.0390625;
    const double t280 = 0.0625 + t279;
    const double t281 = t276 * t280;
    const double t282 = t278 + t281;
    const double t283 = t275 * t282;
    const double t284 = -t283;
    const double t285 = t27 ? t257 : t270;
    const double t286 = t27 ? t266 : t257;
    const double t287 = t27 ? t270 : t266;
    d[0] = t133;
    d[1] = t140;
    d[2] = t145;
    r[0] = t284;
    r[1] = t285;
    r[2] = t286;
    r[3] = t287;
}

/* The same where it is short. */
static inline void polhode_short(const double a[3], double b1, double b3, const double m[3], double h, double d[3],
                                 double r[4]) {
    const double t10 = m[0] * m[0];
    const double t11 = m[1] * m[1];
    const double t12 = m[2] * m[2];
    const double t13 = t10 + t11;
    const double t14 = t13 + t12;
    const double t15 = sqrt(t14);
    const double t16 = a[1] * t10;
    const double t17 = a[0] * t11;
    const double t18 = t16 - t17;
    const double t19 = a[2] * t11;
    const double t20 = a[1] * t12;
    const double t21 = t19 - t20;
    const double t22 = 0.0 * t11;
    const double t23 = t10 + t22;
    const double t24 = t23 - t12;
    const double t26 = t24 + 2.2250738585072014e-308;
    const int t27 = 0.0 < t26;
    const double t28 = t27 ? t18 : t21;
    const double t29 = t15 * t28;
    const double t30 = a[2] * t18;
    const double t31 = -t30;
    const double t32 = a[0] * t21;
    const double t33 = a[0] * a[1];
    const double t34 = a[1] * a[2];
    const double t35 = t27 ? t33 : t34;
    const double t36 = t35 * t29;
    const double t37 = a[0] * t18;
    const double t38 = a[2] * t21;
    const double t39 = -t38;
    const double t40 = t27 ? t37 : t39;
    const double t43 = h * h;
    const double t44 = t31 * t43;
    const double t45 = t32 * t43;
    const double t46 = t44 + t45;
    const double t47 = t44 * t45;
    const double t48 = t46 * t46;
    const double t50 = t46 * 0.16666666666666666;
    const double t52 = 12.0 * t47;
    const double t53 = t48 + t52;
    const double t55 = t53 * 0.008333333333333333;
    const double t57 = 132.0 * t47;
    const double t58 = t48 + t57;
    const double t59 = t46 * t58;
    const double t61 = t59 * 0.0001984126984126984;
    const double t62 = t47 * t47;
    const double t64 = 1224.0 * t47;
    const double t65 = t48 + t64;
    const double t66 = t48 * t65;
    const double t68 = 3024.0 * t62;
    const double t69 = t66 + t68;
    const double t71 = t69 * 2.7557319223985893e-6;
    const double t73 = 11064.0 * t47;
    const double t74 = t48 + t73;
    const double t75 = t48 * t74;
    const double t77 = 132624.0 * t62;
    const double t78 = t75 + t77;
    const double t79 = t46 * t78;
    const double t81 = t79 * 2.505210838544172e-8;
    const double t82 = t55 - t50;
    const double t83 = t71 - t81;
    const double t85 = t83 - t61;
    const double t86 = t82 + t85;
    const double t87 = h * t86;
    const double t88 = h + t87;
    const double t89 = h * t43;
    const double t90 = t36 * t89;
    const double t91 = t40 * t43;
    const double t93 = t46 * 0.3333333333333333;
    const double t94 = t93 - t91;
    const double t96 = 3.0 * t47;
    const double t97 = t48 - t96;
    const double t99 = t97 * 0.06666666666666667;
    const double t100 = t94 * t94;
    const double t101 = t100 - t99;
    const double t103 = t94 * 0.2;
    const double t104 = 0.3333333333333333 - t103;
    const double t106 = t101 * 0.14285714285714285;
    const double t107 = t48 + t48;
    const double t109 = 9.0 * t47;
    const double t110 = t107 - t109;
    const double t111 = t46 * t110;
    const double t113 = t111 * 0.005291005291005291;
    const double t114 = t94 * t99;
    const double t115 = t94 * t101;
    const double t116 = t114 - t115;
    const double t117 = t116 - t113;
    const double t118 = t113 * t94;
    const double t119 = t94 * t117;
    const double t120 = t118 - t119;
    const double t121 = t99 * t101;
    const double t122 = t120 - t121;
    const double t123 = t94 * t122;
    const double t124 = t99 * t117;
    const double t125 = t123 + t124;
    const double t126 = -t125;
    const double t128 = t117 * 0.1111111111111111;
    const double t130 = t122 * 0.09090909090909091;
    const double t132 = t126 * 0.07692307692307693;
    const double t133 = t130 + t132;
    const double t134 = t128 + t133;
    const double t136 = t106 + t134;
    const double t137 = t104 + t136;
    const double t138 = t90 * t137;
    const double t139 = t88 * t88;
    const double t140 = t31 * t139;
    const double t141 = t140 * t140;
    const double t143 = t140 * 0.125;
    const double t144 = 0.5 + t143;
    const double t147 = t140 * 0.0390625;
    const double t148 = 0.0625 + t147;
    const double t149 = t141 * t148;
    const double t150 = t144 + t149;
    const double t153 = t140 * 0.0205078125;
    const double t154 = 0.02734375 + t153;
    const double t157 = t140 * 0.013092041015625;
    const double t158 = 0.01611328125 + t157;
    const double t159 = t141 * t141;
    const double t160 = t141 * t158;
    const double t161 = t154 + t160;
    const double t162 = t159 * t161;
    const double t164 = t150 + t162;
    const double t165 = t140 * t164;
    const double t166 = t32 * t139;
    const double t167 = t166 * t166;
    const double t168 = t166 * 0.125;
    const double t169 = 0.5 + t168;
    const double t170 = t166 * 0.0390625;
    const double t171 = 0.0625 + t170;
    const double t172 = t167 * t171;
    const double t173 = t169 + t172;
    const double t174 = t166 * 0.0205078125;
    const double t175 = 0.02734375 + t174;
    const double t176 = t166 * 0.013092041015625;
    const double t177 = 0.01611328125 + t176;
    const double t178 = t167 * t167;
    const double t179 = t167 * t177;
    const double t180 = t175 + t179;
    const double t181 = t178 * t180;
    const double t183 = t173 + t181;
    const double t184 = t166 * t183;
    const double t185 = 1.0 - t165;
    const double t186 = 1.0 - t184;
    const double t187 = a[0] * a[2];
    const double t188 = t187 * t11;
    const double t189 = t188 * t139;
    const double t190 = t189 * t189;
    const double t191 = 1.0 + t189;
    const double t192 = 1.0 + t190;
    const double t193 = t191 * t192;
    const double t194 = t190 * t190;
    const double t196 = 1.0 + t194;
    const double t197 = t193 * t196;
    const double t198 = 1.0 - t189;
    const double t199 = m[0] * m[1];
    const double t200 = t199 * m[2];
    const double t201 = a[0] * m[1];
    const double t202 = t201 * m[2];
    const double t203 = t202 * t88;
    const double t204 = a[1] * m[2];
    const double t205 = t204 * m[0];
    const double t206 = t205 * t88;
    const double t207 = a[2] * m[0];
    const double t208 = t207 * m[1];
    const double t209 = t208 * t88;
    const double t210 = t189 - t184;
    const double t211 = m[0] * t210;
    const double t212 = t203 * t185;
    const double t213 = t211 + t212;
    const double t214 = t213 * t197;
    const double t215 = t165 + t184;
    const double t216 = t165 * t184;
    const double t217 = t215 - t216;
    const double t218 = t189 - t217;
    const double t219 = m[1] * t218;
    const double t220 = t219 + t206;
    const double t221 = t220 * t197;
    const double t222 = t189 - t165;
    const double t223 = m[2] * t222;
    const double t224 = t209 * t186;
    const double t225 = t223 + t224;
    const double t226 = t225 * t197;
    const double t230 = t27 ? m[0] : m[1];
    const double t231 = t27 ? m[1] : m[2];
    const double t232 = t27 ? m[2] : m[0];
    const double t233 = t27 ? t214 : t221;
    const double t234 = t27 ? t221 : t226;
    const double t235 = t27 ? t226 : t214;
    const double t236 = t230 + t233;
    const double t237 = t231 + t234;
    const double t238 = t232 + t235;
    const double t239 = t230 * t230;
    const double t240 = t231 * t231;
    const double t241 = t239 + t240;
    const double t242 = t236 * t230;
    const double t243 = t237 * t231;
    const double t244 = t242 + t243;
    const double t245 = t233 * t231;
    const double t246 = t230 * t234;
    const double t247 = t245 - t246;
    const double t248 = t185 * t186;
    const double t249 = t33 * a[2];
    const double t250 = t249 * t200;
    const double t251 = t250 * t139;
    const double t252 = t251 * t88;
    const double t253 = t248 + t252;
    const double t254 = t253 * t241;
    const double t255 = t27 ? a[2] : a[0];
    const double t256 = t255 * t200;
    const double t257 = t256 * t88;
    const double t258 = t257 * t198;
    const double t259 = t254 - t258;
    const double t260 = t29 * t88;
    const double t261 = t260 * t198;
    const double t262 = t244 * t244;
    const double t263 = t247 * t247;
    const double t264 = t262 + t263;
    const double t265 = sqrt(t264);
    const double t266 = t40 * t139;
    const double t267 = t266 * t266;
    const double t268 = t266 * 0.125;
    const double t269 = 0.5 + t268;
    const double t270 = t266 * 0.0390625;
    const double t271 = 0.0625 + t270;
    const double t272 = t267 * t271;
    const double t273 = t269 + t272;
    const double t274 = t266 * 0.0205078125;
    const double t275 = 0.02734375 + t274;
    const double t276 = t266 * 0.013092041015625;
    const double t277 = 0.01611328125 + t276;
    const double t278 = t267 * t267;
    const double t279 = t267 * t277;
    const double t280 = t275 + t279;
    const double t281 = t278 * t280;
    const double t283 = t273 + t281;
    const double t284 = t266 * t283;
    const double t285 = 1.0 - t284;
    const double t286 = t198 * t285;
    const double t287 = t265 * t286;
    const double t288 = t287 + t259;
    const double t289 = t265 + t244;
    const double t290 = t15 + t232;
    const double t291 = t15 + t238;
    const double t292 = t290 * t291;
    const double t294 = t15 * t265;
    const double t295 = t292 * t288;
    const double t296 = t295 * t289;
    const double t297 = t296 * t286;
    const double t298 = sqrt(t297);
    const double t299 = t294 * t298;
    const double t300 = 0.25 / t299;
    const double t301 = t27 ? b3 : b1;
    const double t302 = t301 * t15;
    const double t303 = t302 * h;
    const double t304 = t303 - t138;
    const double t305 = t304 * 0.5;
    const double t306 = t305 * t305;
    const double t307 = t306 * t306;
    const double t310 = t306 * 2.7557319223985893e-6;
    const double t312 = (-0.0001984126984126984) + t310;
    const double t315 = t306 * 2.755731922398589e-7;
    const double t316 = 2.48015873015873e-5 - t315;
    const double t317 = t306 * t316;
    const double t319 = (-0.001388888888888889) + t317;
    const double t321 = t306 * 0.008333333333333333;
    const double t322 = (-0.16666666666666666) + t321;
    const double t323 = t307 * t312;
    const double t324 = t322 + t323;
    const double t327 = t306 * 0.041666666666666664;
    const double t328 = (-0.5) + t327;
    const double t329 = t307 * t319;
    const double t330 = t328 + t329;
    const double t331 = t306 * t324;
    const double t332 = t305 * t331;
    const double t333 = t305 + t332;
    const double t334 = t306 * t330;
    const double t335 = 1.0 + t334;
    const double t336 = t288 * t289;
    const double t337 = t261 * t247;
    const double t338 = t336 - t337;
    const double t339 = t288 * t247;
    const double t340 = t261 * t289;
    const double t341 = t339 + t340;
    const double t342 = t335 * t338;
    const double t343 = t333 * t341;
    const double t344 = t342 - t343;
    const double t345 = t335 * t341;
    const double t346 = t333 * t338;
    const double t347 = t345 + t346;
    const double t348 = t344 * t300;
    const double t349 = t347 * t300;
    const double t350 = t290 * t234;
    const double t351 = t235 * t231;
    const double t352 = t350 - t351;
    const double t353 = t348 * t352;
    const double t354 = t290 * t236;
    const double t355 = t291 * t230;
    const double t356 = t354 + t355;
    const double t357 = t349 * t356;
    const double t358 = t353 + t357;
    const double t359 = t235 * t230;
    const double t360 = t290 * t233;
    const double t361 = t359 - t360;
    const double t362 = t348 * t361;
    const double t363 = t290 * t237;
    const double t364 = t291 * t231;
    const double t365 = t363 + t364;
    const double t366 = t349 * t365;
    const double t367 = t362 + t366;
    const double t368 = t348 * t247;
    const double t369 = t292 - t244;
    const double t370 = t349 * t369;
    const double t371 = t368 + t370;
    const double t372 = t358 * t358;
    const double t373 = t367 * t367;
    const double t374 = t372 + t373;
    const double t375 = t371 * t371;
    const double t376 = t374 + t375;
    const double t377 = t376 * t376;
    const double t378 = t376 * 0.125;
    const double t379 = 0.5 + t378;
    const double t380 = t376 * 0.0390625;
    const double t381 = 0.0625 + t380;
    const double t382 = t377 * t381;
    const double t383 = t379 + t382;
    const double t384 = t376 * 0.0205078125;
    const double t385 = 0.02734375 + t384;
    const double t386 = t376 * 0.013092041015625;
    const double t387 = 0.01611328125 + t386;
    const double t388 = t377 * t377;
    const double t389 = t377 * t387;
    const double t390 = t385 + t389;
    const double t391 = t388 * t390;
    const double t393 = t383 + t391;
    const double t394 = t376 * t393;
    const double t395 = -t394;
    const double t396 = t27 ? t358 : t371;
    const double t397 = t27 ? t367 : t358;
    const double t398 = t27 ? t371 : t367;
    d[0] = t214;
    d[1] = t221;
    d[2] = t226;
    r[0] = t395;
    r[1] = t396;
    r[2] = t397;
    r[3] = t398;
}

/* (sin x/x - 1)/x^2 and (cos x - 1)/x^2 from x^2. */
static inline void polhode_circular_tiny(double y, double *sine, double *cosine) {
    const double t2 = y * y;
    const double t7 = y * 0.008333333333333333;
    const double t8 = (-0.16666666666666666) + t7;
    const double t9 = t2 * (-0.0001984126984126984);
    const double t10 = t8 + t9;
    const double t13 = y * 0.041666666666666664;
    const double t14 = (-0.5) + t13;
    const double t15 = t2 * (-0.001388888888888889);
    const double t16 = t14 + t15;
    *sine = t10;
    *cosine = t16;
}

static inline void polhode_circular(double y, double *sine, double *cosine) {
    const double t2 = y * y;
    const double t6 = y * 2.7557319223985893e-6;
    const double t8 = (-0.0001984126984126984) + t6;
    const double t11 = y * 2.755731922398589e-7;
    const double t12 = 2.48015873015873e-5 - t11;
    const double t13 = y * t12;
    const double t15 = (-0.001388888888888889) + t13;
    const double t18 = y * 0.008333333333333333;
    const double t19 = (-0.16666666666666666) + t18;
    const double t20 = t2 * t8;
    const double t21 = t19 + t20;
    const double t24 = y * 0.041666666666666664;
    const double t25 = (-0.5) + t24;
    const double t26 = t2 * t15;
    const double t27 = t25 + t26;
    *sine = t21;
    *cosine = t27;
}

static inline void polhode_differences(const double i[3], double a[3]) {
    const double b1 = 1.0 / i[0], b2 = 1.0 / i[1], b3 = 1.0 / i[2];
    a[0] = (i[1] - i[2]) * (b2 * b3);
    a[1] = (i[2] - i[0]) * (b3 * b1);
    a[2] = (i[0] - i[1]) * (b1 * b2);
}

/* The body whose principal axes are turned by `frame` (x, y, z, w) in it: a vector along the principal axes, turned
 * by it, is that vector in the body's own coordinates. */
static inline polhode_inertia polhode_inertia_principal_in_frame(const double moments[3], const double frame[4]) {
    polhode_inertia body;
    double i[3], largest = 0.0;
    for (int k = 0; k < 3; k++) largest = polhode_larger(largest, moments[k]);
    const int proper = 0.0 < largest && polhode_all_finite(moments, 3);
    largest = proper ? largest : 1.0;
    const double unit = polhode_power_of_two(largest);
    for (int k = 0; k < 3; k++) {
        i[k] = polhode_larger((proper ? moments[k] : 1.0) / unit, (largest / unit) * 1e-30);
    }
    /* The second axis of the formula is that of the least moment. */
    body.first = i[0] <= i[1] && i[0] <= i[2] ? 2 : i[1] <= i[2] ? 0 : 1;
    for (int k = 0; k < 3; k++) body.moments[k] = i[(k + body.first) % 3];
    polhode_differences(body.moments, body.a);
    const double steepest = polhode_larger(fabs(body.a[0]), fabs(body.a[2]));
    body.sphere = steepest == 0.0;
    body.steepest = body.sphere ? 1.0 : polhode_power_of_two(steepest);
    if (!body.sphere) {
        for (int k = 0; k < 3; k++) body.moments[k] = body.moments[k] * (steepest / body.steepest);
    }
    polhode_differences(body.moments, body.a);
    if (fabs(body.a[2]) < fabs(body.a[0])) {
        body.a[0] = -body.steepest;
    } else if (!body.sphere) {
        body.a[2] = body.steepest;
    }
    body.b1 = 1.0 / body.moments[0];
    body.b3 = 1.0 / body.moments[2];
    body.widest = polhode_larger(body.b1 * body.b1, body.b3 * body.b3);
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
    double frame[4] = {0.0, 0.0, 0.0, 1.0}, largest = 0.0;
    for (int k = 0; k < 3; k++) largest = polhode_larger(largest, fabs(moments[k]));
    for (int k = 0; k < 3; k++) largest = polhode_larger(largest, fabs(others[k]));
    const double unit = polhode_power_of_two(largest);
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

/* One short step of a sphere; false if it is too long. */
static inline int polhode_spin(polhode_motion *s, int world, double h, const polhode_limits *limits, double allowed) {
    const double half = h * 0.5;
    const double x = s->omega[0] * half, y = s->omega[1] * half, z = s->omega[2] * half;
    const double square = x * x + y * y + z * z;
    double sine, cosine, change[4];
    if (square < 0.25 * limits->tiny_turn) {
        polhode_circular_tiny(square, &sine, &cosine);
    } else if (square <= allowed * (0.25 * limits->short_turn)) {
        polhode_circular(square, &sine, &cosine);
    } else {
        return 0;
    }
    const double factor = square * sine;
    const double turn[4] = {x + x * factor, y + y * factor, z + z * factor, square * cosine};
    if (world) {
        polhode_product(turn, s->q, change);
    } else {
        polhode_product(s->q, turn, change);
    }
    for (int i = 0; i < 4; i++) s->q[i] = polhode_within(s->q[i] + change[i], limits->most);
    return 1;
}

/* One short step, if the square of its length is no more than allowed; else that square. */
static inline int polhode_attempt(polhode_motion *s, const polhode_inertia *body, int world, double h,
                                  const polhode_limits *limits, double allowed, double *square) {
    if (body->sphere) {
        if (polhode_spin(s, world, h, limits, allowed)) return POLHODE_DONE;
        const double x = s->omega[0] * h, y = s->omega[1] * h, z = s->omega[2] * h;
        *square = (x * x + y * y + z * z) / limits->short_turn;
        return POLHODE_TOO_LONG;
    }
    const double lack = 1.0 - (s->q[0] * s->q[0] + s->q[1] * s->q[1] + (s->q[2] * s->q[2] + s->q[3] * s->q[3]));
    double axes[4], along[3], omega[3], m[3];
    if (body->framed) {
        polhode_product(s->q, body->frame, axes);
    } else {
        memcpy(axes, s->q, sizeof axes);
    }
    if (world) {
        polhode_turned(axes, 1, s->omega, along);
    } else if (body->framed) {
        polhode_turned(body->frame, 1, s->omega, along);
    } else {
        memcpy(along, s->omega, sizeof along);
    }
    for (int i = 0; i < 3; i++) omega[i] = along[(i + body->first) % 3];
    for (int i = 0; i < 3; i++) m[i] = body->moments[i] * omega[i];
    const double size = fabs(m[0]) + fabs(m[1]) + fabs(m[2]);
    if (!(fabs(lack) < 0.01 && 1e-40 < size && size < 1e40 && fabs(h) < 1e40)) return POLHODE_UNUSUAL;

    double t1, t3, g2, d[3], r[4];
    polhode_constants(body->a, m, &t1, &t3, &g2);
    const double bend = body->steepest * polhode_larger(fabs(t1), fabs(t3)) * (h * h);
    const double turn = body->widest * (g2 * (h * h));
    if (bend < limits->tiny_bend && turn < limits->tiny_turn) {
        polhode_tiny(body->a, body->b1, body->b3, m, h, d, r);
    } else {
        if (allowed * limits->short_bend < bend || allowed * limits->short_turn < turn) {
            *square = polhode_larger(bend / limits->short_bend, turn / limits->short_turn);
            return POLHODE_TOO_LONG;
        }
        polhode_short(body->a, body->b1, body->b3, m, h, d, r);
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
    if (world) {
        polhode_turned(axes, 0, placed, change);
    } else if (body->framed) {
        polhode_turned(body->frame, 0, placed, change);
    }
    memcpy(rotation, axis, sizeof axis);
    if (body->framed) polhode_turned(body->frame, 0, axis, rotation);
    rotation[3] = r[0] + lack * 0.5;
    polhode_product(s->q, rotation, turned);
    for (int i = 0; i < 3; i++) s->omega[i] = s->omega[i] + change[i];
    for (int i = 0; i < 4; i++) s->q[i] = s->q[i] + turned[i];
    return POLHODE_DONE;
}

/* A long step, in parts. */
static inline void polhode_divided(polhode_motion *s, const polhode_inertia *body, int world, double dt,
                                   const polhode_limits *limits, double square) {
    const double length = sqrt(square);
    const int count = length < 4096.0 ? (int)length + 1 : 4096;
    const double part = dt / polhode_larger((double)count, length);
    for (int i = 0; i < count; i++) (void)polhode_attempt(s, body, world, part, limits, 2.0, &square);
}

static inline void polhode_run(polhode_motion *s, const polhode_inertia *body, int world, double dt,
                               const polhode_limits *limits) {
    double square = 0.0;
    int outcome = polhode_attempt(s, body, world, dt, limits, 1.0, &square);
    if (outcome == POLHODE_TOO_LONG) polhode_divided(s, body, world, dt, limits, square);
    if (outcome != POLHODE_UNUSUAL) return;
    /* Numbers that need a unit of their own. */
    if (!(polhode_all_finite(s->q, 4) && polhode_all_finite(s->omega, 3) && polhode_finite(dt))) return;
    polhode_of_length_one(s->q);
    const double most = 1.0 / DBL_MIN;
    double power = polhode_power_of_two(
        polhode_larger(fabs(s->omega[0]), polhode_larger(fabs(s->omega[1]), fabs(s->omega[2]))));
    power = most < power ? most : power;
    double time = dt * power;
    const double longest = time < 0.0 ? -0.5 * 1e40 : 0.5 * 1e40;
    time = fabs(time) < fabs(longest) ? time : longest;
    for (int i = 0; i < 3; i++) s->omega[i] = s->omega[i] / power;
    outcome = polhode_attempt(s, body, world, time, limits, 1.0, &square);
    if (outcome == POLHODE_TOO_LONG) polhode_divided(s, body, world, time, limits, square);
    for (int i = 0; i < 3; i++) s->omega[i] = s->omega[i] * power;
}

/* Moves a free body on by the time dt: its angular velocity, in the coordinates of the world, and its rotation. */
static inline void polhode_step_f32(const polhode_inertia *inertia, float omega[3], float rotation[4],
                                        float dt) {
    const polhode_limits limits = {0.06, 0.5, 0.004, 0.1, FLT_MAX};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    polhode_run(&s, inertia, 1, dt, &limits);
    for (int i = 0; i < 3; i++) omega[i] = (float)polhode_within(s.omega[i], FLT_MAX);
    for (int i = 0; i < 4; i++) rotation[i] = (float)s.q[i];
}

/* Moves a free body on by the time dt: its angular velocity, in those of the body, and its rotation. */
static inline void polhode_step_body_f32(const polhode_inertia *inertia, float omega[3], float rotation[4],
                                        float dt) {
    const polhode_limits limits = {0.06, 0.5, 0.004, 0.1, FLT_MAX};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    polhode_run(&s, inertia, 0, dt, &limits);
    for (int i = 0; i < 3; i++) omega[i] = (float)polhode_within(s.omega[i], FLT_MAX);
    for (int i = 0; i < 4; i++) rotation[i] = (float)s.q[i];
}

/* Moves a free body on by the time dt: its angular velocity, in the coordinates of the world, and its rotation. */
static inline void polhode_step_f64(const polhode_inertia *inertia, double omega[3], double rotation[4],
                                        double dt) {
    const polhode_limits limits = {0.006, 0.03, 5e-5, 0.0005, DBL_MAX};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    polhode_run(&s, inertia, 1, dt, &limits);
    for (int i = 0; i < 3; i++) omega[i] = (double)polhode_within(s.omega[i], DBL_MAX);
    for (int i = 0; i < 4; i++) rotation[i] = (double)s.q[i];
}

/* Moves a free body on by the time dt: its angular velocity, in those of the body, and its rotation. */
static inline void polhode_step_body_f64(const polhode_inertia *inertia, double omega[3], double rotation[4],
                                        double dt) {
    const polhode_limits limits = {0.006, 0.03, 5e-5, 0.0005, DBL_MAX};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    polhode_run(&s, inertia, 0, dt, &limits);
    for (int i = 0; i < 3; i++) omega[i] = (double)polhode_within(s.omega[i], DBL_MAX);
    for (int i = 0; i < 4; i++) rotation[i] = (double)s.q[i];
}

#ifdef __cplusplus
}
#endif
#endif
