! A rigid body under a weak torque for a long time, by a splitting method of order 6: FRB-FORTRAN's
! example 1, section 4.3 of the paper.
!
!     gfortran -O2 -ffp-contract=off -o driver_example1 driver_files.f90 driver_example1.f90 -lpolhode
!
! Reads init_example1.dat and writes out_example1.dat; docs/drivers.md defines both. Without
! contraction the bits are the same on every machine.
program driver_example1
   use driver_files
   implicit none
   external :: frb_step, polhode_last_error
   character(*), parameter :: input = 'init_example1.dat'
   real(dp) :: aInert(3), Pi(3), rows(9), Q(3, 3), u0(3), a(8), b(7), h, scalar(1)
   integer :: unit, status, n, steps, every, j
   character(200) :: message

   call read_values(input, 'inertia', aInert)
   call read_values(input, 'momentum', Pi)
   call read_values(input, 'attitude', rows)
   call read_values(input, 'u0', u0)
   call read_values(input, 'a', a)
   call read_values(input, 'b', b)
   call read_values(input, 'every', scalar)
   every = max(nint(scalar(1)), 1)
   call read_values(input, 'step', scalar)
   h = scalar(1)
   call read_values(input, 't_end', scalar)
   steps = nint(scalar(1)/h)
   Q = reshape(rows, [3, 3], order=[2, 1])

   call open_output(unit, 'out_example1.dat', 'driver_example1: a body under a weak torque, by frb_step', &
      't m1 m2 m3 Q11 Q12 Q13 Q21 Q22 Q23 Q31 Q32 Q33')
   call write_row(unit, [0d0, Pi, transpose(Q)])
   do n = 1, steps
      do j = 1, 7
         call free(a(j)*h)
         call kick(b(j)*h)
      end do
      call free(a(8)*h)
      do j = 7, 1, -1
         call kick(b(j)*h)
         call free(a(j)*h)
      end do
      if (mod(n, every) == 0 .or. n == steps) call write_row(unit, [n*h, Pi, transpose(Q)])
   end do
   close (unit)

   call polhode_last_error(status, message)
   if (status /= 0) then
      write (*, '(a)') trim(message)
      error stop 1
   end if

contains

   ! The free body.
   subroutine free(time)
      real(dp), intent(in) :: time
      real(dp) :: Piin(3), Qin(3, 3)

      Piin = Pi
      Qin = Q
      call frb_step(Pi, Q, time, aInert, Piin, Qin)
   end subroutine

   ! The torque (u2, -u1, 0), with u = Q^T u0, while the attitude stands still.
   subroutine kick(time)
      real(dp), intent(in) :: time
      real(dp) :: u1, u2

      u1 = Q(1, 1)*u0(1) + Q(2, 1)*u0(2) + Q(3, 1)*u0(3)
      u2 = Q(1, 2)*u0(1) + Q(2, 2)*u0(2) + Q(3, 2)*u0(3)
      Pi(1) = Pi(1) + time*u2
      Pi(2) = Pi(2) - time*u1
   end subroutine
end program
