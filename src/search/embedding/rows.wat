;; Reads the rows of the embedding in their file format: four bits per component, 32 dimensions at a step. Built into
;; rows-wasm.ts by `bun model/build-wasm.ts`.
;;
;; Sixteen bytes have dimensions 0 … 31. As eight 16-bit integers, their four nibbles are dimensions 0, 4, 8 …, then 1, 5, 9
;; …, then 2, 6, 10 …, then 3, 7, 11 …. Queries and sums use the same order.
(module
  (import "host" "memory" (memory 1 65536))

  ;; Adds eight 16-bit integers, times a scale, to the eight f32 at $sum.
  (func $addEight (param $n v128) (param $scale v128) (param $sum i32)
    (v128.store (local.get $sum) (f32x4.add (v128.load (local.get $sum))
      (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $n))))))
    (v128.store offset=16 (local.get $sum) (f32x4.add (v128.load offset=16 (local.get $sum))
      (f32x4.mul (local.get $scale) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $n)))))))

  ;; Sums the `count` rows (at least one) whose indexes are at $rows (i32), each times its scale (f32 at $scales).
  (func (export "sum")
    (param $rows i32) (param $count i32) (param $codes i32) (param $scales i32) (param $rowBytes i32) (param $sum i32)
    (local $row i32) (local $at i32) (local $end i32) (local $to i32) (local $x v128) (local $scale v128)
    (loop $each
      (local.set $row (i32.load (local.get $rows)))
      (local.set $scale (v128.load32_splat (i32.add (local.get $scales) (i32.shl (local.get $row) (i32.const 2)))))
      (local.set $at (i32.add (local.get $codes) (i32.mul (local.get $row) (local.get $rowBytes))))
      (local.set $end (i32.add (local.get $at) (local.get $rowBytes)))
      (local.set $to (local.get $sum))
      (loop $steps
        (local.set $x (v128.load (local.get $at)))
        (call $addEight (i16x8.shr_s (i16x8.shl (local.get $x) (i32.const 12)) (i32.const 12))
          (local.get $scale) (local.get $to))
        (call $addEight (i16x8.shr_s (i16x8.shl (local.get $x) (i32.const 8)) (i32.const 12))
          (local.get $scale) (i32.add (local.get $to) (i32.const 32)))
        (call $addEight (i16x8.shr_s (i16x8.shl (local.get $x) (i32.const 4)) (i32.const 12))
          (local.get $scale) (i32.add (local.get $to) (i32.const 64)))
        (call $addEight (i16x8.shr_s (local.get $x) (i32.const 12))
          (local.get $scale) (i32.add (local.get $to) (i32.const 96)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $to (i32.add (local.get $to) (i32.const 128)))
        (br_if $steps (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
      (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Returns the highest dot product of the query (16-bit integers of -2047 … 2047, so that the sum of two products with codes
  ;; of -8 … 7 is one as well) with any of the `count` rows (at least one) at $rows, divided by the norm of the row. Writes the
  ;; index of that row in the list to $nearest (i32).
  (func (export "nearest")
    (param $query i32) (param $rows i32) (param $count i32) (param $codes i32)
    (param $norms i32) (param $rowBytes i32) (param $nearest i32) (result f32)
    (local $i i32) (local $row i32) (local $at i32) (local $end i32) (local $q i32)
    (local $x v128) (local $a v128) (local $b v128)
    (local $score f32) (local $highest f32) (local $place i32)
    (local.set $highest (f32.const -inf))
    (loop $list
      (local.set $row (i32.load (i32.add (local.get $rows) (i32.shl (local.get $i) (i32.const 2)))))
      (local.set $at (i32.add (local.get $codes) (i32.mul (local.get $row) (local.get $rowBytes))))
      (local.set $end (i32.add (local.get $at) (local.get $rowBytes)))
      (local.set $q (local.get $query))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (loop $steps
        (local.set $x (v128.load (local.get $at)))
        (local.set $a (i32x4.add (local.get $a) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
          (i16x8.mul (v128.load (local.get $q)) (i16x8.shr_s (i16x8.shl (local.get $x) (i32.const 12)) (i32.const 12)))
          (i16x8.mul (v128.load offset=16 (local.get $q))
            (i16x8.shr_s (i16x8.shl (local.get $x) (i32.const 8)) (i32.const 12)))))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
          (i16x8.mul (v128.load offset=32 (local.get $q))
            (i16x8.shr_s (i16x8.shl (local.get $x) (i32.const 4)) (i32.const 12)))
          (i16x8.mul (v128.load offset=48 (local.get $q)) (i16x8.shr_s (local.get $x) (i32.const 12)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (br_if $steps (i32.lt_u (local.get $at) (local.get $end))))
      (local.set $a (i32x4.add (local.get $a) (local.get $b)))
      (local.set $score (f32.mul
        (f32.load (i32.add (local.get $norms) (i32.shl (local.get $row) (i32.const 2))))
        (f32.convert_i32_s (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
          (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))))
      (if (f32.gt (local.get $score) (local.get $highest))
        (then
          (local.set $highest (local.get $score))
          (local.set $place (local.get $i))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $list (i32.lt_u (local.get $i) (local.get $count))))
    (i32.store (local.get $nearest) (local.get $place))
    (local.get $highest)))
