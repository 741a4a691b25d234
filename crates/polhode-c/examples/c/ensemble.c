/* Many satellites in one orbit, tumbling differently: SIMD lanes and all cores.
 *
 *     cc -O2 -o ensemble ensemble.c $(pkg-config --cflags --libs polhode)
 */
#include <polhode.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 1000

static void check(polhode_status status)
{
    if (status != POLHODE_OK) {
        fprintf(stderr, "error %d: %s\n", (int)status, polhode_last_error_message());
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    static polhode_state states[COUNT];
    static polhode_status outcomes[COUNT];
    const double inertia[3] = {1.0, 2.0, 2.5}, rate = 1e-3;
    const polhode_key key = {.name = "rate", .numbers = &rate, .count = 1, .word = NULL};
    const polhode_bodies bodies = {
        .count = COUNT, .inertia = inertia, .inertia_size = 3, .shared = 1, .allow_unphysical = 0};
    polhode_torque *torque;
    polhode_ensemble *ensemble;

    for (int n = 0; n < COUNT; n++)
        states[n] = (polhode_state){{1e-3, 2e-3 + 1e-6 * n, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    check(polhode_torque_new("gravity-gradient", &key, 1, &torque));
    check(polhode_ensemble_new("s4-6+exact", torque, 0, &ensemble));
    check(polhode_ensemble_run(ensemble, &bodies, states, 0.0, 10.0, 100, 0, NULL, NULL, outcomes));
    printf("# m1 m2 m3 w x y z, every hundredth body at t = 1000\n");
    for (int n = 0; n < COUNT; n += 100) {
        const double *m = states[n].momentum, *q = states[n].attitude;
        check(outcomes[n]);
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", m[0], m[1], m[2], q[0], q[1], q[2],
               q[3]);
    }
    polhode_ensemble_free(ensemble);
    polhode_torque_free(torque);
    return EXIT_SUCCESS;
}
