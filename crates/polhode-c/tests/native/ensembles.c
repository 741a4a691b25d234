/* Every body of an ensemble has the bits of a run of its own: with every torque of the library, a function,
 * sums, and methods in lanes, one by one and of the caller's own. */
#include <math.h>
#include <polhode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every kind with the values of its example, written by the test that compiles this. */
#include "torque_examples.h"

enum { COUNT = 37, STEPS = 12 };

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition,                             \
                    polhode_last_error_message());                                                 \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

static double inertia[COUNT][3];
static polhode_state starts[COUNT];

static int32_t spring(void *user, double t, const polhode_state *state, double *torque)
{
    const double *q = state->attitude, stiffness = *(const double *)user;
    for (int i = 0; i < 3; i++) torque[i] = -stiffness * q[0] * q[i + 1] * (1 + 0.1 * t);
    return 0;
}

static int32_t drag(void *user, double t, const polhode_state *state, double *torque)
{
    (void)t;
    for (int i = 0; i < 3; i++) torque[i] = -*(const double *)user * state->momentum[i] * fabs(state->momentum[i]);
    return 0;
}

static void compare(const char *what, const polhode_torque *torque, const polhode_method *method)
{
    const polhode_bodies bodies = {COUNT, &inertia[0][0], 3, 0, 0};
    polhode_ensemble *ensemble;

    for (size_t threads = 1; threads <= 3; threads += 2) {
        polhode_state states[COUNT];
        polhode_status outcomes[COUNT];
        memcpy(states, starts, sizeof states);
        EXPECT(polhode_ensemble_with_method(method, torque, threads, &ensemble) == POLHODE_OK);
        EXPECT(polhode_ensemble_run(ensemble, &bodies, states, 0.5, 0.05, STEPS, 0, NULL, NULL, outcomes)
               == POLHODE_OK);
        polhode_ensemble_free(ensemble);
        for (int n = 0; n < COUNT; n++) {
            polhode_body *body;
            polhode_run *run;
            polhode_run_report report;
            EXPECT(polhode_body_new(inertia[n], 3, 0, &body) == POLHODE_OK);
            EXPECT(polhode_run_new(body, torque, method, &starts[n], 0.5, 0.05, &run) == POLHODE_OK);
            EXPECT(polhode_run_advance(run, STEPS, 0, NULL, NULL) == POLHODE_OK);
            EXPECT(polhode_run_describe(run, &report) == POLHODE_OK);
            EXPECT(outcomes[n] == POLHODE_OK);
            if (memcmp(&report.state, &states[n], sizeof report.state) != 0) {
                fprintf(stderr, "%s: body %d differs\n", what, n);
                exit(EXIT_FAILURE);
            }
            /* A body that stays as it is would prove nothing. */
            EXPECT(memcmp(&starts[n], &states[n], sizeof starts[n]) != 0);
            polhode_run_free(run);
            polhode_body_free(body);
        }
    }
}

static void all_methods(const char *what, const polhode_torque *torque, int on_attitude)
{
    static const char *const names[] = {"strang+exact", "strang+dmv", "s6-10+three-rotations", "rk4",
                                        "strang+frb-matrix", "rkmk:tableau=gauss2", "rkn6-14+exact"};
    const polhode_stage stages[] = {{POLHODE_DRIFT, 0.5, 0}, {POLHODE_KICK, 1, 0}, {POLHODE_DRIFT, 0.5, 0}};
    const double a[] = {0, 0, 1, 0}, b[] = {0.5, 0.5}, c[] = {0, 1};
    polhode_method *method;

    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        EXPECT(polhode_method_parse(names[n], &method) == POLHODE_OK);
        if (on_attitude || n + 1 < sizeof names / sizeof *names) compare(what, torque, method);
        polhode_method_free(method);
    }
    EXPECT(polhode_method_from_stages("leapfrog", 2, stages, 3, 0, "exact", &method) == POLHODE_OK);
    compare(what, torque, method);
    polhode_method_free(method);
    EXPECT(polhode_method_from_stages("leapfrog:compensated", 2, stages, 3, 0, "exact", &method) == POLHODE_OK);
    EXPECT(polhode_method_runs_in_lanes(method) == 0);
    compare(what, torque, method);
    polhode_method_free(method);
    EXPECT(polhode_method_from_tableau("heun", 2, 2, a, b, c, &method) == POLHODE_OK);
    compare(what, torque, method);
    polhode_method_free(method);
}

int main(void)
{
    const double number = 0.2, stiffness = 0.7;
    enum { EXAMPLES = sizeof examples / sizeof *examples, TORQUES = EXAMPLES + 2 };
    polhode_torque *torques[TORQUES], *sum;

    for (int n = 0; n < COUNT; n++) {
        inertia[n][0] = 1 + 0.01 * n;
        inertia[n][1] = 1.5 + 0.003 * n;
        inertia[n][2] = 2.1 - 0.002 * n;
        starts[n] = (polhode_state){{0.3, 0.7 - 0.01 * n, 0.02 * n}, {0.8, 0.0, 0.6, 0.0}};
    }
    all_methods("no torque", NULL, 1);
    EXPECT(polhode_catalog_size(POLHODE_TORQUES) == EXAMPLES);
    for (int n = 0; n < EXAMPLES; n++) {
        EXPECT(polhode_torque_new(examples[n].kind, examples[n].keys, examples[n].count, &torques[n]) == POLHODE_OK);
        all_methods(examples[n].kind, torques[n], examples[n].on_attitude);
    }
    EXPECT(polhode_torque_from_function(spring, NULL, (void *)&stiffness, POLHODE_ON_ATTITUDE, 1, &torques[EXAMPLES])
           == POLHODE_OK);
    all_methods("spring", torques[EXAMPLES], 1);
    EXPECT(polhode_torque_from_function(drag, NULL, (void *)&number, POLHODE_ON_MOMENTUM, 0, &torques[EXAMPLES + 1])
           == POLHODE_OK);
    all_methods("drag", torques[EXAMPLES + 1], 0);
    EXPECT(polhode_torque_sum((const polhode_torque *const *)torques, TORQUES, &sum) == POLHODE_OK);
    for (int n = 0; n < TORQUES; n++) polhode_torque_free(torques[n]);
    all_methods("all at once", sum, 0);
    polhode_torque_free(sum);
    puts("done");
    return EXIT_SUCCESS;
}
