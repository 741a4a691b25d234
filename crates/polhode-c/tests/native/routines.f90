! Every routine of the Fortran interface once, with what it must give. Prints "done" if all is well.
program routines
   use polhode
   implicit none
   real(c_double), parameter :: moments(3) = [1d0, 2d0, 2.5d0], m0(3) = [0.3d0, 0.4d0, 0.5d0]
   real(c_double), parameter :: one(4) = [1d0, 0d0, 0d0, 0d0], eps = epsilon(1d0)
   real(c_double) :: unity(3, 3)

   unity = reshape([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3])
   call published()
   call components()
   call motion()
   call runs()
   call moving_inside()
   call solutions()
   call impulses()
   call ensembles()
   call own_methods()
   call rotations()
   call special()
   write (*, '(a)') 'done'

contains

   subroutine expect(condition, what)
      logical, intent(in) :: condition
      character(*), intent(in) :: what

      if (condition) return
      write (*, '(4a)') 'wrong: ', what, ': ', polhode_message()
      error stop 1
   end subroutine

   ! The two routines agree, in any order of the moments, and with both algorithms; columns first.
   subroutine published()
      real(c_double) :: m(3), Q(3, 3), m2(3), q2(4), rows(9), before(3)
      integer :: order(3), n, exact

      do exact = 0, 1
         call expect(polhode_use_exact(exact) == 0, 'the switch gives what was set')
         do n = 1, 6
            order = permutation(n)
            call frb_step(m, Q, 0.7d0, moments(order), m0(order), unity)
            call quat_step(m2, q2, 0.7d0, moments(order), m0(order), one)
            call expect(maxval(abs(m - m2)) < 20*eps, 'momentum of both routines')
            call expect(polhode_attitude_matrix(q2, rows) == POLHODE_OK, 'matrix')
            call expect(maxval(abs(Q - reshape(rows, [3, 3], order=[2, 1]))) < 40*eps, 'columns first')
            before = m0(order)
            call expect(maxval(abs(matmul(Q, m) - before)) < 20*eps, 'momentum in space')
            ! Momentum of any length: ten times the momentum for a tenth of the time.
            call frb_step(m2, Q, 0.07d0, moments(order), 10*m0(order), unity)
            call expect(maxval(abs(m2 - 10*m)) < 200*eps, 'length')
         end do
         call expect(polhode_use_exact(0) == exact, 'the switch gives what was set before')
      end do
      call expect(polhode_last_error() == POLHODE_OK, 'no error')

      ! Errors leave the state, and are remembered.
      call frb_step(m, Q, 0.7d0, [1d0, -2d0, 3d0], m0, unity)
      call expect(all(m == m0) .and. all(Q == unity), 'state as it was')
      call expect(polhode_last_error() == POLHODE_INVALID, 'status')
      call expect(index(polhode_message(), 'positive') > 0, 'message')
      call quat_step(m, q2, 1d300, moments, m0, one)
      call expect(all(m == m0) .and. all(q2 == one), 'state as it was')
      call expect(polhode_last_error() == POLHODE_OUT_OF_RANGE, 'status')
      call polhode_clear_error()

      ! The same variables in and out.
      m = m0
      Q = unity
      call frb_step(m2, rows, 0.7d0, moments, m0, unity)
      call in_place(m, Q)
      call expect(all(m == m2) .and. all(reshape(Q, [9]) == rows), 'in place')
   end subroutine

   subroutine in_place(m, Q)
      real(c_double), intent(inout), target :: m(3), Q(3, 3)
      real(c_double), pointer :: m_again(:), Q_again(:, :)

      m_again => m
      Q_again => Q
      call frb_step(m, Q, 0.7d0, moments, m_again, Q_again)
   end subroutine

   function permutation(n) result(order)
      integer, intent(in) :: n
      integer :: order(3)
      integer, parameter :: all_of_them(3, 6) = reshape([1, 2, 3, 2, 3, 1, 3, 1, 2, 2, 1, 3, 1, 3, 2, 3, 2, 1], [3, 6])

      order = all_of_them(:, n)
   end function

   subroutine components()
      real(c_double) :: m(3), m2(3), Q(3, 3), phi0, phi1, k, other(3), whole, gauss, n

      call EgellipX_step(m, phi0, phi1, k, 0.7d0, moments, m0)
      call EgellpjX_step(m2, other(1), other(2), other(3), 0.7d0, moments, m0)
      call expect(all(m == m2) .and. all([phi0, phi1, k] == other), 'two names for one')
      call frb_step(m2, Q, 0.7d0, moments, m0, unity)
      call expect(all(m == m2), 'the momentum of frb_step')
      call expect(k > 0 .and. k < 1 .and. phi0 /= phi1, 'modulus and amplitudes')
      n = 0.4d0
      call ellint_pi(whole, phi0, phi1, k, n)
      call eint_gauss(gauss, phi0, phi1, k, n, 10)
      call expect(abs(whole - gauss) < 10*eps, 'quadrature')
      call eint_gauss(gauss, phi0, phi1, k, n, 1)
      call expect(abs(whole - gauss) > 1d-6 .and. abs(whole - gauss) < 1d-1, 'one node')
      call expect(abs(ellpi(phi1, n, k) - ellpi(phi0, n, k) - whole) < 10*eps, 'ellpi')
      ! Angles beyond a quarter turn: twice the complete integral more.
      call ellint_pi(whole, 0.3d0, 0.3d0 + acos(-1d0), k, n)
      call expect(abs(whole - 2*ellpi(acos(-1d0)/2, n, k)) < 20*eps, 'a half turn')
      call expect(abs(rf(1d0, 1d0, 1d0) - 1) < eps, 'Carlson')
      call expect(abs(rc(1d0, 1d0) - 1) < eps, 'Carlson')
      call expect(abs(rj(4d0, 4d0, 4d0, 4d0) - 0.125d0) < eps, 'Carlson')
      call expect(polhode_last_error() == POLHODE_OK, 'no error')
      call eint_gauss(gauss, phi0, phi1, k, n, 11)
      call expect(gauss == 0, 'eleven nodes')
      call expect(polhode_last_error() == POLHODE_INVALID, 'eleven nodes')
      call polhode_clear_error()
      call expect(rf(-1d0, 1d0, 1d0) == 0, 'domain')
      call expect(polhode_last_error() == POLHODE_INVALID, 'domain')
      call polhode_clear_error()
   end subroutine

   subroutine motion()
      type(c_ptr) :: body, free, from_omega
      type(polhode_state) :: state, states(2)
      type(polhode_free_motion_properties) :: properties
      type(polhode_tangent) :: tangent
      real(c_double) :: omega(3), m(3), axes(4), flip
      real(c_double) :: mq(3), q(4), phi(6, 6)

      call expect(polhode_body_new(moments, 3_c_size_t, 0, body) == POLHODE_OK, 'body')
      call expect(polhode_body_principal(body, m, axes) == POLHODE_OK, 'principal')
      call expect(all(m == moments) .and. all(axes == one), 'principal')
      call expect(polhode_body_omega(body, m0, omega) == POLHODE_OK, 'omega')
      call expect(all(omega == m0/moments), 'omega')
      call expect(polhode_body_momentum(body, omega, m) == POLHODE_OK, 'm')
      call expect(maxval(abs(m - m0)) < eps, 'm')
      call expect(polhode_free_motion_from_momentum(body, m0, one, free) == POLHODE_OK, 'motion')
      call expect(polhode_free_motion_from_omega(body, omega, one, from_omega) == POLHODE_OK, 'motion')
      call expect(polhode_free_motion_at(free, 0.7d0, state) == POLHODE_OK, 'at')
      call quat_step(mq, q, 0.7d0, moments, m0, one)
      call expect(maxval(abs(state%momentum - mq)) < 20*eps .and. maxval(abs(state%attitude - q)) < 20*eps, 'at')
      call expect(polhode_free_motion_at_times(free, [0d0, 0.7d0], 2_c_size_t, states) == POLHODE_OK, 'times')
      call expect(all(states(1)%momentum == m0) .and. all(states(2)%momentum == state%momentum), 'times')
      call expect(polhode_free_motion_describe(free, properties) == POLHODE_OK, 'describe')
      call expect(polhode_text(properties%regime) == 'about-minor', 'regime')
      call expect(polhode_free_motion_tangent_at(free, 0.7d0, tangent) == POLHODE_OK, 'tangent')
      call expect(all(tangent%state%momentum == state%momentum) .and. tangent%holds_omega == 0, 'tangent')
      ! Along the momentum: A m0 = m + t m', by rows.
      phi = transpose(reshape(tangent%state_transition, [6, 6]))
      call expect(maxval(abs(matmul(phi(1:3, 1:3), m0) - state%momentum - 0.7d0*tangent%time(1:3))) < 100*eps, &
         'tangent along the momentum')
      call expect(polhode_free_motion_next_flip(free, 0d0, flip) == POLHODE_OK, 'flip')
      call expect(flip > 0, 'flip')
      call expect(flip < properties%period, 'flip within a period')
      call polhode_free_motion_free(free)
      call polhode_free_motion_free(from_omega)
      call polhode_body_free(body)
   end subroutine

   subroutine runs()
      type(c_ptr) :: body, method, torque, run
      type(polhode_method_properties) :: properties
      type(polhode_run_report) :: before, after
      type(polhode_state) :: start
      type(polhode_key) :: key
      character(kind=c_char), target :: name(3) = ['u', 'p', c_null_char]
      real(c_double), target :: up(3) = [0d0, 1d0, 0d0]
      integer(c_int64_t) :: steps

      start%momentum = m0
      call expect(polhode_body_new(moments, 3_c_size_t, 0, body) == POLHODE_OK, 'body')
      call expect(polhode_method_parse('frb'//c_null_char, method) == POLHODE_OK, 'method')
      call expect(polhode_method_describe(method, properties) == POLHODE_OK, 'describe')
      call expect(properties%order == 6 .and. properties%symplectic == 1, 'frb')
      key%name = c_loc(name)
      key%numbers = c_loc(up)
      key%count = 3
      call expect(polhode_torque_new('heavy-top'//c_null_char, [key], 1_c_size_t, torque) == POLHODE_OK, 'torque')
      call expect(polhode_run_new(body, torque, method, start, 0d0, 0.1d0, run) == POLHODE_OK, 'run')
      call expect(polhode_run_describe(run, before) == POLHODE_OK, 'report')
      call expect(polhode_steps_until(0d0, 0.1d0, 10d0, steps) == POLHODE_OK, 'steps')
      call expect(steps == 100, 'steps')
      call expect(polhode_run_advance(run, steps, 1_c_int64_t, c_null_funptr, c_null_ptr) == POLHODE_OK, 'advance')
      call expect(polhode_run_describe(run, after) == POLHODE_OK, 'report')
      call expect(after%step == 100, 'report')
      call expect(abs(after%energy - before%energy) < 1d-8, 'energy')
      call expect(abs(after%t - 10) < 10*eps .and. after%torque_evaluations > 1000, 'report')
      call polhode_run_free(run)
      call polhode_torque_free(torque)
      call polhode_method_free(method)
      call polhode_body_free(body)
      call expect(polhode_catalog_size(POLHODE_ROTORS) > 5, 'catalog')
      call expect(polhode_text(polhode_catalog_id(POLHODE_ROTORS, 0_c_size_t)) == 'exact', 'catalog')
      call expect(len(polhode_text(polhode_catalog_title(POLHODE_ROTORS, 0_c_size_t))) > 0, 'catalog')
      call expect(polhode_text(c_null_ptr) == '', 'no text')
   end subroutine

   ! The moments of inertia of the middle case below.
   integer(c_int32_t) function growing(user, t, inertia) bind(C)
      type(c_ptr), value :: user
      real(c_double), value :: t
      real(c_double), intent(out) :: inertia(3, 3)
      integer :: n

      if (c_associated(user)) continue
      inertia = 0
      do n = 1, 3
         inertia(n, n) = moments(n)
      end do
      inertia(1, 1) = 1 + 0.125d0*t
      growing = 0
   end function

   ! Slows the body down with its one wheel.
   integer(c_int32_t) function slow_down(user, at, command) bind(C)
      type(c_ptr), value :: user
      type(polhode_moment), intent(in) :: at
      type(polhode_command), intent(inout) :: command
      integer(c_int32_t), pointer :: calls

      call c_f_pointer(user, calls)
      calls = calls + 1
      slow_down = merge(0, 1, at%wheel_count == 1 .and. at%has_field == 0)
      command%motors(1) = 0.5d0*at%omega(3)
   end function

   ! A wheel with a controller; moments that vary, as text, table and function.
   subroutine moving_inside()
      type(c_ptr) :: body, method, run
      type(polhode_inside) :: inside
      type(polhode_wheel), target :: wheels(1)
      type(polhode_controller), target :: controllers(1)
      type(polhode_run_report) :: report
      type(polhode_state) :: start, ends(3)
      character(kind=c_char), target :: text(24)
      character(*), parameter :: formulas = '1 + 0.125*t;2;2.5'//c_null_char
      real(c_double), target :: rows(4, 3)
      real(c_double) :: omega(3), speeds(1)
      integer(c_int32_t), target, volatile :: calls
      integer :: n

      call expect(polhode_body_new(moments, 3_c_size_t, 0, body) == POLHODE_OK, 'body')
      call expect(polhode_method_parse('kahanli8+exact'//c_null_char, method) == POLHODE_OK, 'method')
      calls = 0
      wheels(1)%axis = [0, 0, 1]
      wheels(1)%inertia = 0.125d0
      wheels(1)%speed = 8
      wheels(1)%driven = 1
      controllers(1) = polhode_controller(c_funloc(slow_down), c_loc(calls), 0.25d0, 0d0, 0d0)
      inside%wheels = c_loc(wheels)
      inside%wheel_count = 1
      inside%controllers = c_loc(controllers)
      inside%controller_count = 1
      call expect(polhode_inside_momentum(body, inside, 0d0, [0d0, 0d0, 1d0], start%momentum) == POLHODE_OK, 'total')
      call expect(abs(start%momentum(3) - 3.5d0) < 4*eps, 'total')
      call expect(polhode_run_new_inside(body, inside, c_null_ptr, method, start, 0d0, 0.5d0, run) == POLHODE_OK, 'run')
      call expect(polhode_run_advance(run, 40_c_int64_t, 1_c_int64_t, c_null_funptr, c_null_ptr) == POLHODE_OK, 'go')
      call expect(calls == 80, 'calls')
      call expect(polhode_run_inside(run, omega, speeds, 1_c_size_t) == POLHODE_OK, 'inside')
      call expect(abs(omega(3)) < 0.05d0 .and. speeds(1) > 26, 'the wheel has taken it all')
      call expect(polhode_run_describe(run, report) == POLHODE_OK, 'report')
      call expect(abs(report%state%momentum(3) - 3.5d0) < 100*eps, 'total momentum')
      call expect(polhode_run_inside(run, omega, speeds, 2_c_size_t) == POLHODE_INVALID, 'two wheels')
      call polhode_run_free(run)
      call polhode_clear_error()

      start%momentum = m0
      do n = 1, len(formulas)
         text(n) = formulas(n:n)
      end do
      rows(:, 1) = [0d0, 1d0, 2d0, 2.5d0]
      rows(:, 2) = [5d0, 1.625d0, 2d0, 2.5d0]
      rows(:, 3) = [10d0, 2.25d0, 2d0, 2.5d0]
      do n = 1, 3
         inside = polhode_inside()
         if (n == 1) inside%moments = c_loc(text)
         if (n == 2) then
            inside%rows = c_loc(rows)
            inside%row_count = 3
         end if
         if (n == 3) inside%inertia = c_funloc(growing)
         call expect(polhode_run_new_inside(body, inside, c_null_ptr, method, start, 0d0, 0.1d0, run) == POLHODE_OK, &
            'varying')
         call expect(polhode_run_advance(run, 100_c_int64_t, 1_c_int64_t, c_null_funptr, c_null_ptr) == POLHODE_OK, &
            'varying')
         call expect(polhode_run_describe(run, report) == POLHODE_OK, 'report')
         ends(n) = report%state
         call polhode_run_free(run)
      end do
      do n = 2, 3
         call expect(maxval(abs(ends(n)%momentum - ends(1)%momentum)) < 1d-12, 'one law, said in three ways')
         call expect(maxval(abs(ends(n)%attitude - ends(1)%attitude)) < 1d-12, 'one law, said in three ways')
      end do
      call expect(abs(norm2(ends(1)%momentum) - norm2(m0)) < 200*eps, 'momentum in space')
      call polhode_method_free(method)
      call polhode_body_free(body)
   end subroutine

   ! The torque of the default heavy top.
   integer(c_int32_t) function pull(user, t, state, torque) bind(C)
      type(c_ptr), value :: user
      real(c_double), value :: t
      type(polhode_state), intent(in) :: state
      real(c_double), intent(out) :: torque(3)

      if (c_associated(user) .or. t < 0) continue
      associate (q => state%attitude)
         torque = [2*(q(3)*q(4) + q(1)*q(2)), 2*(q(1)*q(3) - q(2)*q(4)), 0d0]
      end associate
      pull = 0
   end function

   ! Zero where the second component of the momentum is.
   integer(c_int32_t) function turn(user, t, state, value) bind(C)
      type(c_ptr), value :: user
      real(c_double), value :: t
      type(polhode_state), intent(in) :: state
      real(c_double), intent(out) :: value

      if (c_associated(user) .or. t < 0) continue
      value = state%momentum(2)
      turn = 0
   end function

   ! Turns the momentum round, and counts.
   integer(c_int32_t) function reverse(user, t, state) bind(C)
      type(c_ptr), value :: user
      real(c_double), value :: t
      type(polhode_state), intent(inout) :: state
      integer(c_int32_t), pointer :: calls

      if (t < 0) continue
      call c_f_pointer(user, calls)
      calls = calls + 1
      state%momentum = -state%momentum
      reverse = 0
   end function

   ! A free body whose momentum is turned round goes back to where it came from.
   subroutine impulses()
      type(c_ptr) :: body, solution
      type(polhode_state) :: start, states(1)
      type(polhode_event), target :: events(1)
      type(polhode_solve_options) :: options
      type(polhode_solution_report) :: report
      integer(c_int32_t), target, volatile :: calls  ! changed by the action, which the compiler does not see
      integer(c_size_t) :: count
      real(c_double) :: times(1)

      start%momentum = m0
      calls = 0
      call expect(polhode_body_new(moments, 3_c_size_t, 0, body) == POLHODE_OK, 'body')
      events(1)%function = c_funloc(turn)
      events(1)%direction = 1
      options%events = c_loc(events)
      options%event_count = 1
      call expect(polhode_solve(body, c_null_ptr, start, 0d0, 100d0, options, solution) == POLHODE_OK, 'solve')
      call expect(polhode_solution_events(solution, 0_c_size_t, 1_c_size_t, times, states, count) == POLHODE_OK, &
         'event')
      call polhode_solution_free(solution)
      events(1)%user = c_loc(calls)
      events(1)%action = c_funloc(reverse)
      call expect(polhode_solve(body, c_null_ptr, start, 0d0, 2*times(1), options, solution) == POLHODE_OK, 'hit')
      call expect(polhode_solution_describe(solution, report) == POLHODE_OK, 'report')
      call expect(calls == 1 .and. maxval(abs(report%state%momentum + m0)) < 1d-10, 'hit')
      call expect(maxval(abs(report%state%attitude - start%attitude)) < 1d-10 .or. &
         maxval(abs(report%state%attitude + start%attitude)) < 1d-10, 'hit')
      call polhode_solution_free(solution)
      call polhode_body_free(body)
   end subroutine

   subroutine solutions()
      type(c_ptr) :: body, free, torque, solution
      type(polhode_state) :: start, alone
      type(polhode_state), allocatable :: states(:)
      type(polhode_event), target :: events(1)
      type(polhode_solve_options) :: options
      type(polhode_solution_report) :: report
      character(kind=c_char), target :: method(7) = ['d', 'o', 'p', '8', '5', '3', c_null_char]
      real(c_double), target :: stops(1) = [3d0]
      real(c_double), allocatable :: times(:)
      integer(c_size_t) :: count

      allocate(times(2), states(2))
      start%momentum = m0
      call expect(polhode_body_new(moments, 3_c_size_t, 0, body) == POLHODE_OK, 'body')
      events(1)%function = c_funloc(turn)
      events(1)%direction = 1
      options%events = c_loc(events)
      options%event_count = 1
      call expect(polhode_solve(body, c_null_ptr, start, 0d0, 100d0, options, solution) == POLHODE_OK, 'free')
      call expect(polhode_solution_describe(solution, report) == POLHODE_OK, 'report')
      call expect(polhode_text(report%method) == 'closed-form' .and. report%t == 100, 'report')
      call expect(report%ended_by == -1 .and. report%momentum_error /= report%momentum_error, 'report')
      call expect(polhode_solution_events(solution, 0_c_size_t, 2_c_size_t, times, states, count) == POLHODE_OK, &
         'events')
      ! By a Runge-Kutta method in steps of 0.001: between 82.710 and 82.711.
      call expect(count == 2 .and. abs(times(2) - 82.7105d0) < 5d-4, 'events')
      call expect(abs(states(count)%momentum(2)) < 1d-10, 'events')
      call expect(polhode_free_motion_from_momentum(body, m0, one, free) == POLHODE_OK, 'motion')
      call expect(polhode_solution_at(solution, times, 1_c_size_t, states) == POLHODE_OK, 'at')
      call expect(polhode_free_motion_at(free, times(1), alone) == POLHODE_OK, 'alone')
      call expect(maxval(abs(states(1)%attitude - alone%attitude)) < 1d-12, 'at')
      call polhode_solution_free(solution)
      call expect(polhode_torque_new('heavy-top'//c_null_char, [polhode_key ::], 0_c_size_t, torque) == POLHODE_OK, &
         'torque')
      events(1)%terminal = 1
      options%method = c_loc(method)
      options%stops = c_loc(stops)
      options%stop_count = 1
      options%tolerance = 1d-8
      options%ends_only = 1
      call expect(polhode_solve(body, torque, start, 0d0, 100d0, options, solution) == POLHODE_OK, 'solve')
      call expect(polhode_solution_describe(solution, report) == POLHODE_OK, 'report')
      call expect(polhode_text(report%method) == 'dop853' .and. report%ended_by == 0, 'terminal')
      call expect(report%kept == report%steps + 1, 'kept')
      deallocate(times, states)
      allocate(times(report%kept), states(report%kept))
      call expect(polhode_solution_kept(solution, times, states) == POLHODE_OK, 'kept')
      call expect(times(report%kept) == report%t .and. times(1) == 0, 'kept')
      call expect(all(states(report%kept)%momentum == report%state%momentum), 'kept')
      call polhode_solution_free(solution)
      alone = report%state
      call polhode_torque_free(torque)
      call expect(polhode_torque_from_function(c_funloc(pull), c_null_funptr, c_null_ptr, &
         int(POLHODE_ON_ATTITUDE, c_int32_t), 0, torque) == POLHODE_OK, 'function')
      call expect(polhode_solve(body, torque, start, 0d0, 100d0, options, solution) == POLHODE_OK, 'solve by function')
      call expect(polhode_solution_describe(solution, report) == POLHODE_OK, 'report of function')
      call expect(maxval(abs(report%state%momentum - alone%momentum)) < 1d-7 .and. report%steps > 1, 'function')
      call polhode_solution_free(solution)
      options%tolerance = 1
      call expect(polhode_solve(body, torque, start, 0d0, 100d0, options, solution) == POLHODE_INVALID, 'tolerance')
      call expect(index(polhode_message(), 'tolerance') > 0 .and. .not. c_associated(solution), 'tolerance')
      call polhode_clear_error()
      call polhode_torque_free(torque)
      call polhode_free_motion_free(free)
      call polhode_body_free(body)
   end subroutine

   subroutine ensembles()
      type(c_ptr) :: ensemble, body, free
      type(polhode_bodies) :: bodies
      type(polhode_state) :: states(9), later(18), alone
      integer(c_int32_t) :: outcomes(9)
      real(c_double), target :: inertia(3) = moments
      integer :: n

      do n = 1, 9
         states(n)%momentum = n*m0
      end do
      bodies%count = 9
      bodies%inertia = c_loc(inertia)
      bodies%shared = 1
      call expect(polhode_ensemble_at_times(bodies, states, [0d0, 2d0], 2_c_size_t, 1_c_size_t, later, &
         outcomes) == POLHODE_OK, 'times')
      call expect(all(outcomes == POLHODE_OK), 'times')
      call expect(polhode_body_new(moments, 3_c_size_t, 0, body) == POLHODE_OK, 'body')
      call expect(polhode_free_motion_from_momentum(body, 9*m0, one, free) == POLHODE_OK, 'motion')
      call expect(polhode_free_motion_at(free, 2d0, alone) == POLHODE_OK, 'alone')
      call expect(all(later(18)%momentum == alone%momentum) .and. all(later(18)%attitude == alone%attitude), 'bits')
      call expect(all(later(9)%momentum == 9*m0), 'the first time')
      call expect(polhode_ensemble_new('exact'//c_null_char, c_null_ptr, 1_c_size_t, ensemble) == POLHODE_OK, 'new')
      call expect(polhode_ensemble_run(ensemble, bodies, states, 0d0, 0.1d0, 20_c_int64_t, 1_c_int64_t, &
         c_null_funptr, c_null_ptr, outcomes) == POLHODE_OK, 'run')
      call expect(maxval(abs(states(9)%momentum - alone%momentum)) < 1000*eps, 'steps lead to the same state')
      call polhode_ensemble_free(ensemble)
      call polhode_free_motion_free(free)
      call polhode_body_free(body)
   end subroutine

   ! Strang's splitting written again, with half of a torque twice.
   subroutine own_methods()
      type(c_ptr) :: method, heun, half, torque, ensemble
      type(polhode_stage) :: stages(3)
      type(polhode_bodies) :: bodies
      type(polhode_state) :: states(2), again(2)
      type(polhode_key) :: key
      character(kind=c_char), target :: name(7) = ['c', 'e', 'n', 't', 'r', 'e', c_null_char]
      real(c_double), target :: inertia(3) = moments, centre(3) = [0d0, 0d0, 0.5d0]
      integer(c_int32_t) :: outcomes(2)

      stages(1) = polhode_stage(POLHODE_KICK, 0.5d0, 0d0)
      stages(2) = polhode_stage(POLHODE_DRIFT, 1d0, 0d0)
      stages(3) = stages(1)
      call expect(polhode_method_from_stages('mine'//c_null_char, 2, stages, 3_c_size_t, 0, 'exact'//c_null_char, &
         method) == POLHODE_OK, 'stages')
      call expect(polhode_method_runs_in_lanes(method) == 1, 'lanes')
      call expect(polhode_method_from_tableau('heun'//c_null_char, 2, 2_c_size_t, [0d0, 0d0, 1d0, 0d0], &
         [0.5d0, 0.5d0], [0d0, 1d0], heun) == POLHODE_OK, 'tableau')
      call expect(polhode_method_runs_in_lanes(heun) == 0, 'no lanes')
      key%name = c_loc(name)
      key%numbers = c_loc(centre)
      key%count = 3
      call expect(polhode_torque_new('heavy-top'//c_null_char, [key], 1_c_size_t, half) == POLHODE_OK, 'half')
      call expect(polhode_torque_sum([half, half], 2_c_size_t, torque) == POLHODE_OK, 'sum')
      states(1)%momentum = m0
      states(2)%momentum = 2*m0
      again = states
      bodies%count = 2
      bodies%inertia = c_loc(inertia)
      bodies%shared = 1
      call expect(polhode_ensemble_with_method(method, torque, 1_c_size_t, ensemble) == POLHODE_OK, 'ensemble')
      call expect(polhode_ensemble_run(ensemble, bodies, states, 0d0, 0.1d0, 20_c_int64_t, 1_c_int64_t, &
         c_null_funptr, c_null_ptr, outcomes) == POLHODE_OK, 'run')
      call polhode_ensemble_free(ensemble)
      call expect(polhode_ensemble_new('strang+exact'//c_null_char, torque, 1_c_size_t, ensemble) == POLHODE_OK, 'new')
      call expect(polhode_ensemble_run(ensemble, bodies, again, 0d0, 0.1d0, 20_c_int64_t, 1_c_int64_t, &
         c_null_funptr, c_null_ptr, outcomes) == POLHODE_OK, 'run')
      call expect(all(states(2)%momentum == again(2)%momentum), 'the same method')
      call polhode_ensemble_free(ensemble)
      call polhode_torque_free(half)
      call polhode_torque_free(torque)
      call polhode_method_free(method)
      call polhode_method_free(heun)
   end subroutine

   subroutine rotations()
      real(c_double) :: q(4), back(3), forth(9), inverse(9), of_log(9)

      call expect(polhode_so3_exp(m0, q) == POLHODE_OK, 'exp')
      call expect(polhode_so3_log(q, back) == POLHODE_OK, 'log')
      call expect(maxval(abs(back - m0)) < 4*eps, 'log of exp')
      call expect(polhode_so3_dexp(m0, forth) == POLHODE_OK, 'dexp')
      call expect(polhode_so3_dexpinv(m0, inverse) == POLHODE_OK, 'dexpinv')
      call expect(maxval(abs(matmul(reshape(forth, [3, 3]), reshape(inverse, [3, 3])) - unity)) < 8*eps, 'inverse')
      call expect(polhode_so3_dlog(q, of_log) == POLHODE_OK, 'dlog')
      call expect(maxval(abs(of_log - inverse)) < 8*eps, 'dlog')
      call expect(polhode_so3_hat(m0, forth) == POLHODE_OK, 'hat')
      ! Row by row: the first row of the skew matrix is 0, -m3, m2.
      call expect(all(forth(:3) == [0d0, -m0(3), m0(2)]), 'rows')
   end subroutine

   subroutine special()
      type(polhode_jacobi_values) :: values
      type(polhode_jacobi_quotient_values) :: quotients
      real(c_double) :: x, y, z

      call expect(polhode_jacobi(0.7d0, 0.36d0, values) == POLHODE_OK, 'jacobi')
      call expect(abs(values%sn**2 + values%cn**2 - 1) < 2*eps, 'jacobi')
      call expect(polhode_elliptic_f(values%am, 0.36d0, x) == POLHODE_OK, 'F')
      call expect(abs(x - 0.7d0) < 4*eps, 'F')
      call expect(polhode_complete_k(0.36d0, x) == POLHODE_OK, 'K')
      call expect(polhode_rf(0d0, 0.36d0, 1d0, y) == POLHODE_OK, 'K = RF')
      call expect(abs(x - y) < 4*eps, 'K = RF')
      call expect(polhode_complete_pi(1d0, 0.36d0, y) == POLHODE_OK, 'K = Pi')
      call expect(abs(x - y) < 4*eps, 'K = Pi')
      call expect(polhode_complete_e(0.36d0, y) == POLHODE_OK, 'E')
      call expect(polhode_rd(0d0, 0.36d0, 1d0, z) == POLHODE_OK, 'RD')
      call expect(abs(x - y - 0.64d0*z/3) < 8*eps, 'E = K - k**2 RD/3')
      call expect(polhode_elliptic_e(acos(-1d0)/2, 0.36d0, x) == POLHODE_OK, 'E')
      call expect(abs(x - y) < 4*eps, 'E')
      call expect(polhode_elliptic_pi(0.7d0, 1d0, 0.36d0, x) == POLHODE_OK, 'Pi')
      call expect(polhode_elliptic_f(0.7d0, 0.36d0, y) == POLHODE_OK, 'Pi = F')
      call expect(abs(x - y) < 4*eps, 'Pi = F')
      call expect(polhode_elliptic_pi_m(0.7d0, 0.375d0, 0.25d0, x) == POLHODE_OK, 'Pi of m')
      call expect(polhode_elliptic_pi(0.7d0, 0.625d0, 0.75d0, y) == POLHODE_OK, 'Pi of mc')
      call expect(x == y, 'Pi of m')
      call expect(polhode_jacobi_quotients(0.7d0, 0.36d0, quotients) == POLHODE_OK, 'quotients')
      call expect(quotients%ns == 1/values%sn .and. quotients%dc == values%dn/values%cn, 'quotients')
      call expect(polhode_rc(1d0, 1d0, x) == POLHODE_OK, 'RC')
      call expect(abs(x - 1) < eps, 'RC')
      call expect(polhode_rj(1d0, 1d0, 1d0, 1d0, x) == POLHODE_OK, 'RJ')
      call expect(abs(x - 1) < eps, 'RJ')
   end subroutine
end program
