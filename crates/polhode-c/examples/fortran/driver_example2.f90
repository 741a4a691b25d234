! A free rigid body over one step of length t_end, attitude as a quaternion: FRB-FORTRAN's example 2.
!
!     gfortran -O2 -o driver_example2 driver_files.f90 driver_example2.f90 -lpolhode
!
! Reads init_example2.dat and writes out_example2.dat; docs/drivers.md defines both.
program driver_example2
   use driver_files
   implicit none
   external :: quat_step, polhode_last_error
   character(*), parameter :: input = 'init_example2.dat'
   real(dp) :: aInert(3), Pi0(3), Pi1(3), q0(4), q1(4), t_end(1)
   integer :: unit, status
   character(200) :: message

   call read_values(input, 'inertia', aInert)
   call read_values(input, 'momentum', Pi0)
   call read_values(input, 'attitude', q0)
   call read_values(input, 't_end', t_end)

   call quat_step(Pi1, q1, t_end(1), aInert, Pi0, q0)

   call polhode_last_error(status, message)
   if (status /= 0) then
      write (*, '(a)') trim(message)
      error stop 1
   end if
   call open_output(unit, 'out_example2.dat', 'driver_example2: a free body, by quat_step', &
      't m1 m2 m3 q0 q1 q2 q3')
   call write_row(unit, [0d0, Pi0, q0])
   call write_row(unit, [t_end, Pi1, q1])
   close (unit)
end program
