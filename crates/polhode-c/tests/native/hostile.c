/* Everything that a caller can do wrong short of a wild pointer, from eight threads at once. Run under
 * AddressSanitizer and valgrind by the tests. */
#include <float.h>
#include <math.h>
#include <polhode.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void frb_step_(double *, double *, const double *, const double *, const double *, const double *);
extern void quat_step_(double *, double *, const double *, const double *, const double *, const double *);
extern void ellint_pi_(double *, const double *, const double *, const double *, const double *);
extern void eint_gauss_(double *, const double *, const double *, const double *, const double *, const int *);
extern void egellipx_step_(double *, double *, double *, double *, const double *, const double *, const double *);
extern double ellpi_(const double *, const double *, const double *);
extern double rf_(const double *, const double *, const double *);
extern double rj_(const double *, const double *, const double *, const double *);
extern double rc_(const double *, const double *);
extern void polhode_use_exact_(const int *);
extern void polhode_last_error_(int *, char *, size_t);

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition,                             \
                    polhode_last_error_message());                                                 \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

/* The status, the same as the last error, with a message that contains a text. */
#define FAILS(call, status, text)                                                                  \
    do {                                                                                           \
        polhode_clear_error();                                                                     \
        EXPECT((call) == (status));                                                                \
        EXPECT(polhode_last_error() == (status));                                                  \
        EXPECT(strstr(polhode_last_error_message(), text) != NULL);                                \
    } while (0)

static const double MOMENTS[3] = {1.0, 2.0, 2.5};
static const double UNIT[4] = {1.0, 0.0, 0.0, 0.0};

static polhode_run *shared_run;

static int32_t wild_torque(void *user, double t, const polhode_state *state, double *torque)
{
    (void)t, (void)state;
    torque[0] = torque[1] = torque[2] = *(double *)user;
    return 0;
}

static int32_t failing_torque(void *user, double t, const polhode_state *state, double *torque)
{
    (void)user, (void)state, (void)torque;
    return t > 0.5 ? 42 : 0;
}

typedef struct { long calls, refused; } counted;

/* A heavy top, but for one call that is refused. */
static int32_t counted_torque(void *user, double t, const polhode_state *state, double *torque)
{
    const double *q = state->attitude;
    counted *calls = user;
    (void)t;
    if (++calls->calls == calls->refused) return 42;
    torque[0] = 4 * (q[2] * q[3] + q[0] * q[1]);
    torque[1] = -4 * (q[1] * q[3] - q[0] * q[2]);
    torque[2] = 0;
    return 0;
}

static int32_t nosy_observer(void *user, const polhode_sample *sample)
{
    polhode_run *run = user;
    polhode_run_report report;
    (void)sample;
    if (polhode_run_describe(run, &report) != POLHODE_BUSY) return -1;
    if (polhode_run_advance(run, 1, 1, NULL, NULL) != POLHODE_BUSY) return -2;
    polhode_run_free(run); /* refused: the run is at work */
    return polhode_last_error() == POLHODE_BUSY ? 0 : -3;
}

static int32_t stopping_observer(void *user, const polhode_sample *sample)
{
    return sample->step >= *(uint64_t *)user;
}

static int32_t failing_observer(void *user, const polhode_sample *sample)
{
    (void)user, (void)sample;
    return -7;
}

static int32_t failing_inertia(void *user, double t, double *inertia)
{
    memset(inertia, 0, 9 * sizeof *inertia);
    inertia[0] = inertia[4] = inertia[8] = t > *(double *)user ? -1 : 1;
    return t > 0.5 ? 17 : 0;
}

static int32_t failing_controller(void *user, const polhode_moment *at, polhode_command *command)
{
    (void)user;
    if (at->wheel_count != 2 || at->has_field) return 99;
    command->motors[1] = 0.1;
    return at->t > 0.5 ? 23 : 0;
}

static int32_t magnet(void *user, const polhode_moment *at, polhode_command *command)
{
    (void)user, (void)at;
    command->dipole[0] = 1;
    return 0;
}

static void bodies(void)
{
    const double bad[][3] = {{NAN, 1, 1}, {1, INFINITY, 1}, {0, 1, 1}, {-1, 1, 1}, {1, 1, 3}};
    const double skew[9] = {1, 2, 0, 0, 1, 0, 0, 0, 1}, vector[3] = {1e308, NAN, 0};
    double out[9];
    polhode_body *body = (polhode_body *)1;

    FAILS(polhode_body_new(NULL, 3, 0, &body), POLHODE_NULL, "inertia");
    EXPECT(body == NULL);
    FAILS(polhode_body_new(MOMENTS, 3, 0, NULL), POLHODE_NULL, "body");
    FAILS(polhode_body_new(MOMENTS, 0, 0, &body), POLHODE_INVALID, "0 numbers");
    FAILS(polhode_body_new(MOMENTS, 2, 0, &body), POLHODE_INVALID, "2 numbers");
    FAILS(polhode_body_new(MOMENTS, SIZE_MAX, 0, &body), POLHODE_INVALID, "memory");
    FAILS(polhode_body_new(skew, 9, 0, &body), POLHODE_INVALID, "symmetric");
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
        FAILS(polhode_body_new(bad[n], 3, 0, &body), POLHODE_INVALID, "inertia");
    polhode_body_free(NULL);

    EXPECT(polhode_body_new(bad[4], 3, 1, &body) == POLHODE_OK);
    FAILS(polhode_body_omega(NULL, MOMENTS, out), POLHODE_NULL, "body");
    FAILS(polhode_body_omega(body, NULL, out), POLHODE_NULL, "momentum");
    FAILS(polhode_body_omega(body, MOMENTS, NULL), POLHODE_NULL, "omega");
    FAILS(polhode_body_omega(body, vector, out), POLHODE_INVALID, "momentum");
    FAILS(polhode_body_momentum(body, vector, out), POLHODE_INVALID, "omega");
    FAILS(polhode_body_momentum(body, (double[3]){1, 1, 1e308}, out), POLHODE_OUT_OF_RANGE, "omega");
    FAILS(polhode_body_principal(NULL, out, out), POLHODE_NULL, "body");
    EXPECT(polhode_body_principal(body, NULL, NULL) == POLHODE_OK);
    FAILS(polhode_attitude_matrix((double[4]){0}, out), POLHODE_INVALID, "attitude");
    FAILS(polhode_attitude_matrix(NULL, out), POLHODE_NULL, "attitude");
    FAILS(polhode_attitude_matrix(UNIT, NULL), POLHODE_NULL, "matrix");
    polhode_body_free(body);
}

static void free_motions(void)
{
    const double times[3] = {1.0, NAN, 2.0};
    double flip;
    polhode_body *body;
    polhode_free_motion *motion = (polhode_free_motion *)1;
    polhode_free_motion_properties properties;
    polhode_state states[3];
    polhode_tangent tangent;
    double columns[6];
    size_t room = 1;

    EXPECT(polhode_body_new(MOMENTS, 3, 0, &body) == POLHODE_OK);
    memset(states, 0, sizeof states);
    states[0].momentum[0] = 1.0;
    states[0].attitude[0] = 1.0;
    EXPECT(polhode_tangent_step(body, 0.1, states, &tangent) == POLHODE_OK);
    EXPECT(memcmp(states, &tangent.state, sizeof tangent.state) == 0 && tangent.state_transition[0] == 1.0);
    FAILS(polhode_tangent_step(NULL, 0.1, states, &tangent), POLHODE_NULL, "body");
    FAILS(polhode_tangent_step(body, 0.1, NULL, &tangent), POLHODE_NULL, "state");
    FAILS(polhode_tangent_step(body, NAN, states, &tangent), POLHODE_OUT_OF_RANGE, "NaN");
    EXPECT(polhode_solve_tangent(body, NULL, states, 0.0, 2.0, 1e-10, &tangent, columns, &room) == POLHODE_OK);
    EXPECT(room == 0);
    FAILS(polhode_solve_tangent(body, NULL, states, 0.0, 2.0, 1.0, &tangent, NULL, NULL), POLHODE_INVALID, "tolerance");
    FAILS(polhode_solve_tangent(body, NULL, NULL, 0.0, 2.0, 1e-9, &tangent, NULL, NULL), POLHODE_NULL, "start");
    FAILS(polhode_solve_tangent(body, NULL, states, 0.0, 2.0, 1e-9, &tangent, columns, NULL), POLHODE_NULL,
          "parameter_count");
    FAILS(polhode_free_motion_from_momentum(NULL, MOMENTS, NULL, &motion), POLHODE_NULL, "body");
    EXPECT(motion == NULL);
    FAILS(polhode_free_motion_from_momentum(body, NULL, NULL, &motion), POLHODE_NULL, "momentum");
    FAILS(polhode_free_motion_from_momentum(body, MOMENTS, NULL, NULL), POLHODE_NULL, "motion");
    FAILS(polhode_free_motion_from_momentum(body, times, NULL, &motion), POLHODE_INVALID, "momentum");
    FAILS(polhode_free_motion_from_omega(body, times, NULL, &motion), POLHODE_INVALID, "omega");
    FAILS(polhode_free_motion_from_omega(body, MOMENTS, (double[4]){0}, &motion), POLHODE_INVALID,
          "attitude");
    FAILS(polhode_free_motion_from_omega(body, (double[3]){1e308, 1e308, 1e308}, NULL, &motion),
          POLHODE_OUT_OF_RANGE, "omega");
    polhode_free_motion_free(NULL);

    EXPECT(polhode_free_motion_from_momentum(body, MOMENTS, UNIT, &motion) == POLHODE_OK);
    polhode_body_free(body);
    FAILS(polhode_free_motion_at(NULL, 1.0, states), POLHODE_NULL, "motion");
    FAILS(polhode_free_motion_at(motion, 1.0, NULL), POLHODE_NULL, "state");
    FAILS(polhode_free_motion_at(motion, NAN, states), POLHODE_INVALID, "t = NaN");
    FAILS(polhode_free_motion_at(motion, 1e300, states), POLHODE_OUT_OF_RANGE, "1e300");
    memset(states, 0, sizeof states);
    FAILS(polhode_free_motion_at_times(motion, times, 3, states), POLHODE_INVALID, "times[1]");
    EXPECT(states[0].attitude[0] != 0.0 && states[1].attitude[0] == 0.0);
    FAILS(polhode_free_motion_at_times(motion, NULL, 3, states), POLHODE_NULL, "times");
    FAILS(polhode_free_motion_at_times(motion, times, 3, NULL), POLHODE_NULL, "states");
    FAILS(polhode_free_motion_at_times(motion, times, SIZE_MAX / 9, states), POLHODE_INVALID, "memory");
    EXPECT(polhode_free_motion_at_times(motion, NULL, 0, NULL) == POLHODE_OK);
    FAILS(polhode_free_motion_describe(motion, NULL), POLHODE_NULL, "properties");
    FAILS(polhode_free_motion_describe(NULL, &properties), POLHODE_NULL, "motion");
    FAILS(polhode_free_motion_tangent_at(motion, NAN, &tangent), POLHODE_INVALID, "t = NaN");
    FAILS(polhode_free_motion_tangent_at(motion, 1.0, NULL), POLHODE_NULL, "found");
    FAILS(polhode_free_motion_tangent_at(NULL, 1.0, &tangent), POLHODE_NULL, "motion");
    FAILS(polhode_free_motion_next_flip(motion, NAN, &flip), POLHODE_INVALID, "t = NaN");
    FAILS(polhode_free_motion_next_flip(motion, 0.0, NULL), POLHODE_NULL, "flip");
    polhode_free_motion_free(motion);
}

static void own_methods(void)
{
    polhode_stage stages[3] = {{POLHODE_KICK, 0.5, 0}, {POLHODE_DRIFT, 1, 0}, {POLHODE_KICK, 0.5, 0}};
    const double a[4] = {0, 0, 1, 0}, b[2] = {0.5, 0.5}, c[2] = {0, 1}, bad[2] = {0.5, NAN};
    polhode_method *method = (polhode_method *)1;
    polhode_method_properties properties;

    FAILS(polhode_method_from_stages(NULL, 2, stages, 3, 0, "exact", &method), POLHODE_NULL, "id");
    EXPECT(method == NULL);
    FAILS(polhode_method_from_stages("mine", 2, NULL, 3, 0, "exact", &method), POLHODE_NULL, "stages");
    FAILS(polhode_method_from_stages("mine", 2, stages, SIZE_MAX, 0, "exact", &method), POLHODE_INVALID, "memory");
    FAILS(polhode_method_from_stages("mine", 2, stages, 3, 0, NULL, &method), POLHODE_NULL, "rotor");
    FAILS(polhode_method_from_stages("mine", 2, stages, 3, 0, "exakt", &method), POLHODE_INVALID, "did you mean 'exact'");
    FAILS(polhode_method_from_stages("mine", 2, stages, 3, 0, "exact", NULL), POLHODE_NULL, "method");
    FAILS(polhode_method_from_stages("a+b", 2, stages, 3, 0, "exact", &method), POLHODE_INVALID, "must be a word");
    FAILS(polhode_method_from_stages("mine", 0, stages, 3, 0, "exact", &method), POLHODE_INVALID, "order 0");
    FAILS(polhode_method_from_stages("mine", 2, stages, 2, 0, "exact", &method), POLHODE_INVALID, "kicks add up to 0.5");
    FAILS(polhode_method_from_stages("mine", 2, stages, 0, 0, "exact", &method), POLHODE_INVALID, "no stages given");
    stages[1].part = INFINITY;
    FAILS(polhode_method_from_stages("mine", 2, stages, 3, 0, "exact", &method), POLHODE_INVALID, "stage 2");
    stages[1] = (polhode_stage){7, 1, 0};
    FAILS(polhode_method_from_stages("mine", 2, stages, 3, 0, "exact", &method), POLHODE_INVALID, "stages[1].kind = 7");
    stages[1] = (polhode_stage){POLHODE_DRIFT, 1, 0};
    EXPECT(polhode_method_from_stages("mine", 2, stages, 3, 1, "dmv", &method) == POLHODE_OK);
    EXPECT(polhode_method_describe(method, &properties) == POLHODE_OK);
    EXPECT(properties.order == 2 && properties.symmetric && polhode_method_runs_in_lanes(method) == 1);
    polhode_method_free(method);

    FAILS(polhode_method_from_tableau(NULL, 2, 2, a, b, c, &method), POLHODE_NULL, "id");
    EXPECT(method == NULL);
    FAILS(polhode_method_from_tableau("heun", 2, 2, NULL, b, c, &method), POLHODE_NULL, "a is");
    FAILS(polhode_method_from_tableau("heun", 2, 2, a, NULL, c, &method), POLHODE_NULL, "b is");
    FAILS(polhode_method_from_tableau("heun", 2, 2, a, b, NULL, &method), POLHODE_NULL, "c is");
    FAILS(polhode_method_from_tableau("heun", 2, 2, a, b, c, NULL), POLHODE_NULL, "method");
    FAILS(polhode_method_from_tableau("heun", 0, 2, a, b, c, &method), POLHODE_INVALID, "order 0");
    FAILS(polhode_method_from_tableau("heun", 2, 0, a, b, c, &method), POLHODE_INVALID, "0 stages");
    FAILS(polhode_method_from_tableau("heun", 2, SIZE_MAX, a, b, c, &method), POLHODE_INVALID, "memory");
    FAILS(polhode_method_from_tableau("heun", 2, 2, a, bad, c, &method), POLHODE_INVALID, "b is not finite");
    FAILS(polhode_method_from_tableau("heun", 2, 2, a, b, b, &method), POLHODE_INVALID, "row 1 of a");
    EXPECT(polhode_method_from_tableau("heun", 2, 2, a, b, c, &method) == POLHODE_OK);
    EXPECT(polhode_method_describe(method, &properties) == POLHODE_OK);
    EXPECT(properties.order == 2 && polhode_method_runs_in_lanes(method) == 0);
    polhode_method_free(method);
}

static void rotations(void)
{
    const double v[3] = {0.3, -1, 2}, bad[4] = {NAN, 0, 0, 0}, long_one[3] = {1e300, 0, 0};
    double q[4], back[3], d[9], inverse[9], log_d[9];

    FAILS(polhode_so3_exp(NULL, q), POLHODE_NULL, "vector");
    FAILS(polhode_so3_exp(bad, q), POLHODE_INVALID, "vector");
    FAILS(polhode_so3_exp(v, NULL), POLHODE_NULL, "attitude");
    FAILS(polhode_so3_log(NULL, back), POLHODE_NULL, "attitude");
    FAILS(polhode_so3_log(bad, back), POLHODE_INVALID, "attitude");
    FAILS(polhode_so3_log((double[4]){0}, back), POLHODE_INVALID, "attitude");
    FAILS(polhode_so3_log(UNIT, NULL), POLHODE_NULL, "vector");
    FAILS(polhode_so3_dexp(bad, d), POLHODE_INVALID, "vector");
    FAILS(polhode_so3_dexp(long_one, d), POLHODE_OUT_OF_RANGE, "1e300");
    FAILS(polhode_so3_dexpinv(v, NULL), POLHODE_NULL, "matrix");
    FAILS(polhode_so3_dexpinv(long_one, d), POLHODE_OUT_OF_RANGE, "1e300");
    FAILS(polhode_so3_dlog(bad, d), POLHODE_INVALID, "attitude");
    FAILS(polhode_so3_hat(bad, d), POLHODE_INVALID, "vector");
    EXPECT(polhode_so3_exp(v, q) == POLHODE_OK && polhode_so3_log(q, back) == POLHODE_OK);
    EXPECT(polhode_so3_dexp(v, d) == POLHODE_OK && polhode_so3_dexpinv(v, inverse) == POLHODE_OK);
    EXPECT(polhode_so3_dlog(q, log_d) == POLHODE_OK);
    for (int n = 0; n < 3; n++) EXPECT(fabs(back[n] - v[n]) < 1e-15);
    for (int n = 0; n < 9; n++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += d[3 * (n / 3) + k] * inverse[3 * k + n % 3];
        EXPECT(fabs(sum - (n % 4 == 0)) < 1e-15 && fabs(inverse[n] - log_d[n]) < 1e-15);
    }
    EXPECT(polhode_so3_hat(v, d) == POLHODE_OK && d[1] == -2 && d[3] == 2 && d[2] == -1 && d[5] == -0.3);
}

static void methods(void)
{
    polhode_method *method = (polhode_method *)1;
    polhode_method_properties properties;

    FAILS(polhode_method_parse(NULL, &method), POLHODE_NULL, "text");
    EXPECT(method == NULL);
    FAILS(polhode_method_parse("exact", NULL), POLHODE_NULL, "method");
    FAILS(polhode_method_parse("", &method), POLHODE_INVALID, "no method");
    FAILS(polhode_method_parse("strang+exakt", &method), POLHODE_INVALID, "did you mean 'exact'");
    FAILS(polhode_method_parse("\xff\xfe", &method), POLHODE_INVALID, "UTF-8");
    FAILS(polhode_method_describe(NULL, &properties), POLHODE_NULL, "method");
    polhode_method_free(NULL);
    EXPECT(polhode_method_runs_in_lanes(NULL) == 0);
    own_methods();
    EXPECT(polhode_catalog_size(POLHODE_SOLVERS) == 3 && strcmp(polhode_catalog_id(POLHODE_SOLVERS, 1), "dop853") == 0);
    EXPECT(polhode_catalog_size(-1) == 0 && polhode_catalog_size(99) == 0);
    EXPECT(polhode_catalog_id(POLHODE_ROTORS, SIZE_MAX) == NULL);
    EXPECT(polhode_catalog_title(-1, 0) == NULL);
    for (int32_t table = POLHODE_SCHEMES; table <= POLHODE_TORQUES; table++)
        for (size_t n = 0; n < polhode_catalog_size(table); n++)
            EXPECT(*polhode_catalog_id(table, n) && *polhode_catalog_title(table, n));
    for (size_t n = 0; n < polhode_catalog_size(POLHODE_ROTORS); n++) {
        EXPECT(polhode_method_parse(polhode_catalog_id(POLHODE_ROTORS, n), &method) == POLHODE_OK);
        FAILS(polhode_method_describe(method, NULL), POLHODE_NULL, "properties");
        EXPECT(polhode_method_describe(method, &properties) == POLHODE_OK);
        polhode_method_free(method);
    }
}

static void torques(void)
{
    const double up[3] = {0, 0, NAN};
    polhode_torque *torque = (polhode_torque *)1;
    polhode_key key = {"up", up, 3, NULL};
    polhode_key twice[2] = {{"up", MOMENTS, 3, NULL}, {"up", MOMENTS, 3, NULL}};

    FAILS(polhode_torque_new(NULL, NULL, 0, &torque), POLHODE_NULL, "kind");
    EXPECT(torque == NULL);
    FAILS(polhode_torque_new("none", NULL, 0, NULL), POLHODE_NULL, "torque");
    FAILS(polhode_torque_new("heavy-tap", NULL, 0, &torque), POLHODE_INVALID, "heavy-top");
    FAILS(polhode_torque_new("heavy-top", NULL, 1, &torque), POLHODE_NULL, "keys");
    FAILS(polhode_torque_new("heavy-top", &key, SIZE_MAX, &torque), POLHODE_INVALID, "memory");
    FAILS(polhode_torque_new("heavy-top", &key, 1, &torque), POLHODE_INVALID, "up");
    key.count = 2;
    FAILS(polhode_torque_new("heavy-top", &key, 1, &torque), POLHODE_INVALID, "three finite numbers");
    key.word = "north";
    FAILS(polhode_torque_new("heavy-top", &key, 1, &torque), POLHODE_INVALID, "numbers and a word");
    key.numbers = NULL;
    FAILS(polhode_torque_new("heavy-top", &key, 1, &torque), POLHODE_INVALID, "north");
    key.word = NULL;
    FAILS(polhode_torque_new("heavy-top", &key, 1, &torque), POLHODE_NULL, "the value of up");
    key.name = NULL;
    FAILS(polhode_torque_new("heavy-top", &key, 1, &torque), POLHODE_NULL, "name of a key");
    FAILS(polhode_torque_new("heavy-top", twice, 2, &torque), POLHODE_INVALID, "twice");
    FAILS(polhode_torque_from_function(NULL, NULL, NULL, 1, 0, &torque), POLHODE_NULL, "function");
    FAILS(polhode_torque_from_function(wild_torque, NULL, NULL, 7, 0, &torque), POLHODE_INVALID,
          "dependence = 7");
    FAILS(polhode_torque_from_function(wild_torque, NULL, NULL, 1, 0, NULL), POLHODE_NULL, "torque");
    FAILS(polhode_torque_sum(NULL, 1, &torque), POLHODE_NULL, "torques");
    EXPECT(torque == NULL);
    FAILS(polhode_torque_sum((const polhode_torque *[1]){NULL}, 1, &torque), POLHODE_NULL, "torques[0]");
    FAILS(polhode_torque_sum(NULL, 0, NULL), POLHODE_NULL, "torque");
    EXPECT(polhode_torque_sum(NULL, 0, &torque) == POLHODE_OK);
    polhode_torque_free(torque);
    polhode_torque_free(NULL);
}

static void moving_inside(void)
{
    polhode_state start = {{1, 2, 3}, {1, 0, 0, 0}};
    polhode_body *body;
    polhode_method *method, *rk4;
    polhode_run *run = (polhode_run *)1;
    polhode_run_report report;
    polhode_wheel wheels[9] = {{.axis = {0, 0, 1}, .inertia = 0.1, .speed = 3},
                               {.axis = {1, 0, 0}, .inertia = 0.1, .driven = 1}};
    polhode_controller controller = {NULL, NULL, 0.2, 0, 0};
    polhode_inside inside = {0};
    double omega[3], speeds[2], late = 1, early = 0.3, rows[8] = {0, 1, 2, 2.5, 0, 1, 2, 2.5};

    EXPECT(polhode_body_new(MOMENTS, 3, 0, &body) == POLHODE_OK);
    EXPECT(polhode_method_parse("strang+exact", &method) == POLHODE_OK);
    EXPECT(polhode_method_parse("rk4", &rk4) == POLHODE_OK);
#define BEGIN(method) polhode_run_new_inside(body, &inside, NULL, method, &start, 0, 0.1, &run)
    FAILS(polhode_run_new_inside(body, NULL, NULL, method, &start, 0, 0.1, &run), POLHODE_NULL, "inside");
    EXPECT(run == NULL);
    inside.wheel_count = 9;
    FAILS(BEGIN(method), POLHODE_NULL, "wheels");
    inside.wheels = wheels;
    FAILS(BEGIN(method), POLHODE_INVALID, "axis");
    for (int i = 2; i < 9; i++) wheels[i] = wheels[0];
    FAILS(BEGIN(method), POLHODE_INVALID, "9 wheels");
    inside.wheel_count = 2;
    FAILS(BEGIN(rk4), POLHODE_INVALID, "is no splitting");
    inside.dissipation_rate = inside.quality_factor = 1;
    FAILS(BEGIN(method), POLHODE_INVALID, "set one to 0");
    inside.dissipation_rate = inside.quality_factor = 0;
    inside.damper_inertia = -1;
    FAILS(BEGIN(method), POLHODE_INVALID, "damper: inertia = -1");
    inside.damper_inertia = 0;
    inside.moments = "1; 2";
    FAILS(BEGIN(method), POLHODE_INVALID, "2 expressions");
    inside.rows = rows;
    FAILS(BEGIN(method), POLHODE_INVALID, "more than one");
    inside.moments = NULL;
    inside.row_count = SIZE_MAX;
    FAILS(BEGIN(method), POLHODE_INVALID, "too many");
    inside.row_count = 2;
    FAILS(BEGIN(method), POLHODE_INVALID, "row 2");
    inside.rows = NULL;
    inside.controllers = &controller;
    inside.controller_count = 1;
    FAILS(BEGIN(method), POLHODE_NULL, "controllers[0].function");
    controller.function = failing_controller;
    controller.period = 0;
    FAILS(BEGIN(method), POLHODE_INVALID, "period = 0");
    controller.period = 0.2;
    EXPECT(BEGIN(method) == POLHODE_OK);
    FAILS(polhode_run_inside(run, omega, speeds, 3), POLHODE_INVALID, "there are 2 wheels");
    EXPECT(polhode_run_inside(run, NULL, speeds, 2) == POLHODE_OK && fabs(speeds[0] - 3) < 1e-12);
    FAILS(polhode_run_advance(run, 10, 1, NULL, NULL), POLHODE_CALLBACK, "controller or inertia function returned 23");
    EXPECT(polhode_run_describe(run, &report) == POLHODE_OK && report.step == 6);
    FAILS(polhode_run_advance(run, 10, 1, NULL, NULL), POLHODE_OUT_OF_RANGE, "failed before");
    polhode_run_free(run);
    controller.function = magnet;
    EXPECT(BEGIN(method) == POLHODE_OK);
    FAILS(polhode_run_advance(run, 10, 1, NULL, NULL), POLHODE_OUT_OF_RANGE, "no magnetic field");
    polhode_run_free(run);

    /* Inertia from a function that gives up, and one that gives moments no body has. */
    inside.wheel_count = inside.controller_count = 0;
    inside.inertia = failing_inertia;
    inside.inertia_user = &late;
    EXPECT(BEGIN(method) == POLHODE_OK);
    FAILS(polhode_run_advance(run, 10, 1, NULL, NULL), POLHODE_CALLBACK, "returned 17");
    EXPECT(polhode_run_describe(run, &report) == POLHODE_OK && report.step == 5);
    polhode_run_free(run);
    inside.inertia_user = &early;
    EXPECT(BEGIN(method) == POLHODE_OK);
    FAILS(polhode_run_advance(run, 10, 1, NULL, NULL), POLHODE_OUT_OF_RANGE, "moments of inertia at t");
    polhode_run_free(run);
    FAILS(polhode_run_new_inside(body, &inside, NULL, method, &start, 1, 0.1, &run), POLHODE_CALLBACK, "17");
    FAILS(polhode_inside_momentum(body, &inside, 0, NULL, omega), POLHODE_NULL, "omega");
    FAILS(polhode_inside_momentum(body, &inside, 0, MOMENTS, NULL), POLHODE_NULL, "momentum");
#undef BEGIN
    polhode_method_free(method);
    polhode_method_free(rk4);
    polhode_body_free(body);
}

static void runs(void)
{
    polhode_state start = {{1, 2, 3}, {1, 0, 0, 0}};
    polhode_body *body;
    polhode_method *method, *rotor;
    polhode_torque *torque;
    polhode_run *run = (polhode_run *)1;
    polhode_run_report report;
    uint64_t steps, stop = 5;
    double push = NAN;

    EXPECT(polhode_body_new(MOMENTS, 3, 0, &body) == POLHODE_OK);
    EXPECT(polhode_method_parse("strang+exact", &method) == POLHODE_OK);
    EXPECT(polhode_method_parse("exact", &rotor) == POLHODE_OK);
    FAILS(polhode_run_new(NULL, NULL, method, &start, 0, 1, &run), POLHODE_NULL, "body");
    EXPECT(run == NULL);
    FAILS(polhode_run_new(body, NULL, NULL, &start, 0, 1, &run), POLHODE_NULL, "method");
    FAILS(polhode_run_new(body, NULL, method, NULL, 0, 1, &run), POLHODE_NULL, "start");
    FAILS(polhode_run_new(body, NULL, method, &start, 0, 1, NULL), POLHODE_NULL, "run");
    FAILS(polhode_run_new(body, NULL, method, &start, NAN, 1, &run), POLHODE_INVALID, "t0");
    FAILS(polhode_run_new(body, NULL, method, &start, 0, 0, &run), POLHODE_INVALID, "step");
    FAILS(polhode_run_new(body, NULL, method, &start, 0, INFINITY, &run), POLHODE_INVALID, "step");
    FAILS(polhode_run_new(body, NULL, method, &start, 1e308, 1e308, &run), POLHODE_INVALID, "beyond the range");
    FAILS(polhode_run_new(body, NULL, method, &start, 1e20, 1, &run), POLHODE_INVALID, "t0 = 1e20");
    FAILS(polhode_run_new(body, NULL, method, &start, 1e20, -1, &run), POLHODE_INVALID, "where it begins");
    EXPECT(polhode_run_new(body, NULL, method, &start, 0, 1e294, &run) == POLHODE_OK);
    FAILS(polhode_run_advance(run, 1000000000000000, 1, NULL, NULL), POLHODE_INVALID, "step 1000000000000000");
    polhode_run_free(run);
    start.momentum[1] = NAN;
    FAILS(polhode_run_new(body, NULL, method, &start, 0, 1, &run), POLHODE_INVALID, "momentum");
    start.momentum[1] = 2;
    FAILS(polhode_steps_until(0, 0.1, NAN, &steps), POLHODE_INVALID, "until");
    FAILS(polhode_steps_until(0, 0.1, -1, &steps), POLHODE_INVALID, "until");
    FAILS(polhode_steps_until(0, 0.1, 1, NULL), POLHODE_NULL, "steps");
    FAILS(polhode_run_advance(NULL, 1, 1, NULL, NULL), POLHODE_NULL, "run");
    FAILS(polhode_run_describe(NULL, &report), POLHODE_NULL, "run");
    polhode_run_free(NULL);

    /* A function that gives NaN, and one that gives up: the run stays at its last good step. */
    EXPECT(polhode_torque_from_function(wild_torque, NULL, &push, 1, 0, &torque) == POLHODE_OK);
    FAILS(polhode_run_new(body, torque, rotor, &start, 0, 1, &run), POLHODE_INVALID, "free bodies");
    EXPECT(polhode_run_new(body, torque, method, &start, 0, 0.1, &run) == POLHODE_OK);
    polhode_torque_free(torque);
    FAILS(polhode_run_advance(run, 10, 1, NULL, NULL), POLHODE_OUT_OF_RANGE, "step 1");
    push = 0.0;
    EXPECT(polhode_run_advance(run, 10, 1, NULL, NULL) == POLHODE_OK);
    FAILS(polhode_run_advance(run, UINT64_MAX, 1, NULL, NULL), POLHODE_INVALID, "steps");
    polhode_run_free(run);

    EXPECT(polhode_torque_from_function(failing_torque, NULL, NULL, 2, 1, &torque) == POLHODE_OK);
    EXPECT(polhode_run_new(body, torque, method, &start, 0, 0.1, &run) == POLHODE_OK);
    polhode_torque_free(torque);
    FAILS(polhode_run_advance(run, 10, 1, NULL, NULL), POLHODE_CALLBACK, "returned 42");
    EXPECT(polhode_run_describe(run, &report) == POLHODE_OK && report.step == 5);
    polhode_run_free(run);

    EXPECT(polhode_run_new(body, NULL, rotor, &start, 0, 0.1, &run) == POLHODE_OK);
    polhode_body_free(body);
    polhode_method_free(method);
    polhode_method_free(rotor);
    EXPECT(polhode_run_advance(run, 3, 1, nosy_observer, run) == POLHODE_OK);
    FAILS(polhode_run_advance(run, 3, 1, failing_observer, NULL), POLHODE_CALLBACK, "returned -7");
    EXPECT(polhode_run_describe(run, &report) == POLHODE_OK && report.step == 4);
    EXPECT(polhode_run_advance(run, 100, 1, stopping_observer, &stop) == POLHODE_OK);
    EXPECT(polhode_run_describe(run, &report) == POLHODE_OK && report.step == 5);
    FAILS(polhode_run_describe(run, NULL), POLHODE_NULL, "report");
    polhode_run_free(run);
}

/* Whichever call is refused, the step that made it is not done, and the next try goes on from there. */
static void refusals(const char *name)
{
    enum { STEPS = 2 };
    polhode_state start = {{0.3, 0.7, 1.1}, {1, 0, 0, 0}};
    polhode_body *body;
    polhode_method *method;
    polhode_torque *torque;
    polhode_run *run;
    polhode_run_report report, whole;
    counted calls = {0, 0};
    char words[80];
    long first, total;

    EXPECT(polhode_body_new(MOMENTS, 3, 0, &body) == POLHODE_OK);
    EXPECT(polhode_method_parse(name, &method) == POLHODE_OK);
    EXPECT(polhode_torque_from_function(counted_torque, NULL, &calls, POLHODE_ON_ATTITUDE, 1, &torque) == POLHODE_OK);
    if (polhode_run_new(body, torque, method, &start, 0, 0.05, &run) != POLHODE_OK) {
        /* Some schemes take torques of the library only. */
        EXPECT(strstr(polhode_last_error_message(), "needs the derivative of the torque") != NULL);
        goto end;
    }
    EXPECT(polhode_run_advance(run, 1, 1, NULL, NULL) == POLHODE_OK);
    first = calls.calls;
    EXPECT(polhode_run_advance(run, STEPS - 1, 1, NULL, NULL) == POLHODE_OK);
    EXPECT(polhode_run_describe(run, &whole) == POLHODE_OK);
    total = calls.calls;
    EXPECT(first >= 1 && total > first);
    polhode_run_free(run);
    for (long refused = 1; refused <= total; refused++) {
        const int step = refused <= first ? 1 : 2;
        calls = (counted){0, refused};
        EXPECT(polhode_run_new(body, torque, method, &start, 0, 0.05, &run) == POLHODE_OK);
        snprintf(words, sizeof words, "the torque function returned 42 in step %d at t = %s", step,
                 step == 1 ? "0.0" : "0.05");
        FAILS(polhode_run_advance(run, STEPS, 1, NULL, NULL), POLHODE_CALLBACK, words);
        EXPECT(strcmp(polhode_last_error_message(), words) == 0 && calls.calls == refused);
        EXPECT(polhode_run_describe(run, &report) == POLHODE_OK && report.step == (uint64_t)step - 1);
        EXPECT(polhode_run_advance(run, STEPS - report.step, 1, NULL, NULL) == POLHODE_OK);
        EXPECT(polhode_run_describe(run, &report) == POLHODE_OK && report.step == STEPS);
        for (int n = 0; n < 3; n++) EXPECT(fabs(report.state.momentum[n] - whole.state.momentum[n]) < 1e-12);
        polhode_run_free(run);
    }
end:
    polhode_torque_free(torque);
    polhode_method_free(method);
    polhode_body_free(body);
}

static void all_refusals(void)
{
    char name[100];
    for (size_t n = 0; n < polhode_catalog_size(POLHODE_METHODS); n++)
        refusals(polhode_catalog_id(POLHODE_METHODS, n));
    for (size_t n = 0; n < polhode_catalog_size(POLHODE_SCHEMES); n++) {
        snprintf(name, sizeof name, "%s+exact", polhode_catalog_id(POLHODE_SCHEMES, n));
        refusals(name);
    }
}

static int32_t refusing_ensemble_observer(void *user, const polhode_ensemble_sample *sample)
{
    (void)user;
    return sample->step >= 2 ? 3 : 0;
}

static void ensembles(void)
{
    enum { COUNT = 20 };
    const double times[2] = {1.0, 1e300};
    polhode_state states[COUNT], later[2 * COUNT];
    polhode_status outcomes[COUNT];
    polhode_bodies bodies = {COUNT, MOMENTS, 3, 1, 0};
    polhode_ensemble *ensemble = (polhode_ensemble *)1;
    polhode_torque *torque;

    FAILS(polhode_ensemble_new(NULL, NULL, 1, &ensemble), POLHODE_NULL, "method");
    EXPECT(ensemble == NULL);
    FAILS(polhode_ensemble_new("exact", NULL, 1, NULL), POLHODE_NULL, "ensemble");
    FAILS(polhode_ensemble_new("rk5", NULL, 1, &ensemble), POLHODE_INVALID, "rk5");
    FAILS(polhode_ensemble_with_method(NULL, NULL, 1, &ensemble), POLHODE_NULL, "method");
    FAILS(polhode_ensemble_new("exact", NULL, 1025, &ensemble), POLHODE_INVALID, "threads = 1025");
    FAILS(polhode_ensemble_new("exact", NULL, SIZE_MAX, &ensemble), POLHODE_INVALID, "at most 256");
    EXPECT(polhode_torque_from_function(failing_torque, NULL, NULL, 1, 0, &torque) == POLHODE_OK);
    FAILS(polhode_ensemble_new("exact", torque, 1, &ensemble), POLHODE_INVALID, "free bodies");
    /* A function that gives up ends the call, on one thread and on four, and the states stay. */
    for (size_t count = 1; count <= 4; count += 3) {
        EXPECT(polhode_ensemble_new(count == 1 ? "strang+exact" : "rk4", torque, count, &ensemble) == POLHODE_OK);
        for (int n = 0; n < COUNT; n++) states[n] = (polhode_state){{1, 2, 0.1 * n}, {1, 0, 0, 0}};
        FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 0.1, 10, 1, NULL, NULL, outcomes), POLHODE_CALLBACK,
              "the torque function returned 42");
        EXPECT(states[3].momentum[0] == 1.0 && states[3].attitude[0] == 1.0);
        /* It may be tried again, as far as it goes. */
        EXPECT(polhode_ensemble_run(ensemble, &bodies, states, 0, 0.1, 4, 1, NULL, NULL, outcomes) == POLHODE_OK);
        EXPECT(states[3].attitude[0] != 1.0);
        polhode_ensemble_free(ensemble);
    }
    polhode_torque_free(torque);
    EXPECT(polhode_torque_new("damping", &(polhode_key){"coefficient", MOMENTS, 1, NULL}, 1, &torque)
           == POLHODE_OK);
    FAILS(polhode_ensemble_new("rkn6-14+exact", torque, 1, &ensemble), POLHODE_INVALID, "rkn6-14");
    polhode_torque_free(torque);
    polhode_ensemble_free(NULL);

    EXPECT(polhode_ensemble_new("exact", NULL, 2, &ensemble) == POLHODE_OK);
    for (int n = 0; n < COUNT; n++) states[n] = (polhode_state){{1, 2, 0.1 * n}, {1, 0, 0, 0}};
    FAILS(polhode_ensemble_run(NULL, &bodies, states, 0, 1, 1, 1, NULL, NULL, NULL), POLHODE_NULL, "ensemble");
    FAILS(polhode_ensemble_run(ensemble, NULL, states, 0, 1, 1, 1, NULL, NULL, NULL), POLHODE_NULL, "bodies");
    FAILS(polhode_ensemble_run(ensemble, &bodies, NULL, 0, 1, 1, 1, NULL, NULL, NULL), POLHODE_NULL, "states");
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, NAN, 1, 1, 1, NULL, NULL, NULL), POLHODE_INVALID, "t0");
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 0, 1, 1, NULL, NULL, NULL), POLHODE_INVALID, "step");
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 1, UINT64_MAX, 1, NULL, NULL, NULL), POLHODE_INVALID,
          "steps");
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 1, 9, 1, refusing_ensemble_observer, NULL, NULL),
          POLHODE_CALLBACK, "returned 3");
    EXPECT(states[3].momentum[0] == 1.0);
    bodies.inertia_size = 4;
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 1, 1, 1, NULL, NULL, NULL), POLHODE_INVALID,
          "inertia_size");
    bodies.inertia_size = 9;
    bodies.shared = 0;
    bodies.count = SIZE_MAX / 2;
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 1, 1, 1, NULL, NULL, NULL), POLHODE_INVALID, "memory");
    bodies = (polhode_bodies){COUNT, NULL, 3, 1, 0};
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 1, 1, 1, NULL, NULL, NULL), POLHODE_NULL, "inertia");
    bodies.inertia = MOMENTS;
    states[7].momentum[1] = NAN;
    FAILS(polhode_ensemble_run(ensemble, &bodies, states, 0, 1, 1, 1, NULL, NULL, NULL), POLHODE_INVALID, "body 7");
    /* One body is too fast; the others go on. */
    states[7].momentum[1] = 1e30;
    polhode_clear_error();
    EXPECT(polhode_ensemble_run(ensemble, &bodies, states, 0, 0.1, 10, 0, NULL, NULL, outcomes) == POLHODE_OK);
    EXPECT(outcomes[6] == POLHODE_OK && outcomes[7] == POLHODE_OUT_OF_RANGE);
    EXPECT(states[7].momentum[1] == 1e30 && states[6].momentum[1] != 2.0);
    EXPECT(strstr(polhode_last_error_message(), "body 7") != NULL);
    EXPECT(polhode_ensemble_run(ensemble, &bodies, states, 0, 0.1, 0, 0, NULL, NULL, NULL) == POLHODE_OK);
    polhode_ensemble_free(ensemble);

    EXPECT(polhode_ensemble_at_times(&bodies, states, times, 2, 1, later, outcomes) == POLHODE_OK);
    EXPECT(outcomes[0] == POLHODE_OUT_OF_RANGE && isfinite(later[COUNT].momentum[0]));
    FAILS(polhode_ensemble_at_times(&bodies, states, times, SIZE_MAX / 9, 1, later, NULL), POLHODE_INVALID,
          "memory");
    FAILS(polhode_ensemble_at_times(&bodies, states, NULL, 2, 1, later, NULL), POLHODE_NULL, "times");
    FAILS(polhode_ensemble_at_times(&bodies, states, times, 2, SIZE_MAX, later, NULL), POLHODE_INVALID, "threads");
    FAILS(polhode_ensemble_at_times(&bodies, NULL, times, 2, 1, later, NULL), POLHODE_NULL, "states");
    FAILS(polhode_ensemble_at_times(&bodies, states, times, 2, 1, NULL, NULL), POLHODE_NULL, "states");
    bodies.count = 0;
    EXPECT(polhode_ensemble_at_times(&bodies, NULL, times, 2, 1, NULL, NULL) == POLHODE_OK);
}

static void integrals(void)
{
    polhode_jacobi_values values;
    polhode_jacobi_quotient_values quotients;
    double value = 3.0;

    FAILS(polhode_jacobi(NAN, 0.5, &values), POLHODE_INVALID, "u");
    FAILS(polhode_jacobi(1, INFINITY, &values), POLHODE_INVALID, "mc");
    FAILS(polhode_jacobi(1, -INFINITY, &values), POLHODE_INVALID, "limit");
    FAILS(polhode_jacobi(1, 0.5, NULL), POLHODE_NULL, "values");
    FAILS(polhode_elliptic_f(INFINITY, 0.5, &value), POLHODE_OUT_OF_RANGE, "diverges");
    FAILS(polhode_elliptic_e(1.5, -2, &value), POLHODE_INVALID, "mc");
    FAILS(polhode_elliptic_pi(2, NAN, 0.5, &value), POLHODE_INVALID, "nc");
    FAILS(polhode_complete_k(0, &value), POLHODE_OUT_OF_RANGE, "diverges");
    FAILS(polhode_complete_e(NAN, &value), POLHODE_INVALID, "mc");
    FAILS(polhode_complete_pi(0, 0.5, &value), POLHODE_OUT_OF_RANGE, "diverges");
    FAILS(polhode_rf(0, 0, 1, &value), POLHODE_OUT_OF_RANGE, "diverges");
    FAILS(polhode_rc(-1, 1, &value), POLHODE_INVALID, "rc");
    FAILS(polhode_rd(1, 1, -1, &value), POLHODE_INVALID, "rd");
    FAILS(polhode_rj(1, 1, -1, 1, &value), POLHODE_INVALID, "rj");
    EXPECT(value == 3.0);
    FAILS(polhode_rf(1, 2, 3, NULL), POLHODE_NULL, "value");
    FAILS(polhode_theta1(0.5, 1, &value), POLHODE_INVALID, "q");
    FAILS(polhode_inverse_sn(2, 0.5, &value), POLHODE_INVALID, "x");
    FAILS(polhode_inverse_nome(0.5, &value, NULL), POLHODE_NULL, "mc");
    FAILS(polhode_jacobi_quotients(INFINITY, 0.5, &quotients), POLHODE_INVALID, "u");
    FAILS(polhode_jacobi_quotients_m(1, INFINITY, &quotients), POLHODE_INVALID, "limit");
    FAILS(polhode_jacobi_quotients_m(1, 0.5, NULL), POLHODE_NULL, "values");
    FAILS(polhode_complete_k_m(1, &value), POLHODE_OUT_OF_RANGE, "diverges");
    FAILS(polhode_complete_e_m(2, &value), POLHODE_INVALID, "m");
    FAILS(polhode_complete_pi_m(NAN, 0.5, &value), POLHODE_INVALID, "n");
    FAILS(polhode_elliptic_f_m(1.5, 2, &value), POLHODE_INVALID, "m");
    EXPECT(polhode_jacobi_quotients(0, 0.5, &quotients) == POLHODE_OK);
    EXPECT(isinf(quotients.ns) && quotients.sc == 0 && quotients.dc == 1);
}

/* The forms of m and n against those of mc and nc, at numbers whose complements are exact. */
static void integrals_of_m(void)
{
    polhode_jacobi_values values, values_m;
    polhode_jacobi_quotient_values quotients;
    double a, b;

#define SAME(with_m, with_mc) EXPECT(with_m == POLHODE_OK && with_mc == POLHODE_OK && a == b)
    SAME(polhode_complete_k_m(0.25, &a), polhode_complete_k(0.75, &b));
    SAME(polhode_complete_e_m(0.25, &a), polhode_complete_e(0.75, &b));
    SAME(polhode_complete_d_m(0.25, &a), polhode_complete_d(0.75, &b));
    SAME(polhode_complete_b_m(0.25, &a), polhode_complete_b(0.75, &b));
    SAME(polhode_complete_pi_m(0.5, 0.25, &a), polhode_complete_pi(0.5, 0.75, &b));
    SAME(polhode_elliptic_f_m(0.7, 0.25, &a), polhode_elliptic_f(0.7, 0.75, &b));
    SAME(polhode_elliptic_e_m(0.7, 0.25, &a), polhode_elliptic_e(0.7, 0.75, &b));
    SAME(polhode_elliptic_d_m(0.7, 0.25, &a), polhode_elliptic_d(0.7, 0.75, &b));
    SAME(polhode_elliptic_b_m(0.7, 0.25, &a), polhode_elliptic_b(0.7, 0.75, &b));
    SAME(polhode_elliptic_pi_m(0.7, 0.375, 0.25, &a), polhode_elliptic_pi(0.7, 0.625, 0.75, &b));
    SAME(polhode_jacobi_zeta_m(0.7, 0.25, &a), polhode_jacobi_zeta(0.7, 0.75, &b));
    SAME(polhode_inverse_sn_m(0.5, 0.25, &a), polhode_inverse_sn(0.5, 0.75, &b));
    SAME(polhode_inverse_cn_m(0.5, 0.25, &a), polhode_inverse_cn(0.5, 0.75, &b));
    SAME(polhode_inverse_dn_m(0.9375, 0.25, &a), polhode_inverse_dn(0.9375, 0.75, &b));
    SAME(polhode_nome_m(0.25, &a), polhode_nome(0.75, &b));
#undef SAME
    EXPECT(polhode_jacobi(0.7, 0.75, &values) == POLHODE_OK);
    EXPECT(polhode_jacobi_m(0.7, 0.25, &values_m) == POLHODE_OK);
    EXPECT(memcmp(&values, &values_m, sizeof values) == 0);
    for (int form = 0; form < 2; form++) {
        if (form) EXPECT(polhode_jacobi_quotients_m(0.7, 0.25, &quotients) == POLHODE_OK);
        else EXPECT(polhode_jacobi_quotients(0.7, 0.75, &quotients) == POLHODE_OK);
        EXPECT(quotients.ns == 1 / values.sn && quotients.sc == values.sn / values.cn);
        EXPECT(quotients.nc == 1 / values.cn && quotients.sd == values.sn / values.dn);
        EXPECT(quotients.nd == 1 / values.dn && quotients.cd == values.cn / values.dn);
        EXPECT(quotients.cs == values.cn / values.sn && quotients.ds == values.dn / values.sn);
        EXPECT(quotients.dc == values.dn / values.cn);
    }
}

static int finite(const double *numbers, int count)
{
    for (int n = 0; n < count; n++)
        if (!isfinite(numbers[n])) return 0;
    return 1;
}

static void fortran(void)
{
    const double extremes[] = {0, 1, -1, 0.5, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, 1e300, 1e-300, 1e13, 3};
    const int size = sizeof extremes / sizeof *extremes, points[] = {-1, 0, 1, 10, 11};
    unsigned seed = 1;
    double pi[3], q[9], phi0, phi1, k;
    char message[40];
    int status;

    for (int n = 0; n < 3000; n++) {
        double in[17];
        for (int i = 0; i < 17; i++) {
            seed = seed * 1664525u + 1013904223u;
            in[i] = extremes[(seed >> 16) % size];
        }
        frb_step_(pi, q, in, in + 1, in + 4, in + 7);
        EXPECT(finite(pi, 3) && finite(q, 9));
        quat_step_(pi, q, in, in + 1, in + 4, in + 7);
        EXPECT(finite(pi, 3) && finite(q, 4));
        egellipx_step_(pi, &phi0, &phi1, &k, in, in + 1, in + 4);
        EXPECT(finite(pi, 3) && isfinite(phi0) && isfinite(phi1) && isfinite(k));
        ellint_pi_(pi, in, in + 1, in + 2, in + 3);
        eint_gauss_(pi + 1, in, in + 1, in + 2, in + 3, &points[n % 5]);
        pi[2] = ellpi_(in, in + 1, in + 2);
        EXPECT(finite(pi, 3));
        q[0] = rf_(in, in + 1, in + 2);
        q[1] = rj_(in, in + 1, in + 2, in + 3);
        q[2] = rc_(in, in + 1);
        EXPECT(finite(q, 3));
    }
    polhode_clear_error();
    frb_step_(NULL, q, MOMENTS, MOMENTS, MOMENTS, q);
    EXPECT(polhode_last_error() == POLHODE_NULL);
    polhode_clear_error();
    quat_step_(pi, q, NULL, MOMENTS, MOMENTS, q);
    EXPECT(polhode_last_error() == POLHODE_NULL);
    ellint_pi_(NULL, NULL, NULL, NULL, NULL);
    rf_(NULL, NULL, NULL);
    polhode_use_exact_(NULL);
    polhode_last_error_(&status, message, sizeof message);
    EXPECT(status == POLHODE_NULL && memcmp(message, "exact is NULL        ", 21) == 0);
    polhode_last_error_(&status, NULL, 0);
    EXPECT(status == POLHODE_OK);
    polhode_last_error_(NULL, message, 3);
    EXPECT(polhode_last_error() == POLHODE_NULL);
}

/* What a routine of Fortran leaves speaks of its own arguments. */
static void names(void)
{
    const double half = 0.5, two = 2, big = 1.5;
    const int eleven = 11, minus = -1, eight = 8;
    double value;

    FAILS((ellpi_(&half, &half, &big), polhode_last_error()), POLHODE_INVALID, "ak = 1.5: must be");
    /* Past its pole the integral is a principal value. */
    polhode_clear_error();
    EXPECT(isfinite(ellpi_(&two, &two, &half)));
    ellint_pi_(&value, &half, &two, &half, &two);
    EXPECT(isfinite(value) && polhode_last_error() == POLHODE_OK);
    FAILS((eint_gauss_(&value, &half, &two, &half, &half, &eleven), polhode_last_error()), POLHODE_INVALID,
          "np = 11: must be 1 to 10");
    FAILS((eint_gauss_(&value, &half, &two, &half, &half, &minus), polhode_last_error()), POLHODE_INVALID, "np = -1");
    FAILS((eint_gauss_(&value, &half, &two, &big, &half, &eight), polhode_last_error()), POLHODE_INVALID, "ak = 1.5");
}

/* The third component of the momentum; refused when the count runs out. */
static int32_t counted_event(void *user, double t, const polhode_state *state, double *value)
{
    counted *calls = user;
    (void)t;
    if (++calls->calls == calls->refused) return 43;
    *value = state->momentum[1];
    return 0;
}

static int32_t infinite_event(void *user, double t, const polhode_state *state, double *value)
{
    (void)user, (void)t, (void)state;
    *value = INFINITY;
    return 0;
}

/* Zero at t = 1.25. */
static int32_t timed_event(void *user, double t, const polhode_state *state, double *value)
{
    (void)user, (void)state;
    *value = t - 1.25;
    return 0;
}

static const double HIT[3] = {0.5, 0.25, -1.0};

/* An impulse; refused when the count runs out. */
static int32_t hit(void *user, double t, polhode_state *state)
{
    counted *calls = user;
    if (++calls->calls == calls->refused) return 44;
    EXPECT(fabs(t - 1.25) < 1e-12);
    for (int n = 0; n < 3; n++) state->momentum[n] += HIT[n];
    for (int n = 0; n < 4; n++) state->attitude[n] *= 2;
    return 0;
}

static int32_t ruined(void *user, double t, polhode_state *state)
{
    (void)user, (void)t;
    state->momentum[1] = NAN;
    return 0;
}

/* A body that is hit moves freely before and after. */
static void impulses(void)
{
    const polhode_state start = {{0.3, 0.7, 1.1}, {1, 0, 0, 0}};
    counted calls = {0, 0};
    polhode_event event = {.function = timed_event, .user = &calls, .action = hit};
    polhode_solve_options options = {.tolerance = 1e-11, .events = &event, .event_count = 1};
    const char *methods[] = {"closed-form", "extrapolation", "dop853"};
    polhode_state struck, before, want, got[2];
    polhode_solution_report report;
    polhode_solution *solution;
    polhode_free_motion *free_motion;
    polhode_body *body;
    size_t count = 0;
    double when;

    EXPECT(polhode_body_new(MOMENTS, 3, 0, &body) == POLHODE_OK);
    EXPECT(polhode_free_motion_from_momentum(body, start.momentum, start.attitude, &free_motion) == POLHODE_OK);
    EXPECT(polhode_free_motion_at(free_motion, 1.25, &struck) == POLHODE_OK);
    polhode_free_motion_free(free_motion);
    before = struck;
    for (int n = 0; n < 3; n++) struck.momentum[n] += HIT[n];
    EXPECT(polhode_free_motion_from_momentum(body, struck.momentum, struck.attitude, &free_motion) == POLHODE_OK);
    EXPECT(polhode_free_motion_at(free_motion, 1.75, &want) == POLHODE_OK);
    polhode_free_motion_free(free_motion);
    for (int method = 0; method < 3; method++) {
        options.method = methods[method], calls.calls = 0;
        EXPECT(polhode_solve(body, NULL, &start, 0, 3, &options, &solution) == POLHODE_OK && calls.calls == 1);
        EXPECT(polhode_solution_describe(solution, &report) == POLHODE_OK);
        EXPECT(polhode_solution_events(solution, 0, 1, &when, &got[0], &count) == POLHODE_OK && count == 1);
        EXPECT(fabs(when - 1.25) < 1e-12);
        EXPECT(polhode_solution_at(solution, &when, 1, &got[1]) == POLHODE_OK);
        for (int n = 0; n < 3; n++) {
            EXPECT(fabs(report.state.momentum[n] - want.momentum[n]) < 1e-9);
            EXPECT(fabs(got[0].momentum[n] - before.momentum[n]) < 1e-9);
            EXPECT(fabs(got[1].momentum[n] - struck.momentum[n]) < 1e-9);
        }
        for (int n = 0; n < 4; n++) EXPECT(fabs(report.state.attitude[n] - want.attitude[n]) < 1e-9);
        polhode_solution_free(solution);
    }
    calls.refused = calls.calls + 1;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_CALLBACK,
          "the action of events[0] returned 44");
    event.action = ruined;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "momentum");
    polhode_body_free(body);
}

static void solutions(void)
{
    enum { MOST = 100 };
    const polhode_state start = {{0.3, 0.7, 1.1}, {1, 0, 0, 0}}, none = {{NAN, 0, 0}, {1, 0, 0, 0}};
    const double times[3] = {0.5, 1.5, 3.0}, outside[2] = {1.0, 3.5}, wild[2] = {2.0, 1.0};
    const polhode_solve_options defaults = {0};
    polhode_solve_options options = {0};
    polhode_state states[MOST], at[3];
    double when[MOST], t;
    size_t count = 0;
    counted calls = {0, 0}, torque_calls = {0, 0};
    polhode_event event = {counted_event, &calls, 0, 0, NULL};
    polhode_solution_report report, whole;
    polhode_solution *solution = (polhode_solution *)1;
    polhode_torque *torque;
    polhode_body *body;

    EXPECT(polhode_body_new(MOMENTS, 3, 0, &body) == POLHODE_OK);
    FAILS(polhode_solve(NULL, NULL, &start, 0, 3, NULL, &solution), POLHODE_NULL, "body");
    EXPECT(solution == NULL);
    FAILS(polhode_solve(body, NULL, NULL, 0, 3, NULL, &solution), POLHODE_NULL, "start");
    FAILS(polhode_solve(body, NULL, &start, 0, 3, NULL, NULL), POLHODE_NULL, "solution");
    FAILS(polhode_solve(body, NULL, &none, 0, 3, NULL, &solution), POLHODE_INVALID, "momentum");
    FAILS(polhode_solve(body, NULL, &start, NAN, 3, NULL, &solution), POLHODE_INVALID, "t0");
    FAILS(polhode_solve(body, NULL, &start, 0, INFINITY, NULL, &solution), POLHODE_INVALID, "until");
    options.tolerance = 0.5;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "tolerance = 0.5: ");
    options.atol = 1;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "tolerance = 0.5: ");
    options = defaults, options.rtol = NAN;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "rtol = NaN: ");
    options.tolerance = 1e-9;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "rtol = NaN: ");
    /* Below rounding, over so long a time. */
    options = defaults, options.method = "dop853", options.rtol = 1e-14;
    FAILS(polhode_solve(body, NULL, &start, 0, 1e4, &options, &solution), POLHODE_INVALID, "rtol = 1e-14: over ");
    options.tolerance = 1e-14, options.rtol = 0;
    FAILS(polhode_solve(body, NULL, &start, 0, 1e4, &options, &solution), POLHODE_INVALID, "tolerance = 1e-14: over ");
    options = defaults, options.atol = -1;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "atol");
    options = defaults, options.max_step = -1;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "max_step");
    options = defaults, options.max_step = 1e-310;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "max_step = 1e-310: ");
    options = defaults, options.first_step = NAN;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "first_step");
    options = defaults, options.method = "rk45";
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "dop853");
    options = defaults, options.times = wild, options.time_count = 2;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "times[1]");
    options.times = NULL;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_NULL, "times");
    options.times = wild, options.time_count = SIZE_MAX;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "memory");
    options = defaults, options.stops = outside, options.stop_count = 2;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "stops[1]");
    options = defaults, options.event_count = 1;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_NULL, "events");
    options.events = &event, event.function = NULL;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_NULL, "events[0].function");
    event.function = infinite_event;
    FAILS(polhode_solve(body, NULL, &start, 0, 3, &options, &solution), POLHODE_INVALID, "not finite");
    event.function = counted_event;
    polhode_solution_free(NULL);
    FAILS(polhode_solution_describe(NULL, &report), POLHODE_NULL, "solution");

    /* A torque as a function, with events that count and then end the run. */
    EXPECT(polhode_torque_from_function(counted_torque, NULL, &torque_calls, POLHODE_ON_ATTITUDE, 0, &torque) == POLHODE_OK);
    options.estimate_error = 1;
    EXPECT(polhode_solve(body, torque, &start, 0, 30, &options, &solution) == POLHODE_OK);
    EXPECT(polhode_solution_describe(solution, &whole) == POLHODE_OK);
    EXPECT(strcmp(whole.method, "dop853") == 0 && whole.t0 == 0 && whole.t == 30 && whole.ended_by == -1);
    EXPECT(whole.momentum_error < 1e-8 && whole.attitude_error < 1e-8 && whole.kept == whole.steps + 1);
    FAILS(polhode_solution_describe(solution, NULL), POLHODE_NULL, "report");
    FAILS(polhode_solution_at(solution, outside, 2, NULL), POLHODE_NULL, "states");
    FAILS(polhode_solution_at(solution, NULL, 2, at), POLHODE_NULL, "times");
    EXPECT(polhode_solution_at(solution, NULL, 0, NULL) == POLHODE_OK);
    EXPECT(polhode_solution_at(solution, times, 3, at) == POLHODE_OK);
    FAILS(polhode_solution_at(solution, (double[]){-1}, 1, states), POLHODE_INVALID, "spans");
    FAILS(polhode_solution_events(solution, 1, MOST, when, states, &count), POLHODE_INVALID, "that were given: 1");
    EXPECT(polhode_solution_events(solution, 0, 0, NULL, NULL, &count) == POLHODE_OK && count > 2 && count < MOST);
    EXPECT(polhode_solution_events(solution, 0, count, when, states, NULL) == POLHODE_OK);
    for (size_t n = 0; n < count; n++) EXPECT(fabs(states[n].momentum[1]) < 1e-9);
    t = when[1];
    polhode_solution_free(solution);

    event.terminal = 2, options.estimate_error = 0, options.times = times, options.time_count = 3;
    EXPECT(polhode_solve(body, torque, &start, 0, 30, &options, &solution) == POLHODE_OK);
    EXPECT(polhode_solution_describe(solution, &report) == POLHODE_OK);
    /* Its steps are those of the span in which the event was found. */
    EXPECT(report.ended_by == 0 && fabs(report.t - t) < 1e-9 && report.kept <= MOST && isnan(report.momentum_error));
    EXPECT(polhode_solution_kept(solution, when, states) == POLHODE_OK);
    EXPECT(polhode_solution_kept(solution, NULL, NULL) == POLHODE_OK);
    EXPECT(when[report.kept - 1] == report.t);
    EXPECT(memcmp(&states[report.kept - 1], &report.state, sizeof report.state) == 0);
    EXPECT(when[0] == 0.5);
    for (int i = 0; i < 3; i++) EXPECT(fabs(states[0].momentum[i] - at[0].momentum[i]) < 1e-8);
    FAILS(polhode_solution_at(solution, (double[]){0.6}, 1, states), POLHODE_INVALID, "kept");
    polhode_solution_free(solution);

    /* Whoever refuses is not called again. */
    options = defaults, options.events = &event, options.event_count = 1;
    event.terminal = 0, calls.refused = calls.calls + 20;
    FAILS(polhode_solve(body, torque, &start, 0, 30, &options, &solution), POLHODE_CALLBACK, "events[0] returned 43");
    EXPECT(solution == NULL && calls.calls == calls.refused);
    calls.refused = 0, torque_calls.refused = torque_calls.calls + 200;
    FAILS(polhode_solve(body, torque, &start, 0, 30, &options, &solution), POLHODE_CALLBACK, "torque function returned 42");
    EXPECT(torque_calls.calls == torque_calls.refused);
    torque_calls.refused = 0, options.method = "extrapolation";
    EXPECT(polhode_solve(body, torque, &start, 0, -3, &options, &solution) == POLHODE_OK);
    torque_calls.refused = torque_calls.calls + 5;
    FAILS(polhode_solution_at(solution, (double[]){-1.23}, 1, at), POLHODE_CALLBACK, "torque function returned 42");
    torque_calls.refused = 0;
    EXPECT(polhode_solution_at(solution, (double[]){-1.23}, 1, at) == POLHODE_OK);
    polhode_solution_free(solution);
    polhode_torque_free(torque);
    polhode_body_free(body);
}

static void *everything(void *argument)
{
    polhode_run_report report;
    const int number = (int)(size_t)argument;

    polhode_use_exact(number % 2);
    bodies();
    free_motions();
    methods();
    rotations();
    torques();
    runs();
    moving_inside();
    ensembles();
    solutions();
    impulses();
    integrals();
    integrals_of_m();
    fortran();
    names();
    /* One run for all threads: done or refused, never half done. */
    for (int n = 0; n < 200; n++) {
        polhode_status status = polhode_run_advance(shared_run, 1, 1, NULL, NULL);
        EXPECT(status == POLHODE_OK || status == POLHODE_BUSY);
        status = polhode_run_describe(shared_run, &report);
        EXPECT(status == POLHODE_BUSY || (status == POLHODE_OK && isfinite(report.energy)));
    }
    return NULL;
}

int main(void)
{
    const polhode_state start = {{1, 2, 3}, {1, 0, 0, 0}};
    pthread_t threads[8];
    polhode_body *body;
    polhode_method *method;

    EXPECT(polhode_body_new(MOMENTS, 3, 0, &body) == POLHODE_OK);
    EXPECT(polhode_method_parse("strang+frb-matrix", &method) == POLHODE_OK);
    EXPECT(polhode_run_new(body, NULL, method, &start, 0, 0.1, &shared_run) == POLHODE_OK);
    polhode_method_free(method);
    polhode_body_free(body);
    all_refusals();
    everything((void *)0);
    for (size_t n = 0; n < 8; n++) EXPECT(pthread_create(&threads[n], NULL, everything, (void *)n) == 0);
    for (size_t n = 0; n < 8; n++) EXPECT(pthread_join(threads[n], NULL) == 0);
    polhode_run_free(shared_run);
    polhode_clear_error();
    puts("done");
    return EXIT_SUCCESS;
}
