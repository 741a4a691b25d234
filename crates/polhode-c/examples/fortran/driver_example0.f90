! A free rigid body over one step of length t_end, attitude as a matrix: FRB-FORTRAN's example 0.
!
!     gfortran -O2 -o driver_example0 driver_files.f90 driver_example0.f90 -lpolhode
!
! Reads init_example0.dat and writes out_example0.dat; docs/drivers.md defines both.
program driver_example0
   use driver_files
   implicit none
   external :: frb_step, polhode_last_error
   character(*), parameter :: input = 'init_example0.dat'
   real(dp) :: aInert(3), Pi0(3), Pi1(3), rows(9), Q0(3, 3), Q1(3, 3), t_end(1)
   integer :: unit, status
   character(200) :: message

   call read_values(input, 'inertia', aInert)
   call read_values(input, 'momentum', Pi0)
   call read_values(input, 'attitude', rows)
   call read_values(input, 't_end', t_end)
   Q0 = reshape(rows, [3, 3], order=[2, 1])

   call frb_step(Pi1, Q1, t_end(1), aInert, Pi0, Q0)

   call polhode_last_error(status, message)
   if (status /= 0) then
      write (*, '(a)') trim(message)
      error stop 1
   end if
   call open_output(unit, 'out_example0.dat', 'driver_example0: a free body, by frb_step', &
      't m1 m2 m3 Q11 Q12 Q13 Q21 Q22 Q23 Q31 Q32 Q33')
   call write_row(unit, [0d0, Pi0, transpose(Q0)])
   call write_row(unit, [t_end, Pi1, transpose(Q1)])
   close (unit)
end program
