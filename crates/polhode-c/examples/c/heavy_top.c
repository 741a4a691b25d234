/* A heavy top, twice: with a torque of the library, and with the same torque as a function.
 *
 *     cc -O2 -ffp-contract=off -o heavy_top heavy_top.c $(pkg-config --cflags --libs polhode)
 */
#include <polhode.h>
#include <stdio.h>
#include <stdlib.h>

static void check(polhode_status status)
{
    if (status != POLHODE_OK) {
        fprintf(stderr, "error %d: %s\n", (int)status, polhode_last_error_message());
        exit(EXIT_FAILURE);
    }
}

/* What the functions below get as `user`. */
typedef struct {
    double weight;
    long calls;
} top;

/* The torque of the potential weight * u3, u = Q^T e3: weight * (u2, -u1, 0). */
static int32_t torque(void *user, double t, const polhode_state *state, double *torque)
{
    top *data = user;
    const double *q = state->attitude;
    const double u1 = 2.0 * (q[1] * q[3] - q[0] * q[2]), u2 = 2.0 * (q[2] * q[3] + q[0] * q[1]);
    (void)t;
    data->calls += 1;
    torque[0] = data->weight * u2;
    torque[1] = -data->weight * u1;
    torque[2] = 0.0;
    return 0;
}

static double potential(void *user, double t, const double *q)
{
    (void)t;
    return ((top *)user)->weight * (q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]);
}

static int32_t print(void *user, const polhode_sample *sample)
{
    const double *m = sample->state.momentum, *q = sample->state.attitude;
    printf("%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", (const char *)user, sample->t,
           m[0], m[1], m[2], q[0], q[1], q[2], q[3]);
    return 0;
}

static void go(const polhode_body *body, const polhode_torque *torque, const char *label)
{
    const polhode_state start = {{1.0, 5.0, 6.0}, {1.0, 0.0, 0.0, 0.0}};
    polhode_method *method;
    polhode_run *run;
    polhode_run_report before, after;

    check(polhode_method_parse("rkn6-14+exact", &method));
    check(polhode_run_new(body, torque, method, &start, 0.0, 0.01, &run));
    check(polhode_run_describe(run, &before));
    check(polhode_run_advance(run, 1000, 250, print, (void *)label));
    check(polhode_run_describe(run, &after));
    printf("# %s: energy %.17g, changed by %.1e\n", label, after.energy, after.energy - before.energy);
    polhode_run_free(run);
    polhode_method_free(method);
}

int main(void)
{
    const double inertia[3] = {1.0, 5.0, 6.0}, centre[3] = {0.0, 0.0, 2.0};
    const polhode_key key = {.name = "centre", .numbers = centre, .count = 3, .word = NULL};
    top data = {2.0, 0};
    polhode_body *body;
    polhode_torque *model, *function;

    check(polhode_body_new(inertia, 3, 0, &body));
    check(polhode_torque_new("heavy-top", &key, 1, &model));
    check(polhode_torque_from_function(torque, potential, &data, POLHODE_ON_ATTITUDE, 0, &function));
    printf("# label t m1 m2 m3 w x y z\n");
    go(body, model, "model");
    go(body, function, "function");
    printf("# the function was called %ld times\n", data.calls);
    polhode_torque_free(function);
    polhode_torque_free(model);
    polhode_body_free(body);
    return EXIT_SUCCESS;
}
