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
@constants@}

/* The step of length h from momentum m, where it is tiny: what is added to it, and the rotation minus one (w, x,
 * y, z). */
static inline void polhode_tiny(const double a[3], double b1, double b3, const double m[3], double h, double d[3],
                                double r[4]) {
    const double gap = m[0] * m[0] - m[2] * m[2];
@tiny@}

/* The same where it is short. */
static inline void polhode_short(const double a[3], double b1, double b3, const double m[3], double h, double d[3],
                                 double r[4]) {
    const double gap = m[0] * m[0] - m[2] * m[2];
@short@}

/* S(h), and the direction of half the angle, of a step that is short. */
static inline void polhode_begin(const double a[3], double b1, double b3, const double m[3], double gap, double h,
                                 double *s, double half[2]) {
@begin@}

/* Both of twice the step. */
static inline void polhode_twice(const double a[3], const double m[3], double gap, double *s, double half[2]) {
@twice@}

/* What the step does, from both. */
static inline void polhode_finish(const double a[3], const double m[3], double gap, double s, const double half[2],
                                  double d[3], double r[4]) {
@finish@}

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
@steps@
#ifdef __cplusplus
}
#endif
#endif
