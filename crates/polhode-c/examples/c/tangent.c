/* Derivatives: what a small change of the start, of the inertia or of the torque does to the state.
 *
 *     cc -O2 -o tangent tangent.c $(pkg-config --cflags --libs polhode)
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

/* A matrix of six rows, which are stored one after the other. */
static void print(const char *title, const double *matrix, int columns)
{
    printf("# %s\n", title);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < columns; j++)
            printf("%.17g%c", matrix[columns * i + j], j + 1 < columns ? ' ' : '\n');
    }
}

int main(void)
{
    const double inertia[3] = {1.0, 2.0, 2.5}, omega[3] = {0.01, 1.0, 0.0};
    const double centre[3] = {0.0, 0.0, 2.0};
    const polhode_key key = {.name = "centre", .numbers = centre, .count = 3, .word = NULL};
    const polhode_state start = {{0.01, 2.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    double parameters[6][6]; /* a column each: of centre and up */
    size_t count = 6;
    polhode_free_motion *motion;
    polhode_tangent there;
    polhode_torque *torque;
    polhode_body *body;

    check(polhode_body_new(inertia, 3, 0, &body));

    /* A free body, in closed form: the angular velocity was given, and is held while the inertia changes. */
    check(polhode_free_motion_from_omega(body, omega, NULL, &motion));
    check(polhode_free_motion_tangent_at(motion, 100.0, &there));
    print("a free body at t = 100, by the start", there.state_transition, 6);
    print(there.holds_omega ? "by the moments at a fixed angular velocity" : "by the moments at a fixed momentum",
          there.inertia, 3);

    /* A heavy top, to a tolerance, with the derivatives by its centre. */
    check(polhode_torque_new("heavy-top", &key, 1, &torque));
    check(polhode_solve_tangent(body, torque, &start, 0.0, 3.0, 1e-10, &there, parameters[0], &count));
    print("a heavy top at t = 3, by the start", there.state_transition, 6);
    print("by centre.x, centre.y, centre.z, up.x, up.y, up.z: a row each", parameters[0], 6);

    polhode_torque_free(torque);
    polhode_free_motion_free(motion);
    polhode_body_free(body);
    return count == 6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
