! fortran_bodies.f90 - tests procedures of Fortran as bodies: a product on a mesh, a gradient
! through shard_map, control flow, lives of variables, and errors that are caught.
module fortran_bodies
  use iso_c_binding
  use tsr
  implicit none
  type(tsr_fn), save :: product_fn
  integer, save :: failures = 0, traced = 0

contains
  subroutine check(what, right)
    character(*), intent(in) :: what
    logical, intent(in) :: right

    if (right) return
    failures = failures + 1
    print '(2a)', 'failed: ', what
  end subroutine

  function block_product(a, b) result(y)
    type(tsr_array), intent(in) :: a, b
    type(tsr_array) :: y

    y = tsr_psum(tsr_dot(a, b), 'y')
  end function

  ! the sum of the squares of the product
  function loss(a, b) result(y)
    type(tsr_array), intent(in) :: a, b
    type(tsr_array) :: y

    y = tsr_sum(tsr_square(tsr_call(product_fn, a, b)))
  end function

  function twice(x) result(y)
    type(tsr_array), intent(in) :: x
    type(tsr_array) :: y

    traced = traced + 1
    y = x * 2
  end function

  function small(x) result(y)
    type(tsr_array), intent(in) :: x
    type(tsr_array) :: y

    y = x < 1000
  end function

  function negate(x) result(y)
    type(tsr_array), intent(in) :: x
    type(tsr_array) :: y

    y = -x
  end function

  function add_index(i, x) result(y)
    type(tsr_array), intent(in) :: i, x
    type(tsr_array) :: y

    y = x + i
  end function

  function sum_of_cubes(x) result(y)
    type(tsr_array), intent(in) :: x
    type(tsr_array) :: y

    y = tsr_sum(x**3)
  end function

  ! takes what does not fit
  function wrong(x) result(y)
    type(tsr_array), intent(in) :: x
    type(tsr_array) :: y

    y = tsr_dot(x, tsr_reshape(x, [4, 1]))
  end function

  ! the next carry, and what is stacked
  subroutine step(args, results)
    type(tsr_array), intent(in) :: args(:)
    type(tsr_array), intent(inout) :: results(:)

    results(1) = args(1) + args(2)
    results(2) = results(1) * 10
  end subroutine
end module

program test
  use iso_c_binding
  use fortran_bodies
  implicit none
  type(tsr_context) :: ctx

  call tsr_open(ctx, devices=4)
  call on_a_mesh()
  call control()
  call lives()
  call wrapped()
  call errors()
  call tsr_close(ctx)
  if (failures > 0) error stop 1

contains
  ! [[0,1,2,3],[4,5,6,7]] times its transpose, the dim that is summed split over 'y'
  subroutine on_a_mesh()
    type(tsr_mesh) :: m
    type(tsr_array) :: a, c, g(3)
    real(real32) :: x(2, 4), got(2, 2), gradient(2, 4)
    integer :: i, j

    do j = 1, 4
      do i = 1, 2
        x(i, j) = real(4 * (i - 1) + j - 1)
      end do
    end do
    m = tsr_mesh_make(ctx, ['x', 'y'], [2, 2])
    product_fn = tsr_shard_map(m, tsr_body_2(block_product), '[x,y] [y,-] -> [x,-]')
    a = tsr_from(ctx, x)
    c = tsr_call(product_fn, a, tsr_t(a))
    call tsr_read(c, got)
    call check('product', all(got == matmul(x, transpose(x))) .and. got(1, 2) == 38)

    ! its gradient: 2 c b', with b' the transpose of b
    call tsr_call_into(g, tsr_value_and_grad(ctx, tsr_body_2(loss), wrt=[0, 1]), a, tsr_t(a))
    call check('loss', abs(tsr_item(g(1)) - sum(got**2)) < 1)
    call tsr_read(g(2), gradient)
    call check('gradient', all(gradient == 2 * matmul(got, x)))
    call tsr_read(tsr_t(g(3)), gradient)
    call check('gradient of b', all(gradient == 2 * matmul(got, x)))
  end subroutine

  subroutine control()
    type(tsr_fn) :: f, g, h
    type(tsr_array) :: x, y, r(2)
    real(real64) :: values(3)
    integer :: whole

    x = tsr_from(ctx, [1.0, 2.0, 3.0])
    f = tsr_jit(ctx, tsr_body_1(twice), name='twice')
    g = tsr_jit(ctx, tsr_body_1(twice), name='twice')
    call tsr_read(tsr_call(f, x) + tsr_call(g, x), values)
    call check('one fn', all(values == [4, 8, 12]) .and. traced == 1)
    h = tsr_jit(ctx, tsr_body_1(negate))
    call tsr_read(tsr_cond(tsr_sum(x) > 0, h, f, x), values)
    call check('cond', all(values == [-1, -2, -3]))
    y = tsr_while(tsr_jit(ctx, tsr_body_1(small)), f, tsr_max(x))
    call check('while', tsr_item(y) == 1536)
    y = tsr_fori(0, 10, tsr_jit(ctx, tsr_body_2(add_index)), 0)
    call tsr_read(y, whole)
    call check('fori', whole == 45)
    call tsr_scan(r, tsr_jit(ctx, tsr_body(step, results=2)), 0.0, x)
    call tsr_read(r(2), values)
    call check('scan', tsr_item(r(1)) == 6 .and. all(values == [10, 30, 60]))
    call tsr_read(tsr_call(tsr_vmap(ctx, tsr_body_fn(f)), x), values)
    call check('vmap', all(values == [2, 4, 6]))
    call tsr_read(tsr_call(tsr_grad(ctx, tsr_body_fn(tsr_jit(ctx, tsr_body_1(sum_of_cubes)))), x), &
                  values)
    call check('grad', all(values == 3 * [1, 4, 9]))
    call tsr_fn_release(h)
  end subroutine

  ! variables own their values: what a scope ends are the temporaries
  subroutine lives()
    type(tsr_array), allocatable :: list(:)
    type(tsr_array) :: x, y
    type(tsr_scope) :: scope
    type(tsr_context) :: other
    type(tsr_memory_info) :: before, after
    integer :: i

    x = tsr_zeros(ctx, [1000])
    before = tsr_memory_c(ctx%ptr)
    do i = 1, 1000
      call tsr_scope_open(ctx, scope)
      x = x + 1
      y = x
      allocate (list(3))
      list = [x, y, x * 2]
      deallocate (list)
      call tsr_scope_close(scope)
    end do
    after = tsr_memory_c(ctx%ptr)
    call check('value', tsr_item(tsr_max(x)) == 1000 .and. tsr_item(tsr_min(y)) == 1000)
    call check('memory', after%in_use < before%in_use + 100000)
    y = x
    call tsr_drop(x)
    call check('copy', all(tsr_shape(y) == [1000]))

    call tsr_open(other)
    y = tsr_ones(other, [2])
    call tsr_close(other)
    y = tsr_ones(ctx, [3]) ! what it had is gone with its context
    call check('other context', all(tsr_shape(y) == [3]))
  end subroutine

  ! an array that is wrapped is in the memory of the program, as the program has it
  subroutine wrapped()
    real(real32), target :: a(3, 4)
    integer(c_int64_t), target :: strides(2)
    type(c_ptr) :: place
    type(tsr_array) :: whole, part

    a = 1
    whole = tsr_wrap(ctx, a)
    place = tsr_shard_borrow_at(c_null_ptr, whole%handle, 0_c_int64_t, c_loc(strides))
    call check('memory of the program', c_associated(place, c_loc(a)))
    call check('strides', all(strides == [4, 12]) .and. all(tsr_shape(whole) == [3, 4]))
    part = tsr_wrap(ctx, a(3:1:-2, 2:3))
    place = tsr_shard_borrow_at(c_null_ptr, part%handle, 0_c_int64_t, c_loc(strides))
    call check('memory of a section', c_associated(place, c_loc(a(3, 2))))
    call check('strides of a section', all(strides == [-8, 12]))
  end subroutine

  subroutine errors()
    type(tsr_array) :: a, b, c
    real(real32) :: values(2)
    character(400) :: text
    integer :: code

    a = tsr_ones(ctx, [4])
    b = tsr_ones(ctx, [3])
    c = (a + b) * 2
    call check('poison', tsr_is_poison(c))
    call tsr_read(c, values, stat=code, errmsg=text)
    call check('code', code == TSR_ERROR_TYPE)
    call check('text', index(text, 'shapes for broadcasting: (4,), (3,)') > 0)
    call check('cleared', tsr_status(ctx) == 0 .and. tsr_message(ctx) == '')
    call tsr_check(tsr_call(tsr_jit(ctx, tsr_body_1(wrong), name='wrong'), b), code, text)
    call check('in a body', code == TSR_ERROR_TYPE .and. index(text, 'tracing wrong') > 0)
    call tsr_read(a, values, stat=code)
    call check('shape', code /= 0)
    call tsr_check(a, code)
    call check('fine', code == 0)
    call no_value(c)
  end subroutine

  ! poison whose error was cleared, variables without a value, arrays of a closed context
  subroutine no_value(poison)
    type(tsr_array), intent(in) :: poison
    type(tsr_array) :: unset, late
    type(tsr_context) :: other
    real(real32) :: values(4)
    real(real64) :: one
    character(400) :: text
    integer :: code

    call tsr_read(poison, values, stat=code, errmsg=text)
    call check('reads old poison', code == TSR_ERROR_HANDLE .and. index(text, 'poison') > 0)
    call tsr_check(poison, stat=code)
    call check('checks old poison', code == TSR_ERROR_HANDLE)
    one = tsr_item(poison, stat=code)
    call check('item of old poison', code == TSR_ERROR_HANDLE)
    call tsr_read(unset, values, stat=code, errmsg=text)
    call check('reads nothing', code == TSR_ERROR_HANDLE .and. index(text, 'no value yet') > 0)
    one = tsr_item(unset, stat=code)
    call check('item of nothing', code == TSR_ERROR_HANDLE .and. one /= 0)
    call tsr_check(unset, stat=code)
    call check('checks nothing', code == TSR_ERROR_HANDLE .and. tsr_is_poison(unset))
    call tsr_open(other)
    late = tsr_ones(other, [4])
    call tsr_close(other)
    call tsr_check(late, stat=code)
    call check('closed', code == TSR_ERROR_HANDLE)
    call tsr_read(late, values, stat=code)
    call check('reads of closed', code == TSR_ERROR_HANDLE .and. tsr_is_poison(late))
  end subroutine
end program
