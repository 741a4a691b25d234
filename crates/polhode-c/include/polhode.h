/*
 * polhode: rigid-body rotation, computed exactly. The C interface.
 *
 * Conventions. Momentum, angular velocity and torque are in the body frame, three numbers. An
 * attitude is an active Hamilton quaternion w, x, y, z (four numbers) or a matrix row by row (nine
 * numbers); it takes body to space coordinates. Units are the caller's.
 *
 * Failure. A function that can fail returns a polhode_status and leaves a message for its thread:
 * polhode_last_error_message(). Its outputs are then untouched, unless it says otherwise. A pointer
 * that is NULL where nothing allows it is POLHODE_NULL; every number must be finite.
 *
 * Memory. What a function makes through a handle (polhode_..._new and the like) is freed by the
 * function named there, once, and not used afterwards. Texts that the library returns are its own.
 *
 * Threads. Any function may be called from any thread at any time. Handles of bodies, methods,
 * torques, free motions and solutions may be shared; a run is for one thread at a time.
 *
 * Compile with `pkg-config --cflags --libs polhode`, or -lpolhode.
 */


#ifndef POLHODE_H
#define POLHODE_H

/* Written by `cargo xtask docs` from the sources of crates/polhode-c: do not edit. */

#include <stddef.h>
#include <stdint.h>

/**
 * The greatest number of wheels in a body.
 */
#define POLHODE_MAX_WHEELS 8

/**
 * How a call ended. Every function that can fail returns one of these.
 */
enum polhode_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Everything that was asked for has been done.
   */
  POLHODE_OK = 0,
  /**
   * A pointer is NULL that must not be.
   */
  POLHODE_NULL = 1,
  /**
   * A value, a size or a name is not allowed.
   */
  POLHODE_INVALID = 2,
  /**
   * The numbers are finite, but no right answer fits into doubles.
   */
  POLHODE_OUT_OF_RANGE = 3,
  /**
   * An implicit method did not solve its equation: take a smaller step. Or a solution does not meet
   * its tolerance, however short the steps.
   */
  POLHODE_NO_CONVERGENCE = 4,
  /**
   * A callback reported a failure.
   */
  POLHODE_CALLBACK = 5,
  /**
   * The handle is in use: by another thread, or by the call whose callback this is.
   */
  POLHODE_BUSY = 6,
  /**
   * A fault of the library. Please report it, with the message.
   */
  POLHODE_INTERNAL = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polhode_status polhode_status;
#else
typedef int32_t polhode_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A table of names.
 */
enum polhode_catalog
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Splitting schemes: the first part of a pair like "rkn6-14+exact".
   */
  POLHODE_SCHEMES = 0,
  /**
   * Flows of the free body: the second part of a pair, or alone a method for free bodies.
   */
  POLHODE_ROTORS = 1,
  /**
   * Methods that are not splittings.
   */
  POLHODE_METHODS = 2,
  /**
   * Names for some pairs.
   */
  POLHODE_PRESETS = 3,
  /**
   * Kinds of torque.
   */
  POLHODE_TORQUES = 4,
  /**
   * Ways to solve to a tolerance.
   */
  POLHODE_SOLVERS = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polhode_catalog polhode_catalog;
#else
typedef int32_t polhode_catalog;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a torque depends on, besides time.
 */
enum polhode_dependence
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * On the attitude at most.
   */
  POLHODE_ON_ATTITUDE = 1,
  /**
   * On the momentum as well. Some methods refuse such torques.
   */
  POLHODE_ON_MOMENTUM = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polhode_dependence polhode_dependence;
#else
typedef int32_t polhode_dependence;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a stage of a splitting method does.
 */
enum polhode_stage_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Free motion over this part of the step.
   */
  POLHODE_DRIFT = 0,
  /**
   * The torque's impulse over this part of the step.
   */
  POLHODE_KICK = 1,
  /**
   * The impulse of the potential b V - c h^2 W with W = torque . I^-1 torque. For torques that do not
   * depend on the momentum and whose derivative is known: those of the library.
   */
  POLHODE_GRADIENT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum polhode_stage_kind polhode_stage_kind;
#else
typedef int32_t polhode_stage_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A body: its moments of inertia, or its inertia tensor.
 */
typedef struct polhode_body polhode_body;

/**
 * A method and a torque for many bodies.
 *
 * Every method and every torque will do. Methods for which polhode_method_runs_in_lanes() is true advance
 * several bodies at once in SIMD registers; others, one by one. A function of the caller's is called for one
 * body after the other. Each body has the bits that a run of its own would give it, whatever the number
 * of threads and its neighbours.
 */
typedef struct polhode_ensemble polhode_ensemble;

/**
 * The free motion of a body, from a state at time zero.
 */
typedef struct polhode_free_motion polhode_free_motion;

/**
 * A method with its parameters.
 */
typedef struct polhode_method polhode_method;

/**
 * A run: a body, what acts on it, a method, and how far it has come.
 *
 * It is used by one thread at a time. A call while another one is at work on the same run, from
 * another thread or from a callback, returns POLHODE_BUSY.
 */
typedef struct polhode_run polhode_run;

/**
 * The motion of a body over a span of time.
 *
 * It may be used by several threads at once, if the torque function, where there is one, allows that.
 */
typedef struct polhode_solution polhode_solution;

/**
 * A torque, for any body.
 */
typedef struct polhode_torque polhode_torque;

/**
 * am, sn, cn and dn of one argument.
 */
typedef struct {
  /**
   * The amplitude, not reduced.
   */
  double am;
  /**
   * sin am.
   */
  double sn;
  /**
   * cos am.
   */
  double cn;
  /**
   * sqrt(1 - k^2 sn^2).
   */
  double dn;
} polhode_jacobi_values;

/**
 * The nine quotients of sn, cn and dn: the first letter is above, the second below; n is one. Infinite where
 * the one below is zero.
 */
typedef struct {
  /**
   * 1/sn.
   */
  double ns;
  /**
   * 1/cn.
   */
  double nc;
  /**
   * 1/dn.
   */
  double nd;
  /**
   * sn/cn.
   */
  double sc;
  /**
   * sn/dn.
   */
  double sd;
  /**
   * cn/dn.
   */
  double cd;
  /**
   * cn/sn.
   */
  double cs;
  /**
   * dn/sn.
   */
  double ds;
  /**
   * dn/cn.
   */
  double dc;
} polhode_jacobi_quotient_values;

/**
 * The bodies of an ensemble: their inertia.
 */
typedef struct {
  /**
   * How many bodies.
   */
  size_t count;
  /**
   * Their inertia, body by body: principal moments, or tensors row by row.
   */
  const double *inertia;
  /**
   * Numbers for one body: 3 or 9.
   */
  size_t inertia_size;
  /**
   * 0 if every body has its inertia, anything else if the first one is that of all.
   */
  int32_t shared;
  /**
   * As in polhode_body_new().
   */
  int32_t allow_unphysical;
} polhode_bodies;

/**
 * The state of a body.
 */
typedef struct {
  /**
   * Angular momentum in the body frame.
   */
  double momentum[3];
  /**
   * Attitude: quaternion w, x, y, z of unit length, from body to space coordinates.
   */
  double attitude[4];
} polhode_state;

/**
 * Consecutive bodies of an ensemble at one time, as an observer sees them.
 */
typedef struct {
  /**
   * The number of the first body, counted from 0.
   */
  uint64_t first;
  /**
   * How many bodies.
   */
  size_t count;
  /**
   * Their states; of a body that has failed, the last good one.
   */
  const polhode_state *states;
  /**
   * Steps done since the start; of a free ensemble, the place of the time in the list, from 0.
   */
  uint64_t step;
  /**
   * The time of these states.
   */
  double t;
} polhode_ensemble_sample;

/**
 * Watches an ensemble: all times of the first bodies, then all times of the next. Returns 0 to go
 * on, anything else to end the run with POLHODE_CALLBACK. It may be called on a thread of the
 * library, but never on two at once. No longjmp, no C++ exception may leave it.
 */
typedef int32_t (*polhode_ensemble_observer)(void *user, const polhode_ensemble_sample *sample);

/**
 * What is to be known of a free motion as a whole.
 */
typedef struct {
  /**
   * "rest", "steady", "symmetric-top", "about-minor", "about-major" or "separatrix": what the
   * momentum does in the body. A text of the library: not to be freed.
   */
  const char *regime;
  /**
   * The period of the momentum in the body; infinite where it has none.
   */
  double period;
  /**
   * The mean rate, in radians per time, at which the axis that the momentum circles turns about
   * the momentum in space.
   */
  double precession_rate;
  /**
   * 1 - 2 T I2/|m|^2: negative while the momentum circles the axis of the least moment, positive
   * for the greatest, zero on the separatrix and at rest.
   */
  double separatrix_distance;
} polhode_free_motion_properties;

/**
 * A wheel. It keeps its speed relative to the body, unless it is driven; it is if `driven` is not 0, or
 * any of the numbers after it. Numbers that are 0 are as if they were not there.
 */
typedef struct {
  /**
   * Its axis in the body frame, of any length.
   */
  double axis[3];
  /**
   * Its moment of inertia about the axis.
   */
  double inertia;
  /**
   * Its speed at the start, relative to the body.
   */
  double speed;
  /**
   * Whether it turns freely: its momentum changes by the torque of its motor alone.
   */
  int32_t driven;
  /**
   * The torque of its motor, to which controllers add.
   */
  double torque;
  /**
   * The greatest torque of its motor.
   */
  double torque_limit;
  /**
   * The speed beyond which the motor does not drive it.
   */
  double speed_limit;
  /**
   * Friction in its bearings, torque for a speed.
   */
  double viscous_friction;
  /**
   * Friction in its bearings, whatever the speed.
   */
  double coulomb_friction;
} polhode_wheel;

/**
 * Computes an inertia tensor at a time: nine numbers, row by row, into `inertia`. Returns 0, or anything
 * else to end the call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
 */
typedef int32_t (*polhode_inertia_function)(void *user, double t, double *inertia);

/**
 * What a controller is told.
 */
typedef struct {
  /**
   * The time of the call.
   */
  double t;
  /**
   * Attitude and total momentum.
   */
  polhode_state state;
  /**
   * The angular velocity of the body; body frame.
   */
  double omega[3];
  /**
   * The speeds of the wheels relative to the body.
   */
  double wheels[POLHODE_MAX_WHEELS];
  /**
   * How many wheels there are.
   */
  size_t wheel_count;
  /**
   * The magnetic field that a torque "dipole" or "magnetic-dipole" is in; body frame.
   */
  double field[3];
  /**
   * 0 if there is no such torque, and so no field.
   */
  int32_t has_field;
} polhode_moment;

/**
 * What a controller answers.
 */
typedef struct {
  /**
   * A torque from outside, of thrusters for instance; body frame.
   */
  double torque[3];
  /**
   * A magnetic dipole; body frame.
   */
  double dipole[3];
  /**
   * The torques of the motors of the wheels.
   */
  double motors[POLHODE_MAX_WHEELS];
} polhode_command;

/**
 * Commands from this call until the next: writes to `command`, which is zero before. Returns 0, or
 * anything else to end the call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
 */
typedef int32_t (*polhode_controller_function)(void *user,
                                               const polhode_moment *at,
                                               polhode_command *command);

/**
 * A controller: called every `period` from the start of the run on, its command held in between. A
 * step is cut where a command changes.
 */
typedef struct {
  /**
   * The law of control.
   */
  polhode_controller_function function;
  /**
   * Passed to it. What it points to must live as long as the run.
   */
  void *user;
  /**
   * The time from one call to the next.
   */
  double period;
  /**
   * A command acts that much after the call.
   */
  double delay;
  /**
   * The greatest dipole along each axis; 0 for no limit.
   */
  double dipole_limit;
} polhode_controller;

/**
 * What moves inside a body, and what controls it. All zero is nothing.
 *
 * None of it changes the momentum in space. The momentum of states is the total one; the inertia of the
 * body is that with everything locked.
 */
typedef struct {
  /**
   * The wheels, POLHODE_MAX_WHEELS at most.
   */
  const polhode_wheel *wheels;
  /**
   * How many wheels there are.
   */
  size_t wheel_count;
  /**
   * Dissipation takes away this times |m x omega|^2 of the energy in a unit of time.
   */
  double dissipation_rate;
  /**
   * Or: it takes away 2 pi/Q of the energy of a small wobble of a symmetric body in each period, Q this.
   */
  double quality_factor;
  /**
   * A ball turns in a cavity of viscous fluid: its moment of inertia.
   */
  double damper_inertia;
  /**
   * The torque on it for a unit of relative angular velocity.
   */
  double damper_coefficient;
  /**
   * Moments of inertia that vary: three expressions of t with semicolons between them, "1 + 0.1*sin(t);
   * 2; 2.5", along the body axes. They take the place of the body's.
   */
  const char *moments;
  /**
   * Or as a table of rows t, I1, I2, I3, between which a spline goes.
   */
  const double *rows;
  /**
   * The number of its rows.
   */
  size_t row_count;
  /**
   * Or any inertia, from a function.
   */
  polhode_inertia_function inertia;
  /**
   * Passed to that function. What it points to must live as long as the run.
   */
  void *inertia_user;
  /**
   * The controllers, called in this order.
   */
  const polhode_controller *controllers;
  /**
   * How many controllers there are.
   */
  size_t controller_count;
} polhode_inside;

/**
 * A stage of a splitting method.
 */
typedef struct {
  /**
   * One of polhode_stage_kind.
   */
  int32_t kind;
  /**
   * The part of the step; of a gradient, b.
   */
  double part;
  /**
   * Of a gradient, c; else not looked at.
   */
  double gradient;
} polhode_stage;

/**
 * What a method is and what it keeps of a free body's motion, to rounding. Flags are 0 or 1.
 */
typedef struct {
  /**
   * Its order; 0 stands for exact.
   */
  uint32_t order;
  /**
   * Keeps the length of the momentum.
   */
  int32_t keeps_momentum_norm;
  /**
   * Keeps the momentum in space, as a vector.
   */
  int32_t keeps_spatial_momentum;
  /**
   * Keeps the kinetic energy.
   */
  int32_t keeps_energy;
  /**
   * A step back undoes a step.
   */
  int32_t symmetric;
  /**
   * Keeps the Poisson structure.
   */
  int32_t symplectic;
} polhode_method_properties;

/**
 * A moment of a run, as an observer sees it.
 */
typedef struct {
  /**
   * Steps done since the start.
   */
  uint64_t step;
  /**
   * The time, t0 + step * h.
   */
  double t;
  /**
   * Attitude and momentum at that time.
   */
  polhode_state state;
  /**
   * 1 for the last step of this call of polhode_run_advance(), else 0.
   */
  int32_t last;
} polhode_sample;

/**
 * Watches a run. Returns 0 to go on, a positive number to end the call after this step in good
 * order, a negative one to end it with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
 */
typedef int32_t (*polhode_observer)(void *user, const polhode_sample *sample);

/**
 * How far a run has come.
 */
typedef struct {
  /**
   * Steps done since the start.
   */
  uint64_t step;
  /**
   * The time, t0 + step * h.
   */
  double t;
  /**
   * Attitude and momentum at that time.
   */
  polhode_state state;
  /**
   * Kinetic plus potential energy; kinetic alone where the torque has no potential.
   */
  double energy;
  /**
   * Evaluations of the torque, all in all.
   */
  uint64_t torque_evaluations;
  /**
   * Iterations of implicit equations, all in all.
   */
  uint64_t iterations;
} polhode_run_report;

/**
 * Computes a function of time and state whose zeros are events, into `value`. Returns 0, or anything
 * else to end the call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
 */
typedef int32_t (*polhode_event_function)(void *user,
                                          double t,
                                          const polhode_state *state,
                                          double *value);

/**
 * Called at an event with the state then, which it may change: an impulse, another attitude. The motion
 * goes on from what it leaves there; the attitude is normalised. Returns 0, or anything else to end the
 * call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
 *
 * What a torque function reads through its own `user` may be changed here too: it acts from this event on,
 * and Dop853, which functions are solved by, does not ask again about what was before.
 */
typedef int32_t (*polhode_event_action)(void *user, double t, polhode_state *state);

/**
 * Events to look for: the zeros of a function.
 *
 * A function that is zero at the start has an event there, and one that becomes zero just at the end
 * too. None is reported twice.
 */
typedef struct {
  /**
   * The function whose zeros are looked for.
   */
  polhode_event_function function;
  /**
   * Passed to it, and to the action.
   */
  void *user;
  /**
   * Above zero: only where the function rises in the direction of the run; below: where it falls.
   */
  int32_t direction;
  /**
   * Which of them ends the run: 1 for the first; 0 if none does.
   */
  uint64_t terminal;
  /**
   * What happens there; NULL for nothing. polhode_solution_events() gives the states before it,
   * polhode_solution_at() those after it.
   */
  polhode_event_action action;
} polhode_event;

/**
 * How to solve. What is zero or NULL has its default: `polhode_solve_options options = {0};`.
 */
typedef struct {
  /**
   * The error wanted at the end: of the momentum relative to its length there, of the attitude in radians.
   * From 1e-14 to 0.1; 1e-10 by default.
   */
  double tolerance;
  /**
   * The relative error of the momentum alone, if it is to be another one.
   */
  double rtol;
  /**
   * An absolute error of the momentum that is allowed besides.
   */
  double atol;
  /**
   * The longest step that is allowed; none by default.
   */
  double max_step;
  /**
   * The first step to try; by default the solver chooses it.
   */
  double first_step;
  /**
   * A name in POLHODE_SOLVERS; by default what suits the torque.
   */
  const char *method;
  /**
   * Times, in the direction of the run, at which steps end: where the torque jumps.
   */
  const double *stops;
  /**
   * The number of entries of `stops`.
   */
  size_t stop_count;
  /**
   * Keep the states at these times only, in the direction of the run. By default the whole solution
   * is kept, and the states at the ends of its steps.
   */
  const double *times;
  /**
   * The number of entries of `times`.
   */
  size_t time_count;
  /**
   * Not 0: keep the states at the ends of steps, but not what lies between them.
   */
  int32_t ends_only;
  /**
   * Not 0: estimate the error at the end by a second solution at a tenth of the tolerance.
   */
  int32_t estimate_error;
  /**
   * The events to look for.
   */
  const polhode_event *events;
  /**
   * The number of entries of `events`.
   */
  size_t event_count;
} polhode_solve_options;

/**
 * What a solution has come to.
 */
typedef struct {
  /**
   * How it was solved: a name in POLHODE_SOLVERS. The text belongs to the library.
   */
  const char *method;
  /**
   * The time of the start.
   */
  double t0;
  /**
   * The time of the end: as it was to be, or that of the event that ended the run.
   */
  double t;
  /**
   * The state at the end.
   */
  polhode_state state;
  /**
   * How many states are kept: polhode_solution_kept() gives them.
   */
  size_t kept;
  /**
   * Steps that met their tolerance.
   */
  uint64_t steps;
  /**
   * Steps that did not, and were done again, shorter.
   */
  uint64_t rejected;
  /**
   * Evaluations of the torque.
   */
  uint64_t torque_evaluations;
  /**
   * Which event has ended the run, counted from 0; -1 if it came to its end.
   */
  int64_t ended_by;
  /**
   * The estimated error of the momentum at the end, relative to its length there; NaN if it was not asked for. No
   * less than what rounding makes of the end, and then a bound.
   */
  double momentum_error;
  /**
   * That of the attitude, in radians; NaN if it was not asked for.
   */
  double attitude_error;
} polhode_solution_report;

/**
 * A state with its derivatives. A state varies by six numbers: a change of the momentum, and a small
 * rotation vector del, both in the body frame, q -> q exp(del). Matrices are stored row by row.
 */
typedef struct {
  /**
   * The state itself.
   */
  polhode_state state;
  /**
   * 6 x 6: by the state at the start.
   */
  double state_transition[36];
  /**
   * 6 x 3: by I11, I22, I33.
   */
  double inertia[18];
  /**
   * 6 x 3: by I12, I13, I23, each with its mirror image.
   */
  double inertia_off[18];
  /**
   * 6: by time.
   */
  double time[6];
  /**
   * 1 if the angular velocity at the start stays the same while the inertia changes, 0 if the momentum does.
   */
  int32_t holds_omega;
} polhode_tangent;

/**
 * A key of a torque and its value: numbers, or a word.
 *
 * Expressions are one word with semicolons between them ("-k*w1; 0; sin(t)"), and so are constants
 * ("k = 0.1; n = 2"). Rows of a table follow each other in one list of numbers.
 */
typedef struct {
  /**
   * The name of the key, for example "up".
   */
  const char *name;
  /**
   * Its numbers; NULL if the value is a word.
   */
  const double *numbers;
  /**
   * How many numbers.
   */
  size_t count;
  /**
   * The word; NULL if the value is numbers.
   */
  const char *word;
} polhode_key;

/**
 * Computes a torque: three numbers, body frame, into `torque`. Returns 0, or anything else to end
 * the call with POLHODE_CALLBACK: the step is not done, and the function not called again for it (an
 * ensemble of many threads may just be calling it for other bodies). It must return: no longjmp, no C++
 * exception may leave it.
 */
typedef int32_t (*polhode_torque_function)(void *user,
                                           double t,
                                           const polhode_state *state,
                                           double *torque);

/**
 * Computes the potential energy at an attitude (quaternion w, x, y, z).
 */
typedef double (*polhode_potential_function)(void *user, double t, const double *attitude);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Makes a body from its inertia.
 *
 * - `inertia`: three principal moments in any order, or the nine entries of a symmetric tensor row
 *   by row (off the diagonal, minus the integrals of xy, yz, zx over the mass).
 * - `count`: 3 or 9.
 * - `allow_unphysical`: 0 to refuse moments that no body can have (the largest above the sum of the
 *   others), anything else to compute with them all the same.
 * - `body`: the handle; NULL after a failure. Free it with polhode_body_free().
 */
polhode_status polhode_body_new(const double *inertia,
                                size_t count,
                                int32_t allow_unphysical,
                                polhode_body **body);

/**
 * Frees a body. Runs and free motions made from it are not affected. NULL is allowed.
 */
void polhode_body_free(polhode_body *body);

/**
 * The principal moments of a body (three numbers, in the order given) and the rotation from
 * principal to body coordinates (a quaternion w, x, y, z; 1, 0, 0, 0 where moments were given).
 * Either pointer may be NULL.
 */
polhode_status polhode_body_principal(const polhode_body *body, double *moments, double *axes);

/**
 * The angular velocity (three numbers, body frame) that belongs to a momentum.
 */
polhode_status polhode_body_omega(const polhode_body *body, const double *momentum, double *omega);

/**
 * The angular momentum (three numbers, body frame) that belongs to an angular velocity.
 */
polhode_status polhode_body_momentum(const polhode_body *body,
                                     const double *omega,
                                     double *momentum);

/**
 * How many entries a table has; 0 if there is no such table. `catalog` is one of polhode_catalog.
 */
size_t polhode_catalog_size(int32_t catalog);

/**
 * The name of an entry, counted from 0; NULL if there is none. The text belongs to the library.
 */
const char *polhode_catalog_id(int32_t catalog, size_t index);

/**
 * One line on what an entry is (of a preset: the pair it stands for); NULL if there is none. The
 * text belongs to the library.
 */
const char *polhode_catalog_title(int32_t catalog, size_t index);

/**
 * Jacobi's functions of u at mc = 1 - k^2, for any u and any real mc: k^2 < 0 and k^2 > 1 too.
 */
polhode_status polhode_jacobi(double u, double mc, polhode_jacobi_values *values);

/**
 * Legendre's incomplete integral of the first kind F(phi, k) at mc = 1 - k^2, for any phi; for mc < 0 while
 * it is real.
 */
polhode_status polhode_elliptic_f(double phi,
                                  double mc,
                                  double *value);

/**
 * Legendre's incomplete integral of the second kind E(phi, k) at mc = 1 - k^2, for any phi; for mc < 0 while
 * it is real.
 */
polhode_status polhode_elliptic_e(double phi,
                                  double mc,
                                  double *value);

/**
 * Legendre's incomplete integral of the third kind, of 1/((1 - n sin^2) sqrt(1 - k^2 sin^2)) from 0
 * to phi, at nc = 1 - n and mc = 1 - k^2; for n > 1 the Cauchy principal value.
 */
polhode_status polhode_elliptic_pi(double phi, double nc, double mc, double *value);

/**
 * The complete integral of the first kind K(k) at mc = 1 - k^2 > 0.
 */
polhode_status polhode_complete_k(double mc, double *value);

/**
 * The complete integral of the second kind E(k) at mc = 1 - k^2.
 */
polhode_status polhode_complete_e(double mc, double *value);

/**
 * The complete integral of the third kind at nc = 1 - n and mc = 1 - k^2 > 0; for n > 1 the Cauchy principal
 * value.
 */
polhode_status polhode_complete_pi(double nc,
                                   double mc,
                                   double *value);

/**
 * Carlson's R_F(x, y, z): none negative, at most one zero.
 */
polhode_status polhode_rf(double x, double y, double z, double *value);

/**
 * Carlson's R_C(x, y): x not negative, y not zero; for y < 0 the Cauchy principal value.
 */
polhode_status polhode_rc(double x, double y, double *value);

/**
 * Carlson's R_D(x, y, z): none negative, z not zero, nor both x and y.
 */
polhode_status polhode_rd(double x, double y, double z, double *value);

/**
 * Carlson's R_J(x, y, z, p): x, y, z not negative, at most one zero; p not zero, and for p < 0 the Cauchy
 * principal value.
 */
polhode_status polhode_rj(double x,
                          double y,
                          double z,
                          double p,
                          double *value);

/**
 * Carlson's R_G(x, y, z): none negative.
 */
polhode_status polhode_rg(double x, double y, double z, double *value);

/**
 * The complete integral D = (K - E)/k^2 at mc = 1 - k^2 > 0.
 */
polhode_status polhode_complete_d(double mc, double *value);

/**
 * The complete integral B = K - D at mc = 1 - k^2 >= 0.
 */
polhode_status polhode_complete_b(double mc, double *value);

/**
 * The incomplete integral D = (F - E)/k^2 at mc = 1 - k^2.
 */
polhode_status polhode_elliptic_d(double phi, double mc, double *value);

/**
 * The incomplete integral B = F - D at mc = 1 - k^2.
 */
polhode_status polhode_elliptic_b(double phi, double mc, double *value);

/**
 * Jacobi's zeta function of the amplitude phi at mc = 1 - k^2 >= 0.
 */
polhode_status polhode_jacobi_zeta(double phi, double mc, double *value);

/**
 * The u of least size with sn u = x, at mc = 1 - k^2.
 */
polhode_status polhode_inverse_sn(double x, double mc, double *value);

/**
 * The least u >= 0 with cn u = x, at mc = 1 - k^2.
 */
polhode_status polhode_inverse_cn(double x, double mc, double *value);

/**
 * The least u >= 0 with dn u = x, at mc = 1 - k^2.
 */
polhode_status polhode_inverse_dn(double x, double mc, double *value);

/**
 * Bulirsch's complete integral of (a cos^2 + b sin^2)/((cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2)).
 */
polhode_status polhode_cel(double kc, double p, double a, double b, double *value);

/**
 * The nome q at mc = 1 - k^2 >= 0.
 */
polhode_status polhode_nome(double mc, double *value);

/**
 * Jacobi's theta_1(z, q), 0 <= q < 1.
 */
polhode_status polhode_theta1(double z, double q, double *value);

/**
 * Jacobi's theta_2(z, q), 0 <= q < 1.
 */
polhode_status polhode_theta2(double z, double q, double *value);

/**
 * Jacobi's theta_3(z, q), -1 < q < 1.
 */
polhode_status polhode_theta3(double z, double q, double *value);

/**
 * Jacobi's theta_4(z, q), -1 < q < 1.
 */
polhode_status polhode_theta4(double z, double q, double *value);

/**
 * The parameter m = k^2 that has the nome q, -1 < q <= 1, and mc = 1 - m.
 */
polhode_status polhode_inverse_nome(double q, double *m, double *mc);

/**
 * Jacobi's functions of u at m = k^2, for any u and any real m: m < 0 and m > 1 too.
 */
polhode_status polhode_jacobi_m(double u, double m, polhode_jacobi_values *values);

/**
 * The quotients of Jacobi's functions of u at mc = 1 - k^2.
 */
polhode_status polhode_jacobi_quotients(double u,
                                        double mc,
                                        polhode_jacobi_quotient_values *values);

/**
 * The quotients of Jacobi's functions of u at m = k^2.
 */
polhode_status polhode_jacobi_quotients_m(double u,
                                          double m,
                                          polhode_jacobi_quotient_values *values);

/**
 * The complete integral of the first kind K(k) at m = k^2 < 1.
 */
polhode_status polhode_complete_k_m(double m, double *value);

/**
 * The complete integral of the second kind E(k) at m = k^2 <= 1.
 */
polhode_status polhode_complete_e_m(double m, double *value);

/**
 * The complete integral D = (K - E)/k^2 at m = k^2 < 1.
 */
polhode_status polhode_complete_d_m(double m, double *value);

/**
 * The complete integral B = K - D at m = k^2 <= 1.
 */
polhode_status polhode_complete_b_m(double m, double *value);

/**
 * The complete integral of the third kind at n and m = k^2 < 1; for n > 1 the Cauchy principal value.
 */
polhode_status polhode_complete_pi_m(double n,
                                     double m,
                                     double *value);

/**
 * Legendre's incomplete integral of the first kind F(phi, k) at m = k^2; for m > 1 while it is real.
 */
polhode_status polhode_elliptic_f_m(double phi,
                                    double m,
                                    double *value);

/**
 * Legendre's incomplete integral of the second kind E(phi, k) at m = k^2; for m > 1 while it is real.
 */
polhode_status polhode_elliptic_e_m(double phi,
                                    double m,
                                    double *value);

/**
 * The incomplete integral D = (F - E)/k^2 at m = k^2.
 */
polhode_status polhode_elliptic_d_m(double phi, double m, double *value);

/**
 * The incomplete integral B = F - D at m = k^2.
 */
polhode_status polhode_elliptic_b_m(double phi, double m, double *value);

/**
 * Legendre's incomplete integral of the third kind at n and m = k^2; for n > 1 the Cauchy principal value.
 */
polhode_status polhode_elliptic_pi_m(double phi,
                                     double n,
                                     double m,
                                     double *value);

/**
 * Jacobi's zeta function of the amplitude phi at m = k^2 <= 1.
 */
polhode_status polhode_jacobi_zeta_m(double phi, double m, double *value);

/**
 * The u of least size with sn u = x, at m = k^2.
 */
polhode_status polhode_inverse_sn_m(double x, double m, double *value);

/**
 * The least u >= 0 with cn u = x, at m = k^2.
 */
polhode_status polhode_inverse_cn_m(double x, double m, double *value);

/**
 * The least u >= 0 with dn u = x, at m = k^2.
 */
polhode_status polhode_inverse_dn_m(double x, double m, double *value);

/**
 * The nome q at m = k^2 <= 1.
 */
polhode_status polhode_nome_m(double m, double *value);

/**
 * Makes an ensemble.
 *
 * - `method`: for example "rkn6-14+exact".
 * - `torque`: a handle; NULL for free bodies. It may be freed afterwards; what `user` of a torque function
 *   points to may not.
 * - `threads`: how many, up to 256; 0 for all cores. Every call has its own, so that a process may
 *   fork between calls.
 * - `ensemble`: the handle; NULL after a failure. Free it with polhode_ensemble_free().
 */
polhode_status polhode_ensemble_new(const char *method,
                                    const polhode_torque *torque,
                                    size_t threads,
                                    polhode_ensemble **ensemble);

/**
 * Makes an ensemble, as polhode_ensemble_new() does, with a method by its handle, which may be one of the caller's
 * own. The handle may be freed afterwards.
 */
polhode_status polhode_ensemble_with_method(const polhode_method *method,
                                            const polhode_torque *torque,
                                            size_t threads,
                                            polhode_ensemble **ensemble);

/**
 * Frees an ensemble. NULL is allowed.
 */
void polhode_ensemble_free(polhode_ensemble *ensemble);

/**
 * Runs every body from its state at t0 through `steps` steps.
 *
 * - `bodies`: their number and inertia.
 * - `states`: one for each body, the start; at the end the state then. Of a body that fails, its
 *   last good state; the others go on.
 * - `every`: show the observer every so many steps, the start and the last; 0 counts as 1.
 * - `observer`: watches, with `user`; NULL if nobody does.
 * - `outcomes`: one for each body, POLHODE_OK or why it failed; NULL if nobody asks.
 *
 * That a body fails is not a failure of the call, which leaves the message of the first one as the
 * last error, though. After a failure of the call `states` is as it was.
 */
polhode_status polhode_ensemble_run(const polhode_ensemble *ensemble,
                                    const polhode_bodies *bodies,
                                    polhode_state *states,
                                    double t0,
                                    double step,
                                    uint64_t steps,
                                    uint64_t every,
                                    polhode_ensemble_observer observer,
                                    void *user,
                                    polhode_status *outcomes);

/**
 * The free motion of every body at `times`, from the states at time zero.
 *
 * - `starts`: one for each body.
 * - `states`: for each time, in turn, one for each body: `times_count` times the number of bodies.
 *   From the time on at which a body fails, its last good state.
 * - `threads`: as in polhode_ensemble_new().
 * - `outcomes`: as in polhode_ensemble_run().
 */
polhode_status polhode_ensemble_at_times(const polhode_bodies *bodies,
                                         const polhode_state *starts,
                                         const double *times,
                                         size_t times_count,
                                         size_t threads,
                                         polhode_state *states,
                                         polhode_status *outcomes);

/**
 * The status of the last call that failed on this thread, `POLHODE_OK` if none did.
 *
 * A call that succeeds does not change it, so that a program can look once after a thousand steps;
 * polhode_clear_error() does. This is the only way to learn of a failure of the Fortran routines
 * frb_step and quat_step, which have no error argument.
 */
polhode_status polhode_last_error(void);

/**
 * What went wrong in the last call that failed on this thread: UTF-8, one line, never NULL.
 *
 * The text belongs to the library. It is valid until the next call that fails on this thread, or
 * polhode_clear_error(), or the end of the thread.
 */
const char *polhode_last_error_message(void);

/**
 * Forgets the last error of this thread.
 */
void polhode_clear_error(void);

/**
 * The version of the library, for example "0.1.0".
 */
const char *polhode_version(void);

/**
 * The free motion from a momentum at time zero.
 *
 * - `momentum`: three numbers, body frame.
 * - `attitude`: quaternion w, x, y, z, which is normalised; NULL for body and space axes aligned.
 * - `motion`: the handle; NULL after a failure. Free it with polhode_free_motion_free().
 */
polhode_status polhode_free_motion_from_momentum(const polhode_body *body,
                                                 const double *momentum,
                                                 const double *attitude,
                                                 polhode_free_motion **motion);

/**
 * Makes the free motion that starts with an angular velocity (three numbers, body frame), which counts as exact:
 * over long times more accurate than the rounded momentum that belongs to it.
 */
polhode_status polhode_free_motion_from_omega(const polhode_body *body,
                                              const double *omega,
                                              const double *attitude,
                                              polhode_free_motion **motion);

/**
 * Frees a free motion. NULL is allowed.
 */
void polhode_free_motion_free(polhode_free_motion *motion);

/**
 * The state at time t: any t, also before the start. The sign of the quaternion is that of the
 * motion, which is continuous.
 */
polhode_status polhode_free_motion_at(const polhode_free_motion *motion,
                                      double t,
                                      polhode_state *state);

/**
 * The states at `count` times, in any order. `times` and `states` must not overlap.
 *
 * On failure the states before the time at fault are written; the message gives its place, counted
 * from 0.
 */
polhode_status polhode_free_motion_at_times(const polhode_free_motion *motion,
                                            const double *times,
                                            size_t count,
                                            polhode_state *states);

/**
 * Regime, period, precession rate and distance from the separatrix.
 */
polhode_status polhode_free_motion_describe(const polhode_free_motion *motion,
                                            polhode_free_motion_properties *properties);

/**
 * The first time after t at which the body turns over: the momentum's component along the middle
 * axis passes through zero. Infinite if that never happens.
 */
polhode_status polhode_free_motion_next_flip(const polhode_free_motion *motion,
                                             double t,
                                             double *flip);

/**
 * Begins a run of a body in which something moves, or that has controllers: as polhode_run_new(), with
 * `inside` beside the body. What `inside` points to may be freed afterwards, but for what `user`
 * pointers point to.
 *
 * The method is a splitting: "strang+exact", "kahanli8+exact". With controllers a run that has failed
 * cannot go on.
 */
polhode_status polhode_run_new_inside(const polhode_body *body,
                                      const polhode_inside *inside,
                                      const polhode_torque *torque,
                                      const polhode_method *method,
                                      const polhode_state *start,
                                      double t0,
                                      double step,
                                      polhode_run **run);

/**
 * The total momentum of a body that turns with this angular velocity, its wheels as at the start at t0.
 *
 * - `omega`, `momentum`: three numbers each, body frame.
 */
polhode_status polhode_inside_momentum(const polhode_body *body,
                                       const polhode_inside *inside,
                                       double t0,
                                       const double *omega,
                                       double *momentum);

/**
 * The angular velocity of the body of a run where it is now (three numbers, body frame), and the speeds
 * of its wheels relative to it. Either pointer may be NULL.
 *
 * - `count`: how many speeds there is room for; it must be the number of wheels.
 */
polhode_status polhode_run_inside(const polhode_run *run,
                                  double *omega,
                                  double *wheels,
                                  size_t count);

/**
 * The method of that text: a pair "rkn6-14+exact", a rotor "dmv:order=6" for free bodies, a preset
 * "frb", or another method "rkmk:tableau=gauss2". polhode_catalog_id() lists the names.
 *
 * `method` is the handle; NULL after a failure. Free it with polhode_method_free().
 */
polhode_status polhode_method_parse(const char *text, polhode_method **method);

/**
 * A splitting method of the caller's own coefficients.
 *
 * - `id`: its name, a word without '+', ':', '=' and spaces. With ":compensated" behind it, as in
 *   "mine:compensated", the digits that adding a kick drops are carried to the next one.
 * - `order`: its order, which is believed, not measured.
 * - `stages`: the `count` stages of a step, in the order in which they are applied. The drifts add up to 1,
 *   and so do the kicks.
 * - `attitude_only`: not 0 if its order conditions hold only for torques that do not depend on the
 *   momentum; others are then refused.
 * - `rotor`: the flow of the free body for its drifts, for example "exact".
 * - `method`: the handle; NULL after a failure. Free it with polhode_method_free().
 */
polhode_status polhode_method_from_stages(const char *id,
                                          uint32_t order,
                                          const polhode_stage *stages,
                                          size_t count,
                                          int32_t attitude_only,
                                          const char *rotor,
                                          polhode_method **method);

/**
 * The Munthe-Kaas Runge-Kutta method of the caller's own tableau, explicit or implicit.
 *
 * - `id`: its name.
 * - `order`: its order, at least 1, which is believed, not measured.
 * - `stages`: how many, 1 to 7.
 * - `a`: stages times stages numbers, row by row; each row sums to its node.
 * - `b`: the weights, which sum to 1.
 * - `c`: the nodes.
 * - `method`: the handle; NULL after a failure. Free it with polhode_method_free().
 */
polhode_status polhode_method_from_tableau(const char *id,
                                           uint32_t order,
                                           size_t stages,
                                           const double *a,
                                           const double *b,
                                           const double *c,
                                           polhode_method **method);

/**
 * 1 if ensembles run this method in SIMD lanes, several bodies at once; 0 if one by one, or for NULL.
 */
int32_t polhode_method_runs_in_lanes(const polhode_method *method);

/**
 * Frees a method. NULL is allowed.
 */
void polhode_method_free(polhode_method *method);

/**
 * The order of a method and what it keeps.
 */
polhode_status polhode_method_describe(const polhode_method *method,
                                       polhode_method_properties *properties);

/**
 * Begins a run.
 *
 * - `body`, `method`: handles.
 * - `torque`: a handle; NULL for a free body.
 * - `start`: the state at t0; its attitude is normalised.
 * - `step`: the step h, of either sign. Step n ends at t0 + n h, which must be finite and not where
 *   it begins.
 * - `run`: the handle; NULL after a failure. Free it with polhode_run_free().
 *
 * Body, method and torque may be freed while the run goes on; what `user` of a torque function
 * points to may not.
 */
polhode_status polhode_run_new(const polhode_body *body,
                               const polhode_torque *torque,
                               const polhode_method *method,
                               const polhode_state *start,
                               double t0,
                               double step,
                               polhode_run **run);

/**
 * Frees a run. NULL is allowed. A run that is at work is not freed: the call leaves POLHODE_BUSY
 * as the last error.
 */
void polhode_run_free(polhode_run *run);

/**
 * Takes `steps` more steps.
 *
 * - `every`: show the observer every so many steps, counted from the start of the run, and the last
 *   of this call; 0 counts as 1. The start is shown by a call that begins there.
 * - `observer`: watches; NULL if nobody does. `user` is passed to it.
 *
 * Two calls of n steps end with the same bits as one of 2 n. After a failure the run stands where
 * the last good step ended.
 */
polhode_status polhode_run_advance(polhode_run *run,
                                   uint64_t steps,
                                   uint64_t every,
                                   polhode_observer observer,
                                   void *user);

/**
 * How far a run has come.
 */
polhode_status polhode_run_describe(const polhode_run *run, polhode_run_report *report);

/**
 * How many steps lead from t0 to `until`: an end within a millionth of a step of a whole number of
 * steps counts as that number, otherwise the last step goes beyond.
 */
polhode_status polhode_steps_until(double t0, double step, double until, uint64_t *steps);

/**
 * The exponential: the rotation by the angle |vector| about `vector` (three numbers), as a quaternion
 * w, x, y, z. It is not reduced: after a full turn it is the negative of what it was.
 */
polhode_status polhode_so3_exp(const double *vector,
                               double *attitude);

/**
 * The logarithm, the inverse of polhode_so3_exp(): the rotation vector of a quaternion, which is
 * normalised. Its length is up to 2 pi, and more than pi if the scalar w is negative: for the shorter of
 * the two ways give the quaternion with w >= 0.
 */
polhode_status polhode_so3_log(const double *attitude,
                               double *vector);

/**
 * The derivative of the exponential, a matrix D (nine numbers, row by row):
 * exp(vector + v) = exp(vector) exp(D v) to first order in v.
 */
polhode_status polhode_so3_dexp(const double *vector, double *matrix);

/**
 * The inverse of polhode_so3_dexp(), a matrix. It grows without bound as |vector| comes near 2 pi.
 */
polhode_status polhode_so3_dexpinv(const double *vector, double *matrix);

/**
 * The derivative of the logarithm at a quaternion, a matrix D: log(q exp(v)) = log(q) + D v to first
 * order in v.
 */
polhode_status polhode_so3_dlog(const double *attitude,
                                double *matrix);

/**
 * The skew matrix of a vector: hat(a) b = a x b.
 */
polhode_status polhode_so3_hat(const double *vector, double *matrix);

/**
 * Solves the motion of a body to a given accuracy.
 *
 * - `body`: a handle.
 * - `torque`: a handle; NULL for a free body.
 * - `start`: the state at t0; its attitude is normalised.
 * - `until`: the end, before or after t0, which is met exactly.
 * - `options`: NULL for all defaults. What it points to is not needed any more after the call.
 * - `solution`: the handle; NULL after a failure. Free it with polhode_solution_free().
 *
 * Body and torque may be freed afterwards; what `user` of a torque function points to may not as long
 * as polhode_solution_at() is called: it may call the function again.
 */
polhode_status polhode_solve(const polhode_body *body,
                             const polhode_torque *torque,
                             const polhode_state *start,
                             double t0,
                             double until,
                             const polhode_solve_options *options,
                             polhode_solution **solution);

/**
 * Frees a solution. NULL is allowed.
 */
void polhode_solution_free(polhode_solution *solution);

/**
 * What a solution has come to.
 */
polhode_status polhode_solution_describe(const polhode_solution *solution,
                                         polhode_solution_report *report);

/**
 * The states at `count` times of the span.
 *
 * A time outside the span, or between those that were kept, is POLHODE_INVALID. The state at a time does
 * not depend on which others are asked for.
 */
polhode_status polhode_solution_at(const polhode_solution *solution,
                                   const double *times,
                                   size_t count,
                                   polhode_state *states);

/**
 * The times that are kept and the states there: as many as polhode_solution_describe() says, in the
 * direction of the run. What is NULL is not wanted.
 */
polhode_status polhode_solution_kept(const polhode_solution *solution,
                                     double *times,
                                     polhode_state *states);

/**
 * The events of one function, counted from 0 as the functions were given, in the order in which they
 * happened.
 *
 * - `capacity`: for how many of them there is room; those beyond are left out.
 * - `times`, `states`: when they happened, and the states then. What is NULL is not wanted.
 * - `count`: how many there are; NULL is allowed.
 */
polhode_status polhode_solution_events(const polhode_solution *solution,
                                       size_t event,
                                       size_t capacity,
                                       double *times,
                                       polhode_state *states,
                                       size_t *count);

/**
 * The attitude as a matrix, nine numbers row by row: `v_space = matrix v_body`.
 *
 * `attitude` is a quaternion w, x, y, z; it is normalised.
 */
polhode_status polhode_attitude_matrix(const double *attitude, double *matrix);

/**
 * Chooses what the Fortran routines frb_step and quat_step compute with: 0, as at the start, for
 * the algorithms as published (`frb-matrix`, `frb-quaternion`); anything else for the exact step by
 * addition theorems, which gives the same motion in a fraction of the time. Returns what was set
 * before, 0 or 1.
 *
 * The published argument lists have no room for a choice, so this is the only state of the library
 * that is global. It holds for all threads, because a program sets it once and then steps in many;
 * it is atomic, so that changing it while others step is safe: each call uses one or the other.
 */
int32_t polhode_use_exact(int32_t exact);

/**
 * The state of a free motion at time t with its derivatives, in closed form.
 */
polhode_status polhode_free_motion_tangent_at(const polhode_free_motion *motion,
                                              double t,
                                              polhode_tangent *found);

/**
 * One exact step of a free body, of length h, with its derivatives: by the state before the step, the
 * inertia and h.
 *
 * - `state`: the state before the step and after it; its attitude is taken as it is.
 */
polhode_status polhode_tangent_step(const polhode_body *body,
                                    double h,
                                    polhode_state *state,
                                    polhode_tangent *found);

/**
 * Solves the motion of a body with a torque and gives the state at the end with its derivatives, each column
 * to the tolerance, relative to the column; those by the inertia at a fixed momentum at the start.
 *
 * - `body`, `torque` (NULL for a free body), `start`, `t0`, `until`: as for polhode_solve().
 * - `tolerance`: from 1e-14 to 0.1.
 * - `parameters`: the derivatives by the parameters of the torque, 6 numbers each; NULL if not wanted.
 * - `parameter_count`: room for so many; after the call, how many there are, in the order of the keys of the torques.
 *   NULL if `parameters` is. More than there is room for: POLHODE_INVALID.
 */
polhode_status polhode_solve_tangent(const polhode_body *body,
                                     const polhode_torque *torque,
                                     const polhode_state *start,
                                     double t0,
                                     double until,
                                     double tolerance,
                                     polhode_tangent *found,
                                     double *parameters,
                                     size_t *parameter_count);

/**
 * A torque of the library.
 *
 * - `kind`: "heavy-top", "gravity-gradient", ...: polhode_catalog_id(POLHODE_TORQUES, ..) lists them.
 * - `keys`: `count` keys with their values; those left out have their defaults.
 * - `torque`: the handle; NULL after a failure. Free it with polhode_torque_free().
 */
polhode_status polhode_torque_new(const char *kind,
                                  const polhode_key *keys,
                                  size_t count,
                                  polhode_torque **torque);

/**
 * A torque that a function of the caller computes.
 *
 * - `function`: the torque.
 * - `potential`: its potential energy, for reports; NULL if it has none.
 * - `user`: passed to both. What it points to must live as long as the runs that use the torque.
 * - `dependence`: one of polhode_dependence.
 * - `depends_on_time`: 0 if the torque does not change while the state stands still; it is then not
 *   evaluated twice at the same attitude.
 * - `torque`: the handle; NULL after a failure. Free it with polhode_torque_free().
 *
 * A run calls the functions on the thread that advances or describes it, and on no other. An ensemble
 * calls them for one body after the other, on several threads at once unless it has one: they must
 * allow that.
 */
polhode_status polhode_torque_from_function(polhode_torque_function function,
                                            polhode_potential_function potential,
                                            void *user,
                                            int32_t dependence,
                                            int32_t depends_on_time,
                                            polhode_torque **torque);

/**
 * The sum of `count` torques, all of which act at once; of none, no torque.
 *
 * - `torques`: handles, which may be freed afterwards; the same one may come twice.
 * - `torque`: the handle; NULL after a failure. Free it with polhode_torque_free().
 *
 * It has a potential if all its parts have one.
 */
polhode_status polhode_torque_sum(const polhode_torque *const *torques,
                                  size_t count,
                                  polhode_torque **torque);

/**
 * Frees a torque. Runs made with it are not affected. NULL is allowed.
 */
void polhode_torque_free(polhode_torque *torque);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* POLHODE_H */
