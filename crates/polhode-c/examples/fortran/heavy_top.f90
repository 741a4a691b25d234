! A heavy top by the module polhode: a run with a torque and an observer written in Fortran.
!
!     gfortran -O2 -ffp-contract=off -o heavy_top polhode.f90 heavy_top.f90 -lpolhode
!
! polhode.f90 is installed in share/polhode/fortran.
module top
   use polhode
   implicit none

   type :: settings
      real(c_double) :: weight
   end type

contains

   ! The torque of the potential weight*u3, u = Q^T e3.
   integer(c_int32_t) function torque(user, t, state, result) bind(C)
      type(c_ptr), value :: user
      real(c_double), value :: t
      type(polhode_state), intent(in) :: state
      real(c_double), intent(out) :: result(3)
      type(settings), pointer :: data
      real(c_double) :: u1, u2

      call c_f_pointer(user, data)
      associate (w => state%attitude(1), x => state%attitude(2), y => state%attitude(3), z => state%attitude(4))
         u1 = 2d0*(x*z - w*y)
         u2 = 2d0*(y*z + w*x)
      end associate
      result = [data%weight*u2, -data%weight*u1, 0d0*t]
      torque = 0
   end function

   integer(c_int32_t) function print_sample(user, sample) bind(C)
      type(c_ptr), value :: user
      type(polhode_sample), intent(in) :: sample

      if (c_associated(user)) continue
      write (*, '(*(es25.16e3))') sample%t, sample%state%momentum, sample%state%attitude
      print_sample = 0
   end function
end module

program heavy_top
   use top
   implicit none
   type(settings), target :: data = settings(weight=2d0)
   type(polhode_state) :: start
   type(polhode_run_report) :: report
   type(c_ptr) :: body, method, fall, run

   start%momentum = [1d0, 5d0, 6d0]
   call check(polhode_body_new([1d0, 5d0, 6d0], 3_c_size_t, 0, body))
   call check(polhode_method_parse('rkn6-14+exact'//c_null_char, method))
   call check(polhode_torque_from_function(c_funloc(torque), c_null_funptr, c_loc(data), &
      POLHODE_ON_ATTITUDE, 0, fall))
   call check(polhode_run_new(body, fall, method, start, 0d0, 0.01d0, run))
   write (*, '(a)') '# t m1 m2 m3 w x y z'
   call check(polhode_run_advance(run, 1000_c_int64_t, 250_c_int64_t, c_funloc(print_sample), c_null_ptr))
   call check(polhode_run_describe(run, report))
   write (*, '(a,i0,2a)') '# ', report%step, ' steps, polhode ', polhode_text(polhode_version())
   call polhode_run_free(run)
   call polhode_torque_free(fall)
   call polhode_method_free(method)
   call polhode_body_free(body)

contains

   subroutine check(status)
      integer(c_int32_t), intent(in) :: status

      if (status == POLHODE_OK) return
      write (*, '(a)') polhode_message()
      error stop 1
   end subroutine
end program
