! tsr.f90 - Tessera for Fortran: arrays that own their handles, operators, procedures as bodies.
!
!     use tsr
!     type(tsr_context) :: ctx
!     type(tsr_array) :: x, y
!     real(real32) :: a(2, 3)
!     ...
!     call tsr_open(ctx, devices=4)
!     x = tsr_from(ctx, a)          ! dims [2,3]: a(i, j) is the element of row i and column j
!     y = tsr_sum(2 * x + 1, dims=[0])
!     call tsr_read(y, sums)
!     call tsr_close(ctx)
!
! Numbers of dims, devices and arguments begin with 0, as in C; -1 is the last dim. A variable owns
! its value. What an expression makes belongs to the innermost scope (tsr_scope_open), in a body to
! its trace. A call that fails gives poison, and so does what is computed with it; the error stays
! with the context until tsr_clear. Procedures that give values to Fortran (tsr_read, tsr_item,
! tsr_close) and tsr_check end the program with its text, unless they are given stat or errmsg.
!
! The files tsr_made_*.inc are made by tools/make_bindings.py: all functions of the library with
! keywords as optional arguments. tsr_c.f90 has the functions of C themselves.
module tsr
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, error_unit
  use tsr_c
  implicit none

  integer, parameter, private :: most_contexts = 256
  type(c_ptr), save, private :: open_ctx(most_contexts) = c_null_ptr
  integer(int64), save, private :: open_serial(most_contexts) = 0, last_serial = 0
  integer, save, private :: depth = 0 ! of bodies that are being traced
  type(c_ptr), allocatable, save, private :: kept(:) ! what they have returned

  !> A context: devices, caches, memory, the first error.
  type :: tsr_context
    type(c_ptr) :: ptr = c_null_ptr
    integer(int64), private :: serial = 0
  end type

  !> An array, or in a body the value that an array will have. A variable owns its handle, which
  !> is released when it goes or is assigned to.
  type :: tsr_array
    type(c_ptr) :: handle = c_null_ptr
    integer(int64), private :: serial = 0 ! of its context, which may be closed before
    logical, private :: owned = .false.
  contains
    procedure, private :: assign_array
    generic :: assignment(=) => assign_array
    final :: drop_array
  end type

  !> Named axes over devices; lives as long as its context.
  type :: tsr_mesh
    type(c_ptr) :: ptr = c_null_ptr
  end type
  !> Where the parts of an array are; lives as long as its context.
  type :: tsr_sharding
    type(c_ptr) :: ptr = c_null_ptr
  end type
  !> A fn: a body with its transformations. Lives until tsr_fn_release, or as long as its context.
  type :: tsr_fn
    type(c_ptr) :: ptr = c_null_ptr
  end type
  !> An optimiser; lives as long as its context.
  type :: tsr_optimizer
    type(c_ptr) :: ptr = c_null_ptr
  end type
  !> A scope: what expressions make belongs to the innermost one, and ends with it.
  type :: tsr_scope
    type(c_ptr) :: ptr = c_null_ptr
  end type

  !> Bodies: functions of 1 to 3 arrays, or a subroutine of any number of arguments and results.
  abstract interface
    function tsr_function_1(x) result(y)
      import :: tsr_array
      type(tsr_array), intent(in) :: x
      type(tsr_array) :: y
    end function
    function tsr_function_2(a, b) result(y)
      import :: tsr_array
      type(tsr_array), intent(in) :: a, b
      type(tsr_array) :: y
    end function
    function tsr_function_3(a, b, c) result(y)
      import :: tsr_array
      type(tsr_array), intent(in) :: a, b, c
      type(tsr_array) :: y
    end function
    subroutine tsr_subroutine(args, results)
      import :: tsr_array
      type(tsr_array), intent(in) :: args(:)
      type(tsr_array), intent(inout) :: results(:)
    end subroutine
  end interface
  !> A procedure as a body: tsr_body_1(f) of a function of one array, and so on.
  type :: tsr_procedure
    integer, private :: arity = 0, results = 1 ! arity 0: a subroutine
    type(c_funptr), private :: procedure = c_null_funptr
    type(c_ptr), private :: fn = c_null_ptr
  end type
  type, private, bind(c) :: environment ! .env of a fn
    integer(c_int64_t) :: arity, results
    type(c_funptr) :: procedure
  end type

  include 'tsr_made_interfaces.inc'

  private :: give, drop_handle, own_context, alive, handle_of, assign_array, drop_array, report
  private :: enter, leave, serial_of, operand_of, number_of, real_of, dims_of, spec_of, text_of
  private :: c_text, c_string, tree_of, list_of, from_memory, wrap_memory, read_memory, same_shape
  private :: address, run_body, environment_of, body_of, drop_kept, arguments_of, add_argument
  private :: set_grad, places_of, take_results, refuse

  ! of the library of C
  interface
    integer(c_size_t) function length_of(text) bind(c, name='strlen')
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

contains
  ! ---- contexts, errors, scopes

  !> Opens a context. An error ends the program, unless stat or errmsg is given.
  subroutine tsr_open(ctx, devices, engine, workers, stat, errmsg)
    type(tsr_context), intent(inout) :: ctx
    integer, intent(in), optional :: devices, workers
    character(*), intent(in), optional :: engine
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(tsr_open_args), target :: how
    character(kind=c_char), target :: name(64)

    how%size = c_sizeof(how)
    if (present(devices)) how%devices = int(devices, c_int)
    if (present(workers)) how%workers = int(workers, c_int)
    if (present(engine)) then
      if (len_trim(engine) >= size(name)) error stop 'tsr_open: the name is too long'
      name(1:len_trim(engine) + 1) = c_text(engine)
      how%engine = c_loc(name)
    end if
    ctx%ptr = tsr_open_at(c_null_ptr, c_loc(how))
    if (tsr_status_c(ctx%ptr) == 0) call enter(ctx)
    call report(ctx%ptr, stat, errmsg)
  end subroutine

  !> Frees all that belongs to a context; arrays that are left are empty. stat: the code of an
  !> error that nobody has looked at.
  subroutine tsr_close(ctx, stat)
    type(tsr_context), intent(inout) :: ctx
    integer, intent(out), optional :: stat
    integer(c_int) :: code

    call leave(ctx%serial)
    code = tsr_close_c(ctx%ptr)
    ctx = tsr_context()
    if (present(stat)) then
      stat = int(code)
    else if (code /= 0) then
      error stop 'tsr_close: an error was recorded'
    end if
  end subroutine

  !> The code of the first error of a context; 0: none.
  integer function tsr_status(ctx)
    type(tsr_context), intent(in) :: ctx

    tsr_status = int(tsr_status_c(ctx%ptr))
  end function

  !> The text of that error.
  function tsr_message(ctx) result(text)
    type(tsr_context), intent(in) :: ctx
    character(:), allocatable :: text

    text = text_of(tsr_message_c(ctx%ptr))
  end function

  !> Forgets the error.
  subroutine tsr_clear(ctx)
    type(tsr_context), intent(in) :: ctx

    call tsr_clear_c(ctx%ptr)
  end subroutine

  !> Tells whether x has a value. stat is 0, or the code of the error that made it poison, and
  !> errmsg the text; the error is forgotten then. Without them an error ends the program.
  subroutine tsr_check(x, stat, errmsg)
    type(tsr_array), intent(in) :: x
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (present(stat)) stat = 0
    if (tsr_is_poison(x)) call refuse(x, 'tsr_check', stat, errmsg)
  end subroutine

  !> Whether x stands for a value that could not be made.
  logical function tsr_is_poison(x)
    type(tsr_array), intent(in) :: x

    tsr_is_poison = tsr_is_poison_c(handle_of(x))
  end function

  !> Opens a scope, which ends what expressions make until it is closed.
  subroutine tsr_scope_open(ctx, scope)
    type(tsr_context), intent(in) :: ctx
    type(tsr_scope), intent(out) :: scope

    scope%ptr = tsr_scope_open_c(ctx%ptr)
  end subroutine

  !> Ends a scope.
  subroutine tsr_scope_close(scope)
    type(tsr_scope), intent(inout) :: scope

    if (c_associated(scope%ptr)) call tsr_scope_close_c(scope%ptr)
    scope%ptr = c_null_ptr
  end subroutine

  ! an error of a context goes to stat and errmsg, and is forgotten, or ends the program
  subroutine report(ctx, stat, errmsg)
    type(c_ptr), intent(in) :: ctx
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: code

    code = int(tsr_status_c(ctx))
    if (present(stat)) stat = code
    if (code == 0) return
    if (present(errmsg)) errmsg = text_of(tsr_message_c(ctx))
    if (.not. (present(stat) .or. present(errmsg))) then
      write (error_unit, '(a)') text_of(tsr_message_c(ctx))
      error stop 1
    end if
    call tsr_clear_c(ctx)
  end subroutine

  ! why x has no value goes where report() brings errors, also if the context has forgotten it or
  ! is gone
  subroutine refuse(x, name, stat, errmsg)
    type(tsr_array), intent(in) :: x
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: text

    text = name // ': the array is empty: it has no value yet, or its context is closed'
    if (alive(x)) then
      if (tsr_status_c(own_context(x)) /= 0) then
        call report(own_context(x), stat, errmsg)
        return
      end if
      text = name // ': the array is poison, from an error that was cleared'
    end if
    if (present(stat)) stat = TSR_ERROR_HANDLE
    if (present(errmsg)) errmsg = text
    if (present(stat) .or. present(errmsg)) return
    write (error_unit, '(a)') text
    error stop 1
  end subroutine

  ! which contexts are open: arrays that outlive theirs do not touch it
  subroutine enter(ctx)
    type(tsr_context), intent(inout) :: ctx
    integer :: k

    last_serial = last_serial + 1
    ctx%serial = last_serial
    do k = 1, most_contexts
      if (open_serial(k) /= 0) cycle
      open_serial(k) = ctx%serial
      open_ctx(k) = ctx%ptr
      return
    end do
    error stop 'tsr_open: more than 256 contexts are open'
  end subroutine

  subroutine leave(serial)
    integer(int64), intent(in) :: serial

    where (open_serial == serial) open_serial = 0
  end subroutine

  integer(int64) function serial_of(ctx)
    type(c_ptr), intent(in) :: ctx
    integer :: k

    serial_of = 0
    do k = 1, most_contexts
      if (open_serial(k) /= 0 .and. c_associated(open_ctx(k), ctx)) serial_of = open_serial(k)
    end do
  end function

  ! ---- lives of arrays

  ! what a call has made belongs to the innermost scope, and to a variable that it is assigned to
  subroutine give(x, handle)
    type(tsr_array), intent(inout) :: x
    type(c_ptr), intent(in) :: handle

    x%handle = handle
    x%serial = serial_of(tsr_ctx_of_c(handle))
    x%owned = .false.
  end subroutine

  subroutine drop_handle(handle)
    type(c_ptr), intent(in) :: handle
    type(c_ptr), target :: slot

    slot = handle
    call tsr_drop_c(c_loc(slot))
  end subroutine

  type(c_ptr) function own_context(x)
    type(tsr_array), intent(in) :: x

    own_context = tsr_ctx_of_c(x%handle)
  end function

  ! whether x has a handle of a context that is open
  elemental logical function alive(x)
    type(tsr_array), intent(in) :: x

    alive = c_associated(x%handle) .and. any(open_serial == x%serial)
  end function

  ! the handle of an operand; none where its context is gone
  type(c_ptr) function handle_of(x)
    type(tsr_array), intent(in) :: x

    handle_of = c_null_ptr
    if (alive(x)) handle_of = x%handle
  end function

  impure elemental subroutine assign_array(lhs, rhs)
    class(tsr_array), intent(inout) :: lhs
    type(tsr_array), intent(in) :: rhs
    type(c_ptr), target :: value
    type(c_ptr) :: old
    logical(c_bool) :: own

    if (c_associated(lhs%handle, rhs%handle)) return
    value = c_null_ptr
    own = .false.
    if (alive(rhs)) then
      value = rhs%handle
      if (.not. tsr_is_poison_c(value)) then
        value = c_null_ptr
        own = tsr_set_at(c_null_ptr, c_loc(value), rhs%handle)
      end if
    end if
    old = lhs%handle
    if (lhs%owned .and. any(open_serial == lhs%serial)) call drop_handle(old)
    lhs%handle = value
    lhs%serial = rhs%serial
    lhs%owned = own
  end subroutine

  impure elemental subroutine drop_array(x)
    type(tsr_array), intent(inout) :: x

    if (x%owned .and. alive(x)) call drop_handle(x%handle)
    x%handle = c_null_ptr
    x%owned = .false.
  end subroutine

  !> Frees what a variable holds.
  impure elemental subroutine tsr_drop(x)
    type(tsr_array), intent(inout) :: x

    call drop_array(x)
  end subroutine

  ! ---- arguments

  ! a number of Fortran, or an array
  type(tsr_arg) function operand_of(x)
    class(*), intent(in) :: x

    select type (x)
    type is (tsr_array)
      operand_of%kind = TSR_KIND_ONE
      operand_of%word(1) = transfer(handle_of(x), 0_c_int64_t)
    class default
      operand_of = number_of(x)
    end select
  end function

  type(tsr_arg) function number_of(x)
    class(*), intent(in) :: x

    number_of = tsr_arg(TSR_KIND_FLOAT, 0)
    select type (x)
    type is (real(real32))
      number_of%word(1) = transfer(real(x, c_double), 0_c_int64_t)
    type is (real(real64))
      number_of%word(1) = transfer(x, 0_c_int64_t)
    type is (integer(int32))
      number_of%kind = TSR_KIND_INT
      number_of%word(1) = int(x, c_int64_t)
    type is (integer(int64))
      number_of%kind = TSR_KIND_INT
      number_of%word(1) = x
    type is (logical)
      number_of%kind = TSR_KIND_BOOL
      number_of%word(1) = merge(1_c_int64_t, 0_c_int64_t, x)
    type is (complex(real32))
      number_of%kind = TSR_KIND_COMPLEX
      number_of%word(1:2) = transfer(cmplx(x, kind=c_double), 0_c_int64_t, 2)
    type is (complex(real64))
      number_of%kind = TSR_KIND_COMPLEX
      number_of%word(1:2) = transfer(x, 0_c_int64_t, 2)
    class default
      error stop 'tsr: an operand is neither an array nor a number'
    end select
  end function

  real(c_double) function real_of(x)
    class(*), intent(in) :: x

    select type (x)
    type is (real(real32))
      real_of = real(x, c_double)
    type is (real(real64))
      real_of = x
    type is (integer(int32))
      real_of = real(x, c_double)
    class default
      error stop 'tsr: an argument is no real number'
    end select
  end function

  type(tsr_dims) function dims_of(list)
    integer, intent(in) :: list(:)

    if (size(list) > TSR_MAX_NDIM) error stop 'tsr: a list of dims has more than 8 entries'
    dims_of%d(1) = 1 + size(list)
    dims_of%d(2:1 + size(list)) = int(list, c_int64_t)
  end function

  ! the text of C, in memory of Fortran
  function text_of(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: copy
    character(kind=c_char), pointer :: at(:)
    integer :: k, n

    n = 0
    if (c_associated(text)) n = int(length_of(text))
    allocate (character(n) :: copy)
    if (n == 0) return
    call c_f_pointer(text, at, [n])
    do k = 1, n
      copy(k:k) = at(k)
    end do
  end function

  ! a text of Fortran for C, without blanks at its end
  function c_text(text) result(copy)
    character(*), intent(in) :: text
    character(kind=c_char), allocatable :: copy(:)
    integer :: k

    allocate (copy(len_trim(text) + 1))
    do k = 1, len_trim(text)
      copy(k) = text(k:k)
    end do
    copy(size(copy)) = c_null_char
  end function

  subroutine c_string(text, copy)
    character(*), intent(in) :: text
    character(kind=c_char), allocatable, intent(out) :: copy(:)

    allocate (copy(len_trim(text) + 1))
    copy = c_text(text)
  end subroutine

  ! which axes split each dim, as C takes it; the texts are in room
  subroutine spec_of(list, room, spec)
    character(*), intent(in) :: list(:)
    character(kind=c_char), intent(inout), target :: room(:, :)
    type(tsr_spec), intent(out) :: spec
    integer :: k, n

    if (size(list) > TSR_MAX_NDIM) error stop 'tsr: a spec has more than 8 entries'
    spec%n1 = 1 + size(list)
    do k = 1, size(list)
      n = len_trim(list(k))
      if (n >= size(room, 1)) error stop 'tsr: the entry of a spec is too long'
      room(1:n + 1, k) = c_text(list(k))
      spec%d(k + 1) = c_loc(room(1, k))
    end do
  end subroutine

  subroutine list_of(x, list)
    type(tsr_array), intent(in) :: x(:)
    type(c_ptr), allocatable, intent(out) :: list(:)
    integer :: k

    allocate (list(max(1, size(x))))
    list = c_null_ptr
    do k = 1, size(x)
      list(k) = handle_of(x(k))
    end do
  end subroutine

  type(tsr_tree) function tree_of(list, n)
    type(c_ptr), intent(in), target :: list(:)
    integer, intent(in) :: n

    tree_of%leaf = c_loc(list)
    tree_of%count = int(n, c_size_t)
  end function

  ! ---- memory of Fortran

  integer(c_int64_t) function address(at)
    type(c_ptr), intent(in) :: at

    address = transfer(at, 0_c_int64_t)
  end function

  ! a copy of elements in the order of Fortran: C has its dims in reverse, and then turns them
  subroutine from_memory(x, ctx, data, dtype, sizes)
    type(tsr_array), intent(inout) :: x
    type(tsr_context), intent(in) :: ctx
    type(c_ptr), intent(in) :: data
    integer(c_int), intent(in) :: dtype
    integer, intent(in) :: sizes(:)
    integer :: reverse(size(sizes))
    integer :: k
    type(c_ptr) :: turned

    reverse = [(sizes(k), k=size(sizes), 1, -1)]
    turned = tsr_from_at(c_null_ptr, ctx%ptr, TSR_DTYPE_DEFAULT, data, dtype, dims_of(reverse))
    call give(x, turned)
    if (size(sizes) < 2) return
    call give(x, tsr_transpose_at(c_null_ptr, turned, c_null_ptr))
    if (.not. tsr_is_poison_c(turned)) call drop_handle(turned)
  end subroutine

  subroutine wrap_memory(x, ctx, data, dtype, sizes, strides)
    type(tsr_array), intent(inout) :: x
    type(tsr_context), intent(in) :: ctx
    type(c_ptr), intent(in) :: data
    integer(c_int), intent(in) :: dtype
    integer, intent(in) :: sizes(:)
    integer(c_int64_t), intent(in) :: strides(:)
    type(tsr_wrap_args), target :: how

    how%size = c_sizeof(how)
    how%strides%d(1) = 1 + size(sizes)
    how%strides%d(2:1 + size(sizes)) = strides
    call give(x, tsr_wrap_at(c_null_ptr, ctx%ptr, TSR_DTYPE_DEFAULT, data, dtype, &
                             dims_of(sizes), c_loc(how)))
  end subroutine

  ! whether x has this shape; false: that has been reported
  logical function same_shape(x, sizes, stat, errmsg)
    type(tsr_array), intent(in) :: x
    integer, intent(in) :: sizes(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(tsr_dims) :: dims
    type(c_ptr) :: unused
    character(kind=c_char), allocatable, target :: says(:)

    if (present(stat)) stat = 0
    same_shape = .false.
    if (tsr_is_poison_c(handle_of(x))) then
      call refuse(x, 'tsr_read', stat, errmsg)
      return
    end if
    dims = tsr_shape_at(c_null_ptr, handle_of(x))
    same_shape = dims%d(1) == 1 + size(sizes)
    if (same_shape) same_shape = all(dims%d(2:1 + size(sizes)) == sizes)
    if (same_shape) return
    call c_string('tsr_read: the array has another shape than the variable', says)
    unused = tsr_fail_at(c_null_ptr, own_context(x), c_loc(says))
    call report(own_context(x), stat, errmsg)
  end function

  subroutine read_memory(x, data, dtype, strides, stat, errmsg)
    type(tsr_array), intent(in) :: x
    type(c_ptr), intent(in) :: data
    integer(c_int), intent(in) :: dtype
    integer(c_int64_t), intent(in) :: strides(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(tsr_read_args), target :: how

    how%size = c_sizeof(how)
    how%dtype = dtype
    how%strides%d(1) = 1 + size(strides)
    how%strides%d(2:1 + size(strides)) = strides
    if (.not. tsr_read_into_at(c_null_ptr, handle_of(x), dtype, data, c_loc(how))) &
      call report(own_context(x), stat, errmsg)
  end subroutine

  include 'tsr_made_memory.inc'

  !> The one element, as a real number.
  real(real64) function tsr_item(x, stat, errmsg)
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
    type(tsr_array), intent(in) :: x
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (tsr_is_poison(x)) then
      tsr_item = ieee_value(tsr_item, ieee_quiet_nan)
      call refuse(x, 'tsr_item', stat, errmsg)
      return
    end if
    tsr_item = tsr_item_at(c_null_ptr, handle_of(x))
    if (present(stat)) stat = 0
    call report(own_context(x), stat, errmsg)
  end function

  !> The sizes of all dims.
  function tsr_shape(x) result(sizes)
    type(tsr_array), intent(in) :: x
    integer, allocatable :: sizes(:)
    type(tsr_dims) :: dims

    dims = tsr_shape_at(c_null_ptr, handle_of(x))
    sizes = int(dims%d(2:dims%d(1)))
  end function

  !> The text that tsr_print prints.
  function tsr_text(x) result(text)
    type(tsr_array), intent(in) :: x
    character(:), allocatable :: text

    text = text_of(tsr_text_at(c_null_ptr, handle_of(x), c_null_ptr))
  end function

  !> A mesh over the first devices: m = tsr_mesh_make(ctx, ['x', 'y'], [4, 2]).
  type(tsr_mesh) function tsr_mesh_make(ctx, names, sizes)
    type(tsr_context), intent(in) :: ctx
    character(*), intent(in) :: names(:)
    integer, intent(in) :: sizes(:)
    type(tsr_axis), target :: axes(size(names))
    character(kind=c_char), target :: room(64, size(names))
    integer :: k

    do k = 1, size(names)
      room(1:len_trim(names(k)) + 1, k) = c_text(names(k))
      axes(k)%name = c_loc(room(1, k))
      axes(k)%size = int(sizes(k), c_int64_t)
    end do
    tsr_mesh_make%ptr = tsr_mesh_make_at(c_null_ptr, ctx%ptr, c_loc(axes), &
                                         int(size(names), c_size_t))
  end function

  include 'tsr_bodies.inc'
  include 'tsr_made_operations.inc'
  include 'tsr_made_operators.inc'
end module
