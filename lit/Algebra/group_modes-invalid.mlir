// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @past_end(%arg0: !cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)"> {
  // expected-error @below {{'cute.group_modes' op modes [0, 4) of a tuple of rank 3 do not exist: begin < end <= rank is required}}
  %0 = cute.group_modes<0, 4> (%arg0) : (!cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)">
  return %0 : !cute.layout<"((4,5),6):((1,4),20)">
}

// -----

func.func @empty(%arg0: !cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)"> {
  // expected-error @below {{'cute.group_modes' op modes [1, 1) of a tuple of rank 3 do not exist: begin < end <= rank is required}}
  %0 = cute.group_modes<1, 1> (%arg0) : (!cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)">
  return %0 : !cute.layout<"((4,5),6):((1,4),20)">
}

// -----

func.func @negative(%arg0: !cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)"> {
  // expected-error @below {{'cute.group_modes' op attribute 'begin' must be a non-negative integer}}
  %0 = cute.group_modes<-1, 2> (%arg0) : (!cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)">
  return %0 : !cute.layout<"((4,5),6):((1,4),20)">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"(4,(5,6)):(1,(4,20))"> {
  // expected-error @below {{'cute.group_modes' op result #0: declared !cute.layout<"(4,(5,6)):(1,(4,20))"> is not a weakening of !cute.layout<"((4,5),6):((1,4),20)">: (4,(5,6)) and ((4,5),6) are not congruent}}
  %0 = cute.group_modes<0, 2> (%arg0) : (!cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"(4,(5,6)):(1,(4,20))">
  return %0 : !cute.layout<"(4,(5,6)):(1,(4,20))">
}
