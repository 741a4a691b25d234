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
@constants@}

/* The step of length h from momentum m, where it is tiny: what is added to it, and the rotation minus one (w, x,
 * y, z). */
static inline void polhode_tiny(const double a[3], double b1, double b3, const double m[3], double h, double d[3],
                                double r[4]) {
@tiny@}

/* The same where it is short. */
static inline void polhode_short(const double a[3], double b1, double b3, const double m[3], double h, double d[3],
                                 double r[4]) {
@short@}

/* (sin x/x - 1)/x^2 and (cos x - 1)/x^2 from x^2. */
static inline void polhode_circular_tiny(double y, double *sine, double *cosine) {
@circular_tiny@}

static inline void polhode_circular(double y, double *sine, double *cosine) {
@circular@}

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
@steps@
#ifdef __cplusplus
}
#endif
#endif
