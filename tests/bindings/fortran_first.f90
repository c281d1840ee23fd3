! fortran_first.f90 - a first program in Fortran, which docs/cxx-and-fortran.md shows.
module bodies
  use tsr
  implicit none
  type(tsr_fn) :: product_fn

contains
  function block_product(l, r) result(y)
    type(tsr_array), intent(in) :: l, r
    type(tsr_array) :: y

    y = tsr_psum(tsr_dot(l, r), 'y')
  end function

  function loss(l, r) result(y)
    type(tsr_array), intent(in) :: l, r
    type(tsr_array) :: y

    y = 0.5 * tsr_sum(tsr_square(tsr_call(product_fn, l, r)))
  end function
end module

program first
  use bodies
  use iso_fortran_env, only: real32
  implicit none
  type(tsr_context) :: ctx
  type(tsr_mesh) :: m
  type(tsr_array) :: a, b, results(2)
  type(tsr_scope) :: scope
  real(real32) :: x(2, 4), c(2, 2), sums(2)
  character(200) :: text
  integer :: code, i, step

  call tsr_open(ctx, devices=4)
  m = tsr_mesh_make(ctx, ['x', 'y'], [2, 2])

  ! arrays: x(i, j) is row i and column j
  x(1, :) = [0, 1, 2, 3]
  x(2, :) = [4, 5, 6, 7]
  a = tsr_from(ctx, x)
  b = 2 * a + 1
  call tsr_read(tsr_sum(b, dims=[1]), sums)
  if (any(sums /= sum(2 * x + 1, dim=2))) error stop 'sums'

  ! a body on each device, its blocks and one sum
  product_fn = tsr_shard_map(m, tsr_body_2(block_product), '[x,y] [y,-] -> [x,-]')
  call tsr_read(tsr_call(product_fn, a, tsr_t(a)), c)
  print '(2f8.1)', (c(i, :), i=1, 2)

  ! its loss and gradient; what a step leaves behind ends with its scope
  do step = 1, 3
    call tsr_scope_open(ctx, scope)
    call tsr_call_into(results, tsr_value_and_grad(ctx, tsr_body_2(loss)), a, tsr_t(a))
    a = a - 0.001 * results(2)
    print '(f10.2)', tsr_item(results(1))
    call tsr_scope_close(scope)
  end do

  ! an error
  call tsr_check(a + tsr_ones(ctx, [3]), stat=code, errmsg=text)
  print '(i0, 2a)', code, ': ', trim(text)
  call tsr_close(ctx)
end program
