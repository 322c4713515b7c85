;; Looks at every byte of a piece of a file, sixteen or thirty-two at a time. It is at the beginning of the memory, and blanks follow it.
(module
  (memory (export "memory") 5)

  ;; Whether one of the first $end bytes is a control character that no text contains.
  (func (export "hasControls") (param $end i32) (result i32)
    (local $at i32)
    (local $bytes v128)
    (local $found v128)
    (loop $next
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $found
        (v128.or
          (local.get $found)
          (v128.or
            ;; 0x00 to 0x0f, but not tab, line feed, form feed and carriage return. Any larger byte finds 0.
            (i8x16.swizzle (v128.const i8x16 -1 -1 -1 -1 -1 -1 -1 -1 -1 0 0 -1 0 0 -1 -1) (local.get $bytes))
            ;; 0x10 to 0x1f.
            (i8x16.eq
              (v128.and (local.get $bytes) (i8x16.splat (i32.const 0xf0)))
              (i8x16.splat (i32.const 0x10))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (v128.any_true (local.get $found)))

  ;; The place of the first `<` from $at on that may begin active markup, or one at or behind $end.
  ;; $classes is the place of four tables: which classes the next byte may be in by its lower and by its upper half, then the same of the
  ;; byte after it. A class is a bit. Both bytes must be in the same one.
  (func (export "findMarkup") (param $at i32) (param $end i32) (param $classes i32) (result i32)
    (local $brackets v128)
    (local $lower1 v128)
    (local $upper1 v128)
    (local $lower2 v128)
    (local $upper2 v128)
    (local.set $lower1 (v128.load (local.get $classes)))
    (local.set $upper1 (v128.load offset=16 (local.get $classes)))
    (local.set $lower2 (v128.load offset=32 (local.get $classes)))
    (local.set $upper2 (v128.load offset=48 (local.get $classes)))
    (loop $next
      (local.set $brackets (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 0x3c))))
      (if (v128.any_true (local.get $brackets))
        (then
          (local.set $brackets
            (v128.and
              (local.get $brackets)
              (i8x16.ne
                (v128.and
                  (call $classesOf (v128.load offset=1 (local.get $at)) (local.get $lower1) (local.get $upper1))
                  (call $classesOf (v128.load offset=2 (local.get $at)) (local.get $lower2) (local.get $upper2)))
                (v128.const i64x2 0 0))))
          (if (v128.any_true (local.get $brackets))
            (then (return (i32.add (local.get $at) (i32.ctz (i8x16.bitmask (local.get $brackets)))))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $at))

  ;; The place of the first byte from $at on that may begin a sign together with the next one, or a place at or behind $end. Thirty-two bytes
  ;; at a time. $classes has the tables of findMarkup, for this byte and the one after it. The upper half of the second byte is looked at only
  ;; where all the rest fits, so that a file of any bytes takes as long as one of zeros.
  (func (export "findSign") (param $at i32) (param $end i32) (param $classes i32) (result i32)
    (local $low v128)
    (local $first v128)
    (local $second v128)
    (local $lower1 v128)
    (local $upper1 v128)
    (local $lower2 v128)
    (local $upper2 v128)
    (local.set $low (i8x16.splat (i32.const 0x0f)))
    (local.set $lower1 (v128.load (local.get $classes)))
    (local.set $upper1 (v128.load offset=16 (local.get $classes)))
    (local.set $lower2 (v128.load offset=32 (local.get $classes)))
    (local.set $upper2 (v128.load offset=48 (local.get $classes)))
    (loop $next
      (local.set $first
        (v128.and
          (v128.and
            (i8x16.swizzle (local.get $lower1) (v128.and (v128.load (local.get $at)) (local.get $low)))
            (i8x16.swizzle (local.get $upper1) (i8x16.shr_u (v128.load (local.get $at)) (i32.const 4))))
          (i8x16.swizzle (local.get $lower2) (v128.and (v128.load offset=1 (local.get $at)) (local.get $low)))))
      (local.set $second
        (v128.and
          (v128.and
            (i8x16.swizzle (local.get $lower1) (v128.and (v128.load offset=16 (local.get $at)) (local.get $low)))
            (i8x16.swizzle (local.get $upper1) (i8x16.shr_u (v128.load offset=16 (local.get $at)) (i32.const 4))))
          (i8x16.swizzle (local.get $lower2) (v128.and (v128.load offset=17 (local.get $at)) (local.get $low)))))
      (if (v128.any_true (v128.or (local.get $first) (local.get $second)))
        (then
          (local.set $first
            (i8x16.ne
              (v128.and
                (local.get $first)
                (i8x16.swizzle (local.get $upper2) (i8x16.shr_u (v128.load offset=1 (local.get $at)) (i32.const 4))))
              (v128.const i64x2 0 0)))
          (if (v128.any_true (local.get $first))
            (then (return (i32.add (local.get $at) (i32.ctz (i8x16.bitmask (local.get $first)))))))
          (local.set $second
            (i8x16.ne
              (v128.and
                (local.get $second)
                (i8x16.swizzle (local.get $upper2) (i8x16.shr_u (v128.load offset=17 (local.get $at)) (i32.const 4))))
              (v128.const i64x2 0 0)))
          (if (v128.any_true (local.get $second))
            (then (return (i32.add (local.get $at) (i32.add (i32.const 16) (i32.ctz (i8x16.bitmask (local.get $second))))))))))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $at))

  (func $classesOf (param $bytes v128) (param $lower v128) (param $upper v128) (result v128)
    (v128.and
      (i8x16.swizzle (local.get $lower) (v128.and (local.get $bytes) (i8x16.splat (i32.const 0x0f))))
      (i8x16.swizzle (local.get $upper) (i8x16.shr_u (local.get $bytes) (i32.const 4))))))
