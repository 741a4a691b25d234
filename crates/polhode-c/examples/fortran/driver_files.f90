! Reading init_*.dat and writing out_*.dat: docs/drivers.md defines the files.
module driver_files
   implicit none
   private
   public :: dp, read_values, open_output, write_row

   integer, parameter :: dp = kind(1d0)

contains

   ! The values that stand behind a name in a file, as many as the array takes.
   subroutine read_values(file, name, values)
      character(*), intent(in) :: file, name
      real(dp), intent(out) :: values(:)
      character(1024) :: line
      character(64) :: word
      integer :: unit, status, comment, times

      open (newunit=unit, file=file, status='old', action='read', iostat=status)
      if (status /= 0) call fail(file, 'cannot be read')
      times = 0
      do
         read (unit, '(a)', iostat=status) line
         if (status /= 0) exit
         comment = index(line, '#')
         if (comment > 0) line(comment:) = ' '
         if (line == ' ') cycle
         read (line, *) word
         if (word /= name) cycle
         times = times + 1
         call read_numbers(file, name, line(index(line, trim(word)) + len_trim(word):), values)
      end do
      close (unit)
      if (times == 0) call fail(file, name//' is missing')
      if (times > 1) call fail(file, name//' stands there twice')
   end subroutine

   subroutine read_numbers(file, name, text, values)
      character(*), intent(in) :: file, name, text
      real(dp), intent(out) :: values(:)
      real(dp) :: one_more(size(values) + 1)
      character(12) :: count
      integer :: status

      write (count, '(i0)') size(values)
      read (text, *, iostat=status) values
      if (status /= 0) call fail(file, name//' needs '//trim(count)//' numbers')
      read (text, *, iostat=status) one_more
      if (status == 0) call fail(file, name//' has more than '//trim(count)//' values')
   end subroutine

   ! Opens the output and writes its comment lines.
   subroutine open_output(unit, file, title, columns)
      integer, intent(out) :: unit
      character(*), intent(in) :: file, title, columns
      integer :: status

      open (newunit=unit, file=file, status='replace', action='write', iostat=status)
      if (status /= 0) call fail(file, 'cannot be written')
      write (unit, '(2a)') '# ', title
      write (unit, '(2a)') '# ', columns
   end subroutine

   ! One line, with as many digits as doubles need to be read back unchanged.
   subroutine write_row(unit, numbers)
      integer, intent(in) :: unit
      real(dp), intent(in) :: numbers(:)

      write (unit, '(*(es25.16e3))') numbers
   end subroutine

   subroutine fail(file, message)
      character(*), intent(in) :: file, message

      write (*, '(3a)') file, ': ', message
      error stop 2
   end subroutine
end module
