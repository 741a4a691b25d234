! The Fortran interface of polhode: rigid-body rotation, computed exactly. Fortran 2008.
!
! Compile this file with your own compiler, once, and link with -lpolhode:
!
!     gfortran -c polhode.f90
!     gfortran program.f90 polhode.o -lpolhode
!
! The functions are those of polhode.h, which documents them; they return a status, 0 for done.
! Handles are type(c_ptr). Texts are passed as "rkn6-14+exact"//c_null_char, and come back through
! polhode_text(). frb_step, quat_step and their components have the argument lists of FRB-FORTRAN,
! documented in docs/c-and-fortran.md; they can also be called without this module.
module polhode
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! polhode_status
   enum, bind(C)
      enumerator :: POLHODE_OK = 0, POLHODE_NULL = 1, POLHODE_INVALID = 2, POLHODE_OUT_OF_RANGE = 3
      enumerator :: POLHODE_NO_CONVERGENCE = 4, POLHODE_CALLBACK = 5, POLHODE_BUSY = 6, POLHODE_INTERNAL = 7
   end enum

   ! polhode_catalog
   enum, bind(C)
      enumerator :: POLHODE_SCHEMES = 0, POLHODE_ROTORS = 1, POLHODE_METHODS = 2, POLHODE_PRESETS = 3
      enumerator :: POLHODE_TORQUES = 4, POLHODE_SOLVERS = 5
   end enum

   ! polhode_dependence
   enum, bind(C)
      enumerator :: POLHODE_ON_ATTITUDE = 1, POLHODE_ON_MOMENTUM = 2
   end enum

   ! polhode_stage_kind
   enum, bind(C)
      enumerator :: POLHODE_DRIFT = 0, POLHODE_KICK = 1, POLHODE_GRADIENT = 2
   end enum

   type, bind(C) :: polhode_state
      real(c_double) :: momentum(3) = 0
      real(c_double) :: attitude(4) = [1, 0, 0, 0]
   end type

   ! A state with its derivatives: see polhode.h. Matrices are stored row by row, so that in Fortran
   ! reshape(state_transition, [6, 6]) is the transposed one.
   type, bind(C) :: polhode_tangent
      type(polhode_state) :: state
      real(c_double) :: state_transition(36)
      real(c_double) :: inertia(18)
      real(c_double) :: inertia_off(18)
      real(c_double) :: time(6)
      integer(c_int32_t) :: holds_omega
   end type

   type, bind(C) :: polhode_sample
      integer(c_int64_t) :: step
      real(c_double) :: t
      type(polhode_state) :: state
      integer(c_int32_t) :: last
   end type

   type, bind(C) :: polhode_run_report
      integer(c_int64_t) :: step
      real(c_double) :: t
      type(polhode_state) :: state
      real(c_double) :: energy
      integer(c_int64_t) :: torque_evaluations
      integer(c_int64_t) :: iterations
   end type

   type, bind(C) :: polhode_free_motion_properties
      type(c_ptr) :: regime
      real(c_double) :: period
      real(c_double) :: precession_rate
      real(c_double) :: separatrix_distance
   end type

   type, bind(C) :: polhode_method_properties
      integer(c_int32_t) :: order
      integer(c_int32_t) :: keeps_momentum_norm
      integer(c_int32_t) :: keeps_spatial_momentum
      integer(c_int32_t) :: keeps_energy
      integer(c_int32_t) :: symmetric
      integer(c_int32_t) :: symplectic
   end type

   type, bind(C) :: polhode_stage
      integer(c_int32_t) :: kind = POLHODE_DRIFT
      real(c_double) :: part = 0
      real(c_double) :: gradient = 0
   end type

   type, bind(C) :: polhode_key
      type(c_ptr) :: name = c_null_ptr
      type(c_ptr) :: numbers = c_null_ptr
      integer(c_size_t) :: count = 0
      type(c_ptr) :: word = c_null_ptr
   end type

   type, bind(C) :: polhode_bodies
      integer(c_size_t) :: count
      type(c_ptr) :: inertia
      integer(c_size_t) :: inertia_size = 3
      integer(c_int32_t) :: shared = 0
      integer(c_int32_t) :: allow_unphysical = 0
   end type

   type, bind(C) :: polhode_ensemble_sample
      integer(c_int64_t) :: first
      integer(c_size_t) :: count
      type(c_ptr) :: states
      integer(c_int64_t) :: step
      real(c_double) :: t
   end type

   integer, parameter :: POLHODE_MAX_WHEELS = 8

   type, bind(C) :: polhode_wheel
      real(c_double) :: axis(3) = 0
      real(c_double) :: inertia = 0
      real(c_double) :: speed = 0
      integer(c_int32_t) :: driven = 0
      real(c_double) :: torque = 0
      real(c_double) :: torque_limit = 0
      real(c_double) :: speed_limit = 0
      real(c_double) :: viscous_friction = 0
      real(c_double) :: coulomb_friction = 0
   end type

   type, bind(C) :: polhode_moment
      real(c_double) :: t
      type(polhode_state) :: state
      real(c_double) :: omega(3)
      real(c_double) :: wheels(POLHODE_MAX_WHEELS)
      integer(c_size_t) :: wheel_count
      real(c_double) :: field(3)
      integer(c_int32_t) :: has_field
   end type

   type, bind(C) :: polhode_command
      real(c_double) :: torque(3)
      real(c_double) :: dipole(3)
      real(c_double) :: motors(POLHODE_MAX_WHEELS)
   end type

   ! function: c_funloc of a polhode_controller_function.
   type, bind(C) :: polhode_controller
      type(c_funptr) :: function = c_null_funptr
      type(c_ptr) :: user = c_null_ptr
      real(c_double) :: period = 0
      real(c_double) :: delay = 0
      real(c_double) :: dipole_limit = 0
   end type

   ! wheels, rows, controllers: c_loc of an array; moments: c_loc of a text that ends with c_null_char;
   ! inertia: c_funloc of a polhode_inertia_function.
   type, bind(C) :: polhode_inside
      type(c_ptr) :: wheels = c_null_ptr
      integer(c_size_t) :: wheel_count = 0
      real(c_double) :: dissipation_rate = 0
      real(c_double) :: quality_factor = 0
      real(c_double) :: damper_inertia = 0
      real(c_double) :: damper_coefficient = 0
      type(c_ptr) :: moments = c_null_ptr
      type(c_ptr) :: rows = c_null_ptr
      integer(c_size_t) :: row_count = 0
      type(c_funptr) :: inertia = c_null_funptr
      type(c_ptr) :: inertia_user = c_null_ptr
      type(c_ptr) :: controllers = c_null_ptr
      integer(c_size_t) :: controller_count = 0
   end type

   type, bind(C) :: polhode_jacobi_values
      real(c_double) :: am, sn, cn, dn
   end type

   type, bind(C) :: polhode_jacobi_quotient_values
      real(c_double) :: ns, nc, nd, sc, sd, cd, cs, ds, dc
   end type

   ! function: c_funloc of a polhode_event_function; action: of a polhode_event_action.
   type, bind(C) :: polhode_event
      type(c_funptr) :: function = c_null_funptr
      type(c_ptr) :: user = c_null_ptr
      integer(c_int32_t) :: direction = 0
      integer(c_int64_t) :: terminal = 0
      type(c_funptr) :: action = c_null_funptr
   end type

   ! method: c_loc of a text that ends with c_null_char; stops, times, events: c_loc of an array.
   type, bind(C) :: polhode_solve_options
      real(c_double) :: tolerance = 0
      real(c_double) :: rtol = 0
      real(c_double) :: atol = 0
      real(c_double) :: max_step = 0
      real(c_double) :: first_step = 0
      type(c_ptr) :: method = c_null_ptr
      type(c_ptr) :: stops = c_null_ptr
      integer(c_size_t) :: stop_count = 0
      type(c_ptr) :: times = c_null_ptr
      integer(c_size_t) :: time_count = 0
      integer(c_int32_t) :: ends_only = 0
      integer(c_int32_t) :: estimate_error = 0
      type(c_ptr) :: events = c_null_ptr
      integer(c_size_t) :: event_count = 0
   end type

   type, bind(C) :: polhode_solution_report
      type(c_ptr) :: method
      real(c_double) :: t0
      real(c_double) :: t
      type(polhode_state) :: state
      integer(c_size_t) :: kept
      integer(c_int64_t) :: steps
      integer(c_int64_t) :: rejected
      integer(c_int64_t) :: torque_evaluations
      integer(c_int64_t) :: ended_by
      real(c_double) :: momentum_error
      real(c_double) :: attitude_error
   end type

   ! What a program hands to the library.
   abstract interface
      integer(c_int32_t) function polhode_event_function(user, t, state, value) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: user
         real(c_double), value :: t
         type(polhode_state), intent(in) :: state
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_event_action(user, t, state) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: user
         real(c_double), value :: t
         type(polhode_state), intent(inout) :: state
      end function

      integer(c_int32_t) function polhode_torque_function(user, t, state, torque) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: user
         real(c_double), value :: t
         type(polhode_state), intent(in) :: state
         real(c_double), intent(out) :: torque(3)
      end function

      real(c_double) function polhode_potential_function(user, t, attitude) bind(C)
         import :: c_ptr, c_double
         type(c_ptr), value :: user
         real(c_double), value :: t
         real(c_double), intent(in) :: attitude(4)
      end function

      integer(c_int32_t) function polhode_observer(user, sample) bind(C)
         import :: c_int32_t, c_ptr, polhode_sample
         type(c_ptr), value :: user
         type(polhode_sample), intent(in) :: sample
      end function

      integer(c_int32_t) function polhode_controller_function(user, at, command) bind(C)
         import :: c_int32_t, c_ptr, polhode_moment, polhode_command
         type(c_ptr), value :: user
         type(polhode_moment), intent(in) :: at
         type(polhode_command), intent(inout) :: command
      end function

      ! The tensor is symmetric: rows first or columns first is the same.
      integer(c_int32_t) function polhode_inertia_function(user, t, inertia) bind(C)
         import :: c_int32_t, c_ptr, c_double
         type(c_ptr), value :: user
         real(c_double), value :: t
         real(c_double), intent(out) :: inertia(3, 3)
      end function

      integer(c_int32_t) function polhode_ensemble_observer(user, sample) bind(C)
         import :: c_int32_t, c_ptr, polhode_ensemble_sample
         type(c_ptr), value :: user
         type(polhode_ensemble_sample), intent(in) :: sample
      end function
   end interface

   ! FRB-FORTRAN.
   interface
      subroutine frb_step(Piout, Qout, h, aInert, Piin, Qin)
         import :: c_double
         real(c_double), intent(out) :: Piout(3), Qout(3, 3)
         real(c_double), intent(in) :: h, aInert(3), Piin(3), Qin(3, 3)
      end subroutine

      subroutine quat_step(Piout, qout, h, aInert, Piin, qin)
         import :: c_double
         real(c_double), intent(out) :: Piout(3), qout(4)
         real(c_double), intent(in) :: h, aInert(3), Piin(3), qin(4)
      end subroutine

      subroutine EgellipX_step(Piout, phinoll, phiout, ak, h, aInert, Piin)
         import :: c_double
         real(c_double), intent(out) :: Piout(3), phinoll, phiout, ak
         real(c_double), intent(in) :: h, aInert(3), Piin(3)
      end subroutine

      subroutine EgellpjX_step(Piout, phinoll, phiout, ak, h, aInert, Piin)
         import :: c_double
         real(c_double), intent(out) :: Piout(3), phinoll, phiout, ak
         real(c_double), intent(in) :: h, aInert(3), Piin(3)
      end subroutine

      subroutine ellint_pi(ellpival, phinoll, phiout, ak, ann)
         import :: c_double
         real(c_double), intent(out) :: ellpival
         real(c_double), intent(in) :: phinoll, phiout, ak, ann
      end subroutine

      subroutine eint_gauss(ellpival, phinoll, phiout, ak, ann, np)
         import :: c_double, c_int32_t
         real(c_double), intent(out) :: ellpival
         real(c_double), intent(in) :: phinoll, phiout, ak, ann
         integer(c_int32_t), intent(in) :: np
      end subroutine

      real(c_double) function ellpi(phi, ann, ak)
         import :: c_double
         real(c_double), intent(in) :: phi, ann, ak
      end function

      real(c_double) function rf(x, y, z)
         import :: c_double
         real(c_double), intent(in) :: x, y, z
      end function

      real(c_double) function rj(x, y, z, p)
         import :: c_double
         real(c_double), intent(in) :: x, y, z, p
      end function

      real(c_double) function rc(x, y)
         import :: c_double
         real(c_double), intent(in) :: x, y
      end function
   end interface

   ! Errors, version, switch.
   interface
      integer(c_int32_t) function polhode_last_error() bind(C)
         import :: c_int32_t
      end function

      type(c_ptr) function polhode_last_error_message() bind(C)
         import :: c_ptr
      end function

      subroutine polhode_clear_error() bind(C)
      end subroutine

      type(c_ptr) function polhode_version() bind(C)
         import :: c_ptr
      end function

      integer(c_int32_t) function polhode_use_exact(exact) bind(C)
         import :: c_int32_t
         integer(c_int32_t), value :: exact
      end function
   end interface

   ! Names of schemes, rotors, methods, presets and torques.
   interface
      integer(c_size_t) function polhode_catalog_size(catalog) bind(C)
         import :: c_size_t, c_int32_t
         integer(c_int32_t), value :: catalog
      end function

      type(c_ptr) function polhode_catalog_id(catalog, index) bind(C)
         import :: c_ptr, c_size_t, c_int32_t
         integer(c_int32_t), value :: catalog
         integer(c_size_t), value :: index
      end function

      type(c_ptr) function polhode_catalog_title(catalog, index) bind(C)
         import :: c_ptr, c_size_t, c_int32_t
         integer(c_int32_t), value :: catalog
         integer(c_size_t), value :: index
      end function
   end interface

   ! Bodies.
   interface
      integer(c_int32_t) function polhode_body_new(inertia, count, allow_unphysical, body) bind(C)
         import :: c_int32_t, c_double, c_size_t, c_ptr
         real(c_double), intent(in) :: inertia(*)
         integer(c_size_t), value :: count
         integer(c_int32_t), value :: allow_unphysical
         type(c_ptr), intent(out) :: body
      end function

      subroutine polhode_body_free(body) bind(C)
         import :: c_ptr
         type(c_ptr), value :: body
      end subroutine

      integer(c_int32_t) function polhode_body_principal(body, moments, axes) bind(C)
         import :: c_int32_t, c_ptr, c_double
         type(c_ptr), value :: body
         real(c_double), intent(out) :: moments(3), axes(4)
      end function

      integer(c_int32_t) function polhode_body_omega(body, momentum, omega) bind(C)
         import :: c_int32_t, c_ptr, c_double
         type(c_ptr), value :: body
         real(c_double), intent(in) :: momentum(3)
         real(c_double), intent(out) :: omega(3)
      end function

      integer(c_int32_t) function polhode_body_momentum(body, omega, momentum) bind(C)
         import :: c_int32_t, c_ptr, c_double
         type(c_ptr), value :: body
         real(c_double), intent(in) :: omega(3)
         real(c_double), intent(out) :: momentum(3)
      end function

      ! Row by row, as in C: reshape(matrix, [3, 3], order=[2, 1]) is Q.
      integer(c_int32_t) function polhode_attitude_matrix(attitude, matrix) bind(C)
         import :: c_int32_t, c_double
         real(c_double), intent(in) :: attitude(4)
         real(c_double), intent(out) :: matrix(9)
      end function
   end interface

   ! Free motion.
   interface
      integer(c_int32_t) function polhode_free_motion_from_momentum(body, momentum, attitude, motion) bind(C)
         import :: c_int32_t, c_ptr, c_double
         type(c_ptr), value :: body
         real(c_double), intent(in) :: momentum(3), attitude(4)
         type(c_ptr), intent(out) :: motion
      end function

      integer(c_int32_t) function polhode_free_motion_from_omega(body, omega, attitude, motion) bind(C)
         import :: c_int32_t, c_ptr, c_double
         type(c_ptr), value :: body
         real(c_double), intent(in) :: omega(3), attitude(4)
         type(c_ptr), intent(out) :: motion
      end function

      subroutine polhode_free_motion_free(motion) bind(C)
         import :: c_ptr
         type(c_ptr), value :: motion
      end subroutine

      integer(c_int32_t) function polhode_free_motion_at(motion, t, state) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: motion
         real(c_double), value :: t
         type(polhode_state), intent(out) :: state
      end function

      integer(c_int32_t) function polhode_free_motion_at_times(motion, times, count, states) bind(C)
         import :: c_int32_t, c_ptr, c_double, c_size_t, polhode_state
         type(c_ptr), value :: motion
         integer(c_size_t), value :: count
         real(c_double), intent(in) :: times(*)
         type(polhode_state), intent(inout) :: states(*)
      end function

      integer(c_int32_t) function polhode_free_motion_describe(motion, properties) bind(C)
         import :: c_int32_t, c_ptr, polhode_free_motion_properties
         type(c_ptr), value :: motion
         type(polhode_free_motion_properties), intent(out) :: properties
      end function

      integer(c_int32_t) function polhode_free_motion_tangent_at(motion, t, found) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_tangent
         type(c_ptr), value :: motion
         real(c_double), value :: t
         type(polhode_tangent), intent(out) :: found
      end function

      integer(c_int32_t) function polhode_tangent_step(body, h, state, found) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state, polhode_tangent
         type(c_ptr), value :: body
         real(c_double), value :: h
         type(polhode_state), intent(inout) :: state
         type(polhode_tangent), intent(out) :: found
      end function

      integer(c_int32_t) function polhode_solve_tangent(body, torque, start, t0, until, tolerance, found, &
            parameters, parameter_count) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state, polhode_tangent
         ! parameters and parameter_count: c_loc of an array of doubles and of a c_size_t, or c_null_ptr.
         type(c_ptr), value :: body, torque, parameters, parameter_count
         type(polhode_state), intent(in) :: start
         real(c_double), value :: t0, until, tolerance
         type(polhode_tangent), intent(out) :: found
      end function

      integer(c_int32_t) function polhode_free_motion_next_flip(motion, t, flip) bind(C)
         import :: c_int32_t, c_ptr, c_double
         type(c_ptr), value :: motion
         real(c_double), value :: t
         real(c_double), intent(out) :: flip
      end function
   end interface

   ! Methods.
   interface
      integer(c_int32_t) function polhode_method_parse(text, method) bind(C)
         import :: c_int32_t, c_char, c_ptr
         character(kind=c_char), intent(in) :: text(*)
         type(c_ptr), intent(out) :: method
      end function

      integer(c_int32_t) function polhode_method_from_stages(id, order, stages, count, attitude_only, &
            rotor, method) bind(C)
         import :: c_int32_t, c_char, c_size_t, c_ptr, polhode_stage
         character(kind=c_char), intent(in) :: id(*), rotor(*)
         integer(c_int32_t), value :: order, attitude_only
         integer(c_size_t), value :: count
         type(polhode_stage), intent(in) :: stages(*)
         type(c_ptr), intent(out) :: method
      end function

      ! a is row by row, as in C: the transpose of what Fortran would store.
      integer(c_int32_t) function polhode_method_from_tableau(id, order, stages, a, b, c, method) bind(C)
         import :: c_int32_t, c_char, c_size_t, c_double, c_ptr
         character(kind=c_char), intent(in) :: id(*)
         integer(c_int32_t), value :: order
         integer(c_size_t), value :: stages
         real(c_double), intent(in) :: a(*), b(*), c(*)
         type(c_ptr), intent(out) :: method
      end function

      integer(c_int32_t) function polhode_method_runs_in_lanes(method) bind(C)
         import :: c_int32_t, c_ptr
         type(c_ptr), value :: method
      end function

      subroutine polhode_method_free(method) bind(C)
         import :: c_ptr
         type(c_ptr), value :: method
      end subroutine

      integer(c_int32_t) function polhode_method_describe(method, properties) bind(C)
         import :: c_int32_t, c_ptr, polhode_method_properties
         type(c_ptr), value :: method
         type(polhode_method_properties), intent(out) :: properties
      end function
   end interface

   ! Torques.
   interface
      integer(c_int32_t) function polhode_torque_new(kind, keys, count, torque) bind(C)
         import :: c_int32_t, c_char, c_size_t, c_ptr, polhode_key
         character(kind=c_char), intent(in) :: kind(*)
         integer(c_size_t), value :: count
         type(polhode_key), intent(in) :: keys(*)
         type(c_ptr), intent(out) :: torque
      end function

      ! function: c_funloc of a polhode_torque_function; potential: of a polhode_potential_function,
      ! or c_null_funptr; user: c_loc of anything, or c_null_ptr.
      integer(c_int32_t) function polhode_torque_from_function(function, potential, user, &
            dependence, depends_on_time, torque) bind(C)
         import :: c_int32_t, c_funptr, c_ptr
         type(c_funptr), value :: function, potential
         type(c_ptr), value :: user
         integer(c_int32_t), value :: dependence, depends_on_time
         type(c_ptr), intent(out) :: torque
      end function

      integer(c_int32_t) function polhode_torque_sum(torques, count, torque) bind(C)
         import :: c_int32_t, c_size_t, c_ptr
         type(c_ptr), intent(in) :: torques(*)
         integer(c_size_t), value :: count
         type(c_ptr), intent(out) :: torque
      end function

      subroutine polhode_torque_free(torque) bind(C)
         import :: c_ptr
         type(c_ptr), value :: torque
      end subroutine
   end interface

   ! Runs. torque: a handle, or c_null_ptr for a free body; observer: c_funloc of a polhode_observer,
   ! or c_null_funptr.
   interface
      integer(c_int32_t) function polhode_run_new(body, torque, method, start, t0, step, run) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: body, torque, method
         type(polhode_state), intent(in) :: start
         real(c_double), value :: t0, step
         type(c_ptr), intent(out) :: run
      end function

      integer(c_int32_t) function polhode_run_new_inside(body, inside, torque, method, start, t0, step, run) bind(C)
         import :: c_int32_t, c_double, c_ptr, polhode_inside, polhode_state
         type(c_ptr), value :: body, torque, method
         type(polhode_inside), intent(in) :: inside
         type(polhode_state), intent(in) :: start
         real(c_double), value :: t0, step
         type(c_ptr), intent(out) :: run
      end function

      integer(c_int32_t) function polhode_inside_momentum(body, inside, t0, omega, momentum) bind(C)
         import :: c_int32_t, c_double, c_ptr, polhode_inside
         type(c_ptr), value :: body
         type(polhode_inside), intent(in) :: inside
         real(c_double), value :: t0
         real(c_double), intent(in) :: omega(3)
         real(c_double), intent(out) :: momentum(3)
      end function

      integer(c_int32_t) function polhode_run_inside(run, omega, wheels, count) bind(C)
         import :: c_int32_t, c_double, c_ptr, c_size_t
         type(c_ptr), value :: run
         real(c_double), intent(out) :: omega(3)
         real(c_double), intent(out) :: wheels(*)
         integer(c_size_t), value :: count
      end function

      subroutine polhode_run_free(run) bind(C)
         import :: c_ptr
         type(c_ptr), value :: run
      end subroutine

      integer(c_int32_t) function polhode_run_advance(run, steps, every, observer, user) bind(C)
         import :: c_int32_t, c_int64_t, c_ptr, c_funptr
         type(c_ptr), value :: run
         integer(c_int64_t), value :: steps, every
         type(c_funptr), value :: observer
         type(c_ptr), value :: user
      end function

      integer(c_int32_t) function polhode_run_describe(run, report) bind(C)
         import :: c_int32_t, c_ptr, polhode_run_report
         type(c_ptr), value :: run
         type(polhode_run_report), intent(out) :: report
      end function

      integer(c_int32_t) function polhode_steps_until(t0, step, until, steps) bind(C)
         import :: c_int32_t, c_int64_t, c_double
         real(c_double), value :: t0, step, until
         integer(c_int64_t), intent(out) :: steps
      end function
   end interface

   ! Solutions to a given accuracy. torque: a handle, or c_null_ptr for a free body.
   interface
      integer(c_int32_t) function polhode_solve(body, torque, start, t0, until, options, solution) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state, polhode_solve_options
         type(c_ptr), value :: body, torque
         type(polhode_state), intent(in) :: start
         real(c_double), value :: t0, until
         type(polhode_solve_options), intent(in) :: options
         type(c_ptr), intent(out) :: solution
      end function

      subroutine polhode_solution_free(solution) bind(C)
         import :: c_ptr
         type(c_ptr), value :: solution
      end subroutine

      integer(c_int32_t) function polhode_solution_describe(solution, report) bind(C)
         import :: c_int32_t, c_ptr, polhode_solution_report
         type(c_ptr), value :: solution
         type(polhode_solution_report), intent(out) :: report
      end function

      integer(c_int32_t) function polhode_solution_at(solution, times, count, states) bind(C)
         import :: c_int32_t, c_size_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: solution
         real(c_double), intent(in) :: times(*)
         integer(c_size_t), value :: count
         type(polhode_state), intent(inout) :: states(*)
      end function

      integer(c_int32_t) function polhode_solution_kept(solution, times, states) bind(C)
         import :: c_int32_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: solution
         real(c_double), intent(out) :: times(*)
         type(polhode_state), intent(inout) :: states(*)
      end function

      integer(c_int32_t) function polhode_solution_events(solution, event, capacity, times, states, count) bind(C)
         import :: c_int32_t, c_size_t, c_ptr, c_double, polhode_state
         type(c_ptr), value :: solution
         integer(c_size_t), value :: event, capacity
         real(c_double), intent(out) :: times(*)
         type(polhode_state), intent(inout) :: states(*)
         integer(c_size_t), intent(out) :: count
      end function
   end interface

   ! Ensembles. torque, observer and user as for runs.
   interface
      integer(c_int32_t) function polhode_ensemble_new(method, torque, threads, ensemble) bind(C)
         import :: c_int32_t, c_char, c_size_t, c_ptr
         character(kind=c_char), intent(in) :: method(*)
         type(c_ptr), value :: torque
         integer(c_size_t), value :: threads
         type(c_ptr), intent(out) :: ensemble
      end function

      integer(c_int32_t) function polhode_ensemble_with_method(method, torque, threads, ensemble) bind(C)
         import :: c_int32_t, c_size_t, c_ptr
         type(c_ptr), value :: method, torque
         integer(c_size_t), value :: threads
         type(c_ptr), intent(out) :: ensemble
      end function

      subroutine polhode_ensemble_free(ensemble) bind(C)
         import :: c_ptr
         type(c_ptr), value :: ensemble
      end subroutine

      integer(c_int32_t) function polhode_ensemble_run(ensemble, bodies, states, t0, step, steps, every, &
            observer, user, outcomes) bind(C)
         import :: c_int32_t, c_int64_t, c_double, c_ptr, c_funptr, polhode_bodies, polhode_state
         type(c_ptr), value :: ensemble
         type(polhode_bodies), intent(in) :: bodies
         type(polhode_state), intent(inout) :: states(*)
         real(c_double), value :: t0, step
         integer(c_int64_t), value :: steps, every
         type(c_funptr), value :: observer
         type(c_ptr), value :: user
         integer(c_int32_t), intent(inout) :: outcomes(*)
      end function

      integer(c_int32_t) function polhode_ensemble_at_times(bodies, starts, times, times_count, threads, &
            states, outcomes) bind(C)
         import :: c_int32_t, c_size_t, c_double, polhode_bodies, polhode_state
         type(polhode_bodies), intent(in) :: bodies
         type(polhode_state), intent(in) :: starts(*)
         real(c_double), intent(in) :: times(*)
         integer(c_size_t), value :: times_count, threads
         type(polhode_state), intent(inout) :: states(*)
         integer(c_int32_t), intent(inout) :: outcomes(*)
      end function
   end interface

   ! Rotations. Matrices are row by row, as in C.
   interface
      integer(c_int32_t) function polhode_so3_exp(vector, attitude) bind(C)
         import :: c_int32_t, c_double
         real(c_double), intent(in) :: vector(3)
         real(c_double), intent(out) :: attitude(4)
      end function

      integer(c_int32_t) function polhode_so3_log(attitude, vector) bind(C)
         import :: c_int32_t, c_double
         real(c_double), intent(in) :: attitude(4)
         real(c_double), intent(out) :: vector(3)
      end function

      integer(c_int32_t) function polhode_so3_dexp(vector, matrix) bind(C)
         import :: c_int32_t, c_double
         real(c_double), intent(in) :: vector(3)
         real(c_double), intent(out) :: matrix(9)
      end function

      integer(c_int32_t) function polhode_so3_dexpinv(vector, matrix) bind(C)
         import :: c_int32_t, c_double
         real(c_double), intent(in) :: vector(3)
         real(c_double), intent(out) :: matrix(9)
      end function

      integer(c_int32_t) function polhode_so3_dlog(attitude, matrix) bind(C)
         import :: c_int32_t, c_double
         real(c_double), intent(in) :: attitude(4)
         real(c_double), intent(out) :: matrix(9)
      end function

      integer(c_int32_t) function polhode_so3_hat(vector, matrix) bind(C)
         import :: c_int32_t, c_double
         real(c_double), intent(in) :: vector(3)
         real(c_double), intent(out) :: matrix(9)
      end function
   end interface

   ! Elliptic functions and integrals, at complementary parameters mc = 1 - k**2 and nc = 1 - n; those whose name
   ! ends in _m at m = k**2 and n.
   interface
      integer(c_int32_t) function polhode_jacobi(u, mc, values) bind(C)
         import :: c_int32_t, c_double, polhode_jacobi_values
         real(c_double), value :: u, mc
         type(polhode_jacobi_values), intent(out) :: values
      end function

      integer(c_int32_t) function polhode_elliptic_f(phi, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_e(phi, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_pi(phi, nc, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, nc, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_k(mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_e(mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_pi(nc, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: nc, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_rf(x, y, z, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, y, z
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_rc(x, y, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, y
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_rd(x, y, z, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, y, z
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_rj(x, y, z, p, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, y, z, p
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_rg(x, y, z, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, y, z
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_d(mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_b(mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_d(phi, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_b(phi, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_jacobi_zeta(phi, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_inverse_sn(x, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_inverse_cn(x, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_inverse_dn(x, mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_cel(kc, p, a, b, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: kc, p, a, b
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_nome(mc, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: mc
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_theta1(z, q, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: z, q
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_theta2(z, q, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: z, q
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_theta3(z, q, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: z, q
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_theta4(z, q, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: z, q
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_inverse_nome(q, m, mc) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: q
         real(c_double), intent(out) :: m, mc
      end function

      integer(c_int32_t) function polhode_jacobi_m(u, m, values) bind(C)
         import :: c_int32_t, c_double, polhode_jacobi_values
         real(c_double), value :: u, m
         type(polhode_jacobi_values), intent(out) :: values
      end function

      integer(c_int32_t) function polhode_jacobi_quotients(u, mc, values) bind(C)
         import :: c_int32_t, c_double, polhode_jacobi_quotient_values
         real(c_double), value :: u, mc
         type(polhode_jacobi_quotient_values), intent(out) :: values
      end function

      integer(c_int32_t) function polhode_jacobi_quotients_m(u, m, values) bind(C)
         import :: c_int32_t, c_double, polhode_jacobi_quotient_values
         real(c_double), value :: u, m
         type(polhode_jacobi_quotient_values), intent(out) :: values
      end function

      integer(c_int32_t) function polhode_complete_k_m(m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_e_m(m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_d_m(m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_b_m(m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_complete_pi_m(n, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: n, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_f_m(phi, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_e_m(phi, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_d_m(phi, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_b_m(phi, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_elliptic_pi_m(phi, n, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, n, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_jacobi_zeta_m(phi, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: phi, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_inverse_sn_m(x, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_inverse_cn_m(x, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_inverse_dn_m(x, m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: x, m
         real(c_double), intent(out) :: value
      end function

      integer(c_int32_t) function polhode_nome_m(m, value) bind(C)
         import :: c_int32_t, c_double
         real(c_double), value :: m
         real(c_double), intent(out) :: value
      end function
   end interface

contains

   ! The Fortran text of a C text that the library returned; empty for a null pointer.
   function polhode_text(pointer) result(text)
      type(c_ptr), intent(in) :: pointer
      character(:), allocatable :: text
      character(kind=c_char), pointer :: bytes(:)
      integer(c_size_t) :: length, n

      interface
         integer(c_size_t) function strlen(string) bind(C)
            import :: c_size_t, c_ptr
            type(c_ptr), value :: string
         end function
      end interface

      text = ''
      if (.not. c_associated(pointer)) return
      length = strlen(pointer)
      call c_f_pointer(pointer, bytes, [length])
      deallocate (text)
      allocate (character(length) :: text)
      do n = 1, length
         text(n:n) = bytes(n)
      end do
   end function

   ! What went wrong in the last call that failed on this thread.
   function polhode_message() result(text)
      character(:), allocatable :: text

      text = polhode_text(polhode_last_error_message())
   end function
end module
