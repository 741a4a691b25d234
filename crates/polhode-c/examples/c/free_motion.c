/* Where does this tumbling body point? The free motion at any time, one call.
 *
 *     cc -O2 -o free_motion free_motion.c $(pkg-config --cflags --libs polhode)
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

int main(void)
{
    /* A body thrown about its middle axis, which does not keep turning about it. */
    const double inertia[3] = {1.0, 2.0, 2.5};
    const double omega[3] = {0.01, 1.0, 0.0};
    const double times[4] = {0.0, 1.0, 1e3, 1e6};
    polhode_body *body;
    polhode_free_motion *motion;
    polhode_free_motion_properties properties;
    polhode_state states[4];

    check(polhode_body_new(inertia, 3, 0, &body));
    check(polhode_free_motion_from_omega(body, omega, NULL, &motion));
    check(polhode_free_motion_describe(motion, &properties));
    printf("# regime %s, period %.17g\n", properties.regime, properties.period);
    printf("# t m1 m2 m3 w x y z\n");
    check(polhode_free_motion_at_times(motion, times, 4, states));
    for (int n = 0; n < 4; n++) {
        const double *m = states[n].momentum, *q = states[n].attitude;
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", times[n], m[0], m[1], m[2],
               q[0], q[1], q[2], q[3]);
    }
    polhode_free_motion_free(motion);
    polhode_body_free(body);
    return EXIT_SUCCESS;
}
