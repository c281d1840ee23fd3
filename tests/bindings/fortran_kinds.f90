! fortran_kinds.f90 - tests arrays of Fortran of each kind and rank, there and back.
! Made by tools/make_bindings.py of api/: change that one.
program test
  use tsr
  use iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  type(tsr_context) :: ctx
  integer :: failures = 0

  call tsr_open(ctx)
  call r32_0()
  call r32_1()
  call r32_2()
  call r32_3()
  call r32_4()
  call r32_5()
  call r32_6()
  call r32_7()
  call r64_0()
  call r64_1()
  call r64_2()
  call r64_3()
  call r64_4()
  call r64_5()
  call r64_6()
  call r64_7()
  call c32_0()
  call c32_1()
  call c32_2()
  call c32_3()
  call c32_4()
  call c32_5()
  call c32_6()
  call c32_7()
  call c64_0()
  call c64_1()
  call c64_2()
  call c64_3()
  call c64_4()
  call c64_5()
  call c64_6()
  call c64_7()
  call i8_0()
  call i8_1()
  call i8_2()
  call i8_3()
  call i8_4()
  call i8_5()
  call i8_6()
  call i8_7()
  call i16_0()
  call i16_1()
  call i16_2()
  call i16_3()
  call i16_4()
  call i16_5()
  call i16_6()
  call i16_7()
  call i32_0()
  call i32_1()
  call i32_2()
  call i32_3()
  call i32_4()
  call i32_5()
  call i32_6()
  call i32_7()
  call i64_0()
  call i64_1()
  call i64_2()
  call i64_3()
  call i64_4()
  call i64_5()
  call i64_6()
  call i64_7()
  call b8_0()
  call b8_1()
  call b8_2()
  call b8_3()
  call b8_4()
  call b8_5()
  call b8_6()
  call b8_7()
  call l32_0()
  call l32_1()
  call l32_2()
  call l32_3()
  call l32_4()
  call l32_5()
  call l32_6()
  call l32_7()
  call tsr_close(ctx)
  if (failures > 0) error stop 1

contains
  subroutine check(what, right)
    character(*), intent(in) :: what
    logical, intent(in) :: right

    if (right) return
    failures = failures + 1
    print '(2a)', 'failed: ', what
  end subroutine

  subroutine r32_0()
    real(real32), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = real(v, real32)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 0', (a == b))
    call check('r32 rank 0 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine r32_1()
    real(real32), target :: a(2), b(2)
    real(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real32), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 1', all(a == b))
    call check('r32 rank 1 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('r32 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('r32 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('r32 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r32_2()
    real(real32), target :: a(2, 3), b(2, 3)
    real(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real32), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 2', all(a == b))
    call check('r32 rank 2 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('r32 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('r32 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('r32 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r32_3()
    real(real32), target :: a(2, 3, 1), b(2, 3, 1)
    real(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real32), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 3', all(a == b))
    call check('r32 rank 3 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('r32 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('r32 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('r32 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r32_4()
    real(real32), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    real(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real32), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 4', all(a == b))
    call check('r32 rank 4 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('r32 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('r32 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('r32 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r32_5()
    real(real32), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    real(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real32), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 5', all(a == b))
    call check('r32 rank 5 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('r32 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('r32 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('r32 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r32_6()
    real(real32), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    real(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real32), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 6', all(a == b))
    call check('r32 rank 6 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('r32 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('r32 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('r32 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r32_7()
    real(real32), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    real(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real32), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r32 rank 7', all(a == b))
    call check('r32 rank 7 type', tsr_dtype_of(x) == TSR_F32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('r32 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r32 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('r32 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('r32 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r64_0()
    real(real64), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = real(v, real64)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 0', (a == b))
    call check('r64 rank 0 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine r64_1()
    real(real64), target :: a(2), b(2)
    real(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real64), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 1', all(a == b))
    call check('r64 rank 1 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('r64 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('r64 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('r64 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r64_2()
    real(real64), target :: a(2, 3), b(2, 3)
    real(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real64), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 2', all(a == b))
    call check('r64 rank 2 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('r64 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('r64 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('r64 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r64_3()
    real(real64), target :: a(2, 3, 1), b(2, 3, 1)
    real(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real64), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 3', all(a == b))
    call check('r64 rank 3 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('r64 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('r64 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('r64 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r64_4()
    real(real64), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    real(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real64), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 4', all(a == b))
    call check('r64 rank 4 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('r64 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('r64 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('r64 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r64_5()
    real(real64), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    real(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real64), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 5', all(a == b))
    call check('r64 rank 5 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('r64 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('r64 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('r64 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r64_6()
    real(real64), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    real(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real64), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 6', all(a == b))
    call check('r64 rank 6 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('r64 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('r64 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('r64 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine r64_7()
    real(real64), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    real(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(real(v, real64), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('r64 rank 7', all(a == b))
    call check('r64 rank 7 type', tsr_dtype_of(x) == TSR_F64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('r64 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('r64 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('r64 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('r64 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c32_0()
    complex(real32), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = cmplx(v, -v, real32)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 0', (a == b))
    call check('c32 rank 0 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine c32_1()
    complex(real32), target :: a(2), b(2)
    complex(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real32), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 1', all(a == b))
    call check('c32 rank 1 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('c32 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('c32 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('c32 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c32_2()
    complex(real32), target :: a(2, 3), b(2, 3)
    complex(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real32), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 2', all(a == b))
    call check('c32 rank 2 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('c32 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('c32 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('c32 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c32_3()
    complex(real32), target :: a(2, 3, 1), b(2, 3, 1)
    complex(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real32), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 3', all(a == b))
    call check('c32 rank 3 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('c32 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('c32 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('c32 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c32_4()
    complex(real32), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    complex(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real32), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 4', all(a == b))
    call check('c32 rank 4 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('c32 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('c32 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('c32 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c32_5()
    complex(real32), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    complex(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real32), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 5', all(a == b))
    call check('c32 rank 5 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('c32 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('c32 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('c32 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c32_6()
    complex(real32), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    complex(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real32), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 6', all(a == b))
    call check('c32 rank 6 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('c32 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('c32 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('c32 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c32_7()
    complex(real32), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    complex(real32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real32), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c32 rank 7', all(a == b))
    call check('c32 rank 7 type', tsr_dtype_of(x) == TSR_C64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('c32 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c32 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('c32 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('c32 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c64_0()
    complex(real64), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = cmplx(v, -v, real64)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 0', (a == b))
    call check('c64 rank 0 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine c64_1()
    complex(real64), target :: a(2), b(2)
    complex(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real64), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 1', all(a == b))
    call check('c64 rank 1 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('c64 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('c64 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('c64 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c64_2()
    complex(real64), target :: a(2, 3), b(2, 3)
    complex(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real64), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 2', all(a == b))
    call check('c64 rank 2 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('c64 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('c64 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('c64 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c64_3()
    complex(real64), target :: a(2, 3, 1), b(2, 3, 1)
    complex(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real64), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 3', all(a == b))
    call check('c64 rank 3 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('c64 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('c64 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('c64 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c64_4()
    complex(real64), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    complex(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real64), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 4', all(a == b))
    call check('c64 rank 4 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('c64 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('c64 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('c64 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c64_5()
    complex(real64), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    complex(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real64), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 5', all(a == b))
    call check('c64 rank 5 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('c64 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('c64 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('c64 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c64_6()
    complex(real64), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    complex(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real64), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 6', all(a == b))
    call check('c64 rank 6 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('c64 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('c64 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('c64 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine c64_7()
    complex(real64), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    complex(real64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(cmplx(v, -v, real64), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('c64 rank 7', all(a == b))
    call check('c64 rank 7 type', tsr_dtype_of(x) == TSR_C128 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('c64 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('c64 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('c64 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('c64 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i8_0()
    integer(int8), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = int(mod(v, 128), int8)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 0', (a == b))
    call check('i8 rank 0 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine i8_1()
    integer(int8), target :: a(2), b(2)
    integer(int8) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(mod(v, 128), int8), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 1', all(a == b))
    call check('i8 rank 1 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i8 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i8 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i8 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i8_2()
    integer(int8), target :: a(2, 3), b(2, 3)
    integer(int8) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(mod(v, 128), int8), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 2', all(a == b))
    call check('i8 rank 2 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i8 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i8 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i8 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i8_3()
    integer(int8), target :: a(2, 3, 1), b(2, 3, 1)
    integer(int8) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(mod(v, 128), int8), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 3', all(a == b))
    call check('i8 rank 3 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i8 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i8 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i8 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i8_4()
    integer(int8), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    integer(int8) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(mod(v, 128), int8), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 4', all(a == b))
    call check('i8 rank 4 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i8 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i8 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i8 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i8_5()
    integer(int8), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    integer(int8) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(mod(v, 128), int8), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 5', all(a == b))
    call check('i8 rank 5 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i8 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i8 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i8 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i8_6()
    integer(int8), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    integer(int8) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(mod(v, 128), int8), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 6', all(a == b))
    call check('i8 rank 6 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i8 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i8 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i8 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i8_7()
    integer(int8), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    integer(int8) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(mod(v, 128), int8), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i8 rank 7', all(a == b))
    call check('i8 rank 7 type', tsr_dtype_of(x) == TSR_I8 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i8 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i8 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i8 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i8 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i16_0()
    integer(int16), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = int(v, int16)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 0', (a == b))
    call check('i16 rank 0 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine i16_1()
    integer(int16), target :: a(2), b(2)
    integer(int16) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int16), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 1', all(a == b))
    call check('i16 rank 1 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i16 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i16 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i16 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i16_2()
    integer(int16), target :: a(2, 3), b(2, 3)
    integer(int16) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int16), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 2', all(a == b))
    call check('i16 rank 2 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i16 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i16 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i16 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i16_3()
    integer(int16), target :: a(2, 3, 1), b(2, 3, 1)
    integer(int16) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int16), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 3', all(a == b))
    call check('i16 rank 3 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i16 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i16 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i16 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i16_4()
    integer(int16), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    integer(int16) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int16), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 4', all(a == b))
    call check('i16 rank 4 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i16 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i16 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i16 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i16_5()
    integer(int16), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    integer(int16) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int16), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 5', all(a == b))
    call check('i16 rank 5 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i16 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i16 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i16 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i16_6()
    integer(int16), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    integer(int16) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int16), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 6', all(a == b))
    call check('i16 rank 6 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i16 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i16 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i16 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i16_7()
    integer(int16), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    integer(int16) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int16), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i16 rank 7', all(a == b))
    call check('i16 rank 7 type', tsr_dtype_of(x) == TSR_I16 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i16 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i16 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i16 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i16 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i32_0()
    integer(int32), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = int(v, int32)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 0', (a == b))
    call check('i32 rank 0 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine i32_1()
    integer(int32), target :: a(2), b(2)
    integer(int32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int32), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 1', all(a == b))
    call check('i32 rank 1 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i32 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i32 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i32 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i32_2()
    integer(int32), target :: a(2, 3), b(2, 3)
    integer(int32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int32), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 2', all(a == b))
    call check('i32 rank 2 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i32 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i32 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i32 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i32_3()
    integer(int32), target :: a(2, 3, 1), b(2, 3, 1)
    integer(int32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int32), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 3', all(a == b))
    call check('i32 rank 3 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i32 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i32 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i32 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i32_4()
    integer(int32), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    integer(int32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int32), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 4', all(a == b))
    call check('i32 rank 4 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i32 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i32 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i32 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i32_5()
    integer(int32), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    integer(int32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int32), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 5', all(a == b))
    call check('i32 rank 5 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i32 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i32 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i32 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i32_6()
    integer(int32), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    integer(int32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int32), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 6', all(a == b))
    call check('i32 rank 6 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i32 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i32 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i32 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i32_7()
    integer(int32), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    integer(int32) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int32), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i32 rank 7', all(a == b))
    call check('i32 rank 7 type', tsr_dtype_of(x) == TSR_I32 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i32 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i32 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i32 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i32 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i64_0()
    integer(int64), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = int(v, int64)
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 0', (a == b))
    call check('i64 rank 0 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [integer ::]))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 0 wrapped', (a == b))
    call tsr_drop(x)
  end subroutine

  subroutine i64_1()
    integer(int64), target :: a(2), b(2)
    integer(int64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int64), v=1, 2)], [2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 1', all(a == b))
    call check('i64 rank 1 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i64 rank 1 index', one == a(2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 1 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i64 rank 1 section', all(a(::2) == b(::2)))
    b = 0
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('i64 rank 1 wrapped part', all(a(::2) == b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i64_2()
    integer(int64), target :: a(2, 3), b(2, 3)
    integer(int64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int64), v=1, 2*3)], [2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 2', all(a == b))
    call check('i64 rank 2 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i64 rank 2 index', one == a(2, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 2 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i64 rank 2 section', all(a(:, ::2) == b(:, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('i64 rank 2 wrapped part', all(a(:, ::2) == b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i64_3()
    integer(int64), target :: a(2, 3, 1), b(2, 3, 1)
    integer(int64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int64), v=1, 2*3*1)], [2, 3, 1])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 3', all(a == b))
    call check('i64 rank 3 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i64 rank 3 index', one == a(2, 1, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 3 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i64 rank 3 section', all(a(:, :, ::2) == b(:, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('i64 rank 3 wrapped part', all(a(:, :, ::2) == b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i64_4()
    integer(int64), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    integer(int64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int64), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 4', all(a == b))
    call check('i64 rank 4 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i64 rank 4 index', one == a(2, 1, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 4 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i64 rank 4 section', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('i64 rank 4 wrapped part', all(a(:, :, :, ::2) == b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i64_5()
    integer(int64), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    integer(int64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int64), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 5', all(a == b))
    call check('i64 rank 5 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('i64 rank 5 index', one == a(2, 1, 1, 3, 1))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 5 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i64 rank 5 section', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('i64 rank 5 wrapped part', all(a(:, :, :, :, ::2) == b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i64_6()
    integer(int64), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    integer(int64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int64), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 6', all(a == b))
    call check('i64 rank 6 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('i64 rank 6 index', one == a(2, 1, 1, 3, 1, 3))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 6 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i64 rank 6 section', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('i64 rank 6 wrapped part', all(a(:, :, :, :, :, ::2) == b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine i64_7()
    integer(int64), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    integer(int64) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(int(v, int64), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = 0
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('i64 rank 7', all(a == b))
    call check('i64 rank 7 type', tsr_dtype_of(x) == TSR_I64 .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('i64 rank 7 index', one == a(2, 1, 1, 3, 1, 3, 2))
    b = 0
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('i64 rank 7 wrapped', all(a == b))
    b = 0
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i64 rank 7 section', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    b = 0
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('i64 rank 7 wrapped part', all(a(:, :, :, :, :, :, ::2) == b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine b8_0()
    logical(c_bool), target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = logical(mod(v, 3) == 0, c_bool)
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 0', logical((a .eqv. b)))
    call check('b8 rank 0 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [integer ::]))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 0 wrapped', logical((a .eqv. b)))
    call tsr_drop(x)
  end subroutine

  subroutine b8_1()
    logical(c_bool), target :: a(2), b(2)
    logical(c_bool) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(logical(mod(v, 3) == 0, c_bool), v=1, 2)], [2])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 1', logical(all(a .eqv. b)))
    call check('b8 rank 1 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('b8 rank 1 index', logical(one .eqv. a(2)))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 1 wrapped', logical(all(a .eqv. b)))
    b = .false.
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('b8 rank 1 section', logical(all(a(::2) .eqv. b(::2))))
    b = .false.
    x = tsr_wrap(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('b8 rank 1 wrapped part', logical(all(a(::2) .eqv. b(::2))))
    call tsr_drop(x)
  end subroutine

  subroutine b8_2()
    logical(c_bool), target :: a(2, 3), b(2, 3)
    logical(c_bool) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(logical(mod(v, 3) == 0, c_bool), v=1, 2*3)], [2, 3])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 2', logical(all(a .eqv. b)))
    call check('b8 rank 2 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('b8 rank 2 index', logical(one .eqv. a(2, 1)))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 2 wrapped', logical(all(a .eqv. b)))
    b = .false.
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('b8 rank 2 section', logical(all(a(:, ::2) .eqv. b(:, ::2))))
    b = .false.
    x = tsr_wrap(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('b8 rank 2 wrapped part', logical(all(a(:, ::2) .eqv. b(:, ::2))))
    call tsr_drop(x)
  end subroutine

  subroutine b8_3()
    logical(c_bool), target :: a(2, 3, 1), b(2, 3, 1)
    logical(c_bool) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(logical(mod(v, 3) == 0, c_bool), v=1, 2*3*1)], [2, 3, 1])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 3', logical(all(a .eqv. b)))
    call check('b8 rank 3 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('b8 rank 3 index', logical(one .eqv. a(2, 1, 1)))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 3 wrapped', logical(all(a .eqv. b)))
    b = .false.
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('b8 rank 3 section', logical(all(a(:, :, ::2) .eqv. b(:, :, ::2))))
    b = .false.
    x = tsr_wrap(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('b8 rank 3 wrapped part', logical(all(a(:, :, ::2) .eqv. b(:, :, ::2))))
    call tsr_drop(x)
  end subroutine

  subroutine b8_4()
    logical(c_bool), target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    logical(c_bool) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(logical(mod(v, 3) == 0, c_bool), v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 4', logical(all(a .eqv. b)))
    call check('b8 rank 4 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('b8 rank 4 index', logical(one .eqv. a(2, 1, 1, 3)))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 4 wrapped', logical(all(a .eqv. b)))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('b8 rank 4 section', logical(all(a(:, :, :, ::2) .eqv. b(:, :, :, ::2))))
    b = .false.
    x = tsr_wrap(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('b8 rank 4 wrapped part', logical(all(a(:, :, :, ::2) .eqv. b(:, :, :, ::2))))
    call tsr_drop(x)
  end subroutine

  subroutine b8_5()
    logical(c_bool), target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    logical(c_bool) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(logical(mod(v, 3) == 0, c_bool), v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 5', logical(all(a .eqv. b)))
    call check('b8 rank 5 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('b8 rank 5 index', logical(one .eqv. a(2, 1, 1, 3, 1)))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 5 wrapped', logical(all(a .eqv. b)))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('b8 rank 5 section', logical(all(a(:, :, :, :, ::2) .eqv. b(:, :, :, :, ::2))))
    b = .false.
    x = tsr_wrap(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('b8 rank 5 wrapped part', logical(all(a(:, :, :, :, ::2) .eqv. b(:, :, :, :, ::2))))
    call tsr_drop(x)
  end subroutine

  subroutine b8_6()
    logical(c_bool), target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    logical(c_bool) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(logical(mod(v, 3) == 0, c_bool), v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 6', logical(all(a .eqv. b)))
    call check('b8 rank 6 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('b8 rank 6 index', logical(one .eqv. a(2, 1, 1, 3, 1, 3)))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 6 wrapped', logical(all(a .eqv. b)))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('b8 rank 6 section', logical(all(a(:, :, :, :, :, ::2) .eqv. b(:, :, :, :, :, ::2))))
    b = .false.
    x = tsr_wrap(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('b8 rank 6 wrapped part', logical(all(a(:, :, :, :, :, ::2) .eqv. b(:, :, :, :, :, ::2))))
    call tsr_drop(x)
  end subroutine

  subroutine b8_7()
    logical(c_bool), target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    logical(c_bool) :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(logical(mod(v, 3) == 0, c_bool), v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('b8 rank 7', logical(all(a .eqv. b)))
    call check('b8 rank 7 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('b8 rank 7 index', logical(one .eqv. a(2, 1, 1, 3, 1, 3, 2)))
    b = .false.
    x = tsr_wrap(ctx, a)
    call tsr_read(tsr_reshape(x, tsr_shape(x)), b)
    call check('b8 rank 7 wrapped', logical(all(a .eqv. b)))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('b8 rank 7 section', logical(all(a(:, :, :, :, :, :, ::2) .eqv. b(:, :, :, :, :, :, ::2))))
    b = .false.
    x = tsr_wrap(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('b8 rank 7 wrapped part', logical(all(a(:, :, :, :, :, :, ::2) .eqv. b(:, :, :, :, :, :, ::2))))
    call tsr_drop(x)
  end subroutine

  subroutine l32_0()
    logical, target :: a, b
    type(tsr_array) :: x
    integer :: v

    v = 1
    a = mod(v, 3) == 0
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 0', (a .eqv. b))
    call check('l32 rank 0 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [integer ::]))
    call tsr_drop(x)
  end subroutine

  subroutine l32_1()
    logical, target :: a(2), b(2)
    logical :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(mod(v, 3) == 0, v=1, 2)], [2])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 1', all(a .eqv. b))
    call check('l32 rank 1 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2]))
    p = x
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('l32 rank 1 index', one .eqv. a(2))
    b = .false.
    x = tsr_from(ctx, a(::2))
    call tsr_read(x, b(::2))
    call check('l32 rank 1 section', all(a(::2) .eqv. b(::2)))
    call tsr_drop(x)
  end subroutine

  subroutine l32_2()
    logical, target :: a(2, 3), b(2, 3)
    logical :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(mod(v, 3) == 0, v=1, 2*3)], [2, 3])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 2', all(a .eqv. b))
    call check('l32 rank 2 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('l32 rank 2 index', one .eqv. a(2, 1))
    b = .false.
    x = tsr_from(ctx, a(:, ::2))
    call tsr_read(x, b(:, ::2))
    call check('l32 rank 2 section', all(a(:, ::2) .eqv. b(:, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine l32_3()
    logical, target :: a(2, 3, 1), b(2, 3, 1)
    logical :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(mod(v, 3) == 0, v=1, 2*3*1)], [2, 3, 1])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 3', all(a .eqv. b))
    call check('l32 rank 3 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('l32 rank 3 index', one .eqv. a(2, 1, 1))
    b = .false.
    x = tsr_from(ctx, a(:, :, ::2))
    call tsr_read(x, b(:, :, ::2))
    call check('l32 rank 3 section', all(a(:, :, ::2) .eqv. b(:, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine l32_4()
    logical, target :: a(2, 3, 1, 4), b(2, 3, 1, 4)
    logical :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(mod(v, 3) == 0, v=1, 2*3*1*4)], [2, 3, 1, 4])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 4', all(a .eqv. b))
    call check('l32 rank 4 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('l32 rank 4 index', one .eqv. a(2, 1, 1, 3))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, ::2))
    call tsr_read(x, b(:, :, :, ::2))
    call check('l32 rank 4 section', all(a(:, :, :, ::2) .eqv. b(:, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine l32_5()
    logical, target :: a(2, 3, 1, 4, 2), b(2, 3, 1, 4, 2)
    logical :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(mod(v, 3) == 0, v=1, 2*3*1*4*2)], [2, 3, 1, 4, 2])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 5', all(a .eqv. b))
    call check('l32 rank 5 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    call tsr_read(p, one)
    call check('l32 rank 5 index', one .eqv. a(2, 1, 1, 3, 1))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, ::2))
    call check('l32 rank 5 section', all(a(:, :, :, :, ::2) .eqv. b(:, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine l32_6()
    logical, target :: a(2, 3, 1, 4, 2, 3), b(2, 3, 1, 4, 2, 3)
    logical :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(mod(v, 3) == 0, v=1, 2*3*1*4*2*3)], [2, 3, 1, 4, 2, 3])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 6', all(a .eqv. b))
    call check('l32 rank 6 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    call tsr_read(p, one)
    call check('l32 rank 6 index', one .eqv. a(2, 1, 1, 3, 1, 3))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, ::2))
    call check('l32 rank 6 section', all(a(:, :, :, :, :, ::2) .eqv. b(:, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine

  subroutine l32_7()
    logical, target :: a(2, 3, 1, 4, 2, 3, 2), b(2, 3, 1, 4, 2, 3, 2)
    logical :: one
    type(tsr_array) :: x, p
    integer :: v

    a = reshape([(mod(v, 3) == 0, v=1, 2*3*1*4*2*3*2)], [2, 3, 1, 4, 2, 3, 2])
    b = .false.
    x = tsr_from(ctx, a)
    call tsr_read(x, b)
    call check('l32 rank 7', all(a .eqv. b))
    call check('l32 rank 7 type', tsr_dtype_of(x) == TSR_BOOL .and. &
      all(tsr_shape(x) == [2, 3, 1, 4, 2, 3, 2]))
    p = x
    p = tsr_index(p, 0, 1)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 0)
    p = tsr_index(p, 0, 2)
    p = tsr_index(p, 0, 1)
    call tsr_read(p, one)
    call check('l32 rank 7 index', one .eqv. a(2, 1, 1, 3, 1, 3, 2))
    b = .false.
    x = tsr_from(ctx, a(:, :, :, :, :, :, ::2))
    call tsr_read(x, b(:, :, :, :, :, :, ::2))
    call check('l32 rank 7 section', all(a(:, :, :, :, :, :, ::2) .eqv. b(:, :, :, :, :, :, ::2)))
    call tsr_drop(x)
  end subroutine
end program
