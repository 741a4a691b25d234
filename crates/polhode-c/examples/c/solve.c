/* A heavy top to a given accuracy: no method, no step; states at chosen times, and events.
 *
 *     cc -O2 -ffp-contract=off -o solve solve.c $(pkg-config --cflags --libs polhode)
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

/* Zero where the first axis of the body is horizontal. */
static int32_t level(void *user, double t, const polhode_state *state, double *value)
{
    const double *q = state->attitude;
    (void)user, (void)t;
    *value = 2.0 * (q[1] * q[3] - q[0] * q[2]);
    return 0;
}

static void print(const char *label, double t, const polhode_state *state)
{
    const double *m = state->momentum, *q = state->attitude;
    printf("%s %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", label, t, m[0], m[1], m[2], q[0],
           q[1], q[2], q[3]);
}

int main(void)
{
    enum { MOST = 100 };
    const double inertia[3] = {1.0, 5.0, 6.0}, centre[3] = {0.0, 0.0, 2.0};
    const double times[3] = {0.0, 2.5, 5.0};
    const polhode_state start = {{1.0, 5.0, 6.0}, {1.0, 0.0, 0.0, 0.0}};
    const polhode_key key = {.name = "centre", .numbers = centre, .count = 3, .word = NULL};
    const polhode_event rises = {.function = level, .direction = 1};
    const polhode_solve_options options = {.tolerance = 1e-9, .events = &rises, .event_count = 1};
    polhode_state states[MOST];
    double when[MOST];
    size_t count;
    polhode_solution_report report;
    polhode_solution *solution;
    polhode_torque *torque;
    polhode_body *body;

    check(polhode_body_new(inertia, 3, 0, &body));
    check(polhode_torque_new("heavy-top", &key, 1, &torque));
    check(polhode_solve(body, torque, &start, 0.0, 5.0, &options, &solution));
    check(polhode_solution_describe(solution, &report));
    printf("# %s, %llu steps\n", report.method, (unsigned long long)report.steps);
    check(polhode_solution_at(solution, times, 3, states));
    for (int n = 0; n < 3; n++) print("at", times[n], &states[n]);
    check(polhode_solution_events(solution, 0, MOST, when, states, &count));
    for (size_t n = 0; n < count && n < MOST; n++) print("level", when[n], &states[n]);
    polhode_solution_free(solution);
    polhode_torque_free(torque);
    polhode_body_free(body);
    return EXIT_SUCCESS;
}
