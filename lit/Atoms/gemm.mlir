// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-expand-copy-gemm,cute-lower-atoms,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// D = A B + C: one call of the atom for each (m,n,k).

// CHECK-LABEL: @mnk(
// CHECK: cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),2,2):((1,2),4,8)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">)
// BASE-LABEL: @mnk(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V2:.*]] = llvm.load %[[V1]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V3:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V4:.*]] = llvm.load %[[V3]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg1[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V6:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V7:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V8:.*]] = llvm.getelementptr %arg2[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V8]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V10:.*]] = llvm.load %arg3 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg3[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V12:.*]] = llvm.load %[[V11]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V13:.*]] = llvm.getelementptr %arg3[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V14:.*]] = llvm.load %[[V13]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V15:.*]] = llvm.getelementptr %arg3[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V16:.*]] = llvm.load %[[V15]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V17:.*]] = nvvm.mma.sync A[%[[V0]], %[[V2]], %[[V4]], %[[V6]]]  B[%[[V7]], %[[V9]]]  C[%[[V10]], %[[V12]], %[[V14]], %[[V16]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V18:.*]] = llvm.extractvalue %[[V17]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V18]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V19:.*]] = llvm.extractvalue %[[V17]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V20:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V19]], %[[V20]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V21:.*]] = llvm.extractvalue %[[V17]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V22:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V21]], %[[V22]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V23:.*]] = llvm.extractvalue %[[V17]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V24:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V23]], %[[V24]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V25:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V26:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i16
// BASE-NEXT: %[[V27:.*]] = llvm.getelementptr %arg3[4] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V28:.*]] = llvm.load %[[V26]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V29:.*]] = llvm.getelementptr %[[V26]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V30:.*]] = llvm.load %[[V29]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V31:.*]] = llvm.getelementptr %[[V26]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V32:.*]] = llvm.load %[[V31]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V33:.*]] = llvm.getelementptr %[[V26]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V34:.*]] = llvm.load %[[V33]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V35:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V36:.*]] = llvm.getelementptr %arg2[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V37:.*]] = llvm.load %[[V36]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V38:.*]] = llvm.load %[[V27]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V39:.*]] = llvm.getelementptr %[[V27]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V40:.*]] = llvm.load %[[V39]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V41:.*]] = llvm.getelementptr %[[V27]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V42:.*]] = llvm.load %[[V41]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V43:.*]] = llvm.getelementptr %[[V27]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V44:.*]] = llvm.load %[[V43]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V45:.*]] = nvvm.mma.sync A[%[[V28]], %[[V30]], %[[V32]], %[[V34]]]  B[%[[V35]], %[[V37]]]  C[%[[V38]], %[[V40]], %[[V42]], %[[V44]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V46:.*]] = llvm.extractvalue %[[V45]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V46]], %[[V25]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V47:.*]] = llvm.extractvalue %[[V45]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V48:.*]] = llvm.getelementptr %[[V25]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V47]], %[[V48]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V49:.*]] = llvm.extractvalue %[[V45]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V50:.*]] = llvm.getelementptr %[[V25]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V49]], %[[V50]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V51:.*]] = llvm.extractvalue %[[V45]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V52:.*]] = llvm.getelementptr %[[V25]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V51]], %[[V52]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V53:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V54:.*]] = llvm.getelementptr %arg2[4] : (!llvm.ptr) -> !llvm.ptr, i16
// BASE-NEXT: %[[V55:.*]] = llvm.getelementptr %arg3[12] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V56:.*]] = llvm.load %[[V26]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V57:.*]] = llvm.getelementptr %[[V26]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V58:.*]] = llvm.load %[[V57]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V59:.*]] = llvm.getelementptr %[[V26]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V60:.*]] = llvm.load %[[V59]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V61:.*]] = llvm.getelementptr %[[V26]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V62:.*]] = llvm.load %[[V61]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V63:.*]] = llvm.load %[[V54]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V64:.*]] = llvm.getelementptr %[[V54]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V65:.*]] = llvm.load %[[V64]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V66:.*]] = llvm.load %[[V55]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V67:.*]] = llvm.getelementptr %[[V55]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V68:.*]] = llvm.load %[[V67]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V69:.*]] = llvm.getelementptr %[[V55]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V70:.*]] = llvm.load %[[V69]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V71:.*]] = llvm.getelementptr %[[V55]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V72:.*]] = llvm.load %[[V71]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V73:.*]] = nvvm.mma.sync A[%[[V56]], %[[V58]], %[[V60]], %[[V62]]]  B[%[[V63]], %[[V65]]]  C[%[[V66]], %[[V68]], %[[V70]], %[[V72]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V74:.*]] = llvm.extractvalue %[[V73]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V74]], %[[V53]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V75:.*]] = llvm.extractvalue %[[V73]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V76:.*]] = llvm.getelementptr %[[V53]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V75]], %[[V76]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V77:.*]] = llvm.extractvalue %[[V73]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V78:.*]] = llvm.getelementptr %[[V53]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V77]], %[[V78]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V79:.*]] = llvm.extractvalue %[[V73]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V80:.*]] = llvm.getelementptr %[[V53]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V79]], %[[V80]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V81:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V82:.*]] = llvm.getelementptr %arg3[8] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V83:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V84:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V85:.*]] = llvm.load %[[V84]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V86:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V87:.*]] = llvm.load %[[V86]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V88:.*]] = llvm.getelementptr %arg1[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V89:.*]] = llvm.load %[[V88]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V90:.*]] = llvm.load %[[V54]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V91:.*]] = llvm.getelementptr %[[V54]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V92:.*]] = llvm.load %[[V91]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V93:.*]] = llvm.load %[[V82]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V94:.*]] = llvm.getelementptr %[[V82]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V95:.*]] = llvm.load %[[V94]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V96:.*]] = llvm.getelementptr %[[V82]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V97:.*]] = llvm.load %[[V96]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V98:.*]] = llvm.getelementptr %[[V82]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V99:.*]] = llvm.load %[[V98]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V100:.*]] = nvvm.mma.sync A[%[[V83]], %[[V85]], %[[V87]], %[[V89]]]  B[%[[V90]], %[[V92]]]  C[%[[V93]], %[[V95]], %[[V97]], %[[V99]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V101:.*]] = llvm.extractvalue %[[V100]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V101]], %[[V81]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V102:.*]] = llvm.extractvalue %[[V100]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V103:.*]] = llvm.getelementptr %[[V81]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V102]], %[[V103]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V104:.*]] = llvm.extractvalue %[[V100]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V105:.*]] = llvm.getelementptr %[[V81]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V104]], %[[V105]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V106:.*]] = llvm.extractvalue %[[V100]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V107:.*]] = llvm.getelementptr %[[V81]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V106]], %[[V107]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V108:.*]] = llvm.getelementptr %arg1[16] : (!llvm.ptr) -> !llvm.ptr, i16
// BASE-NEXT: %[[V109:.*]] = llvm.getelementptr %arg2[8] : (!llvm.ptr) -> !llvm.ptr, i16
// BASE-NEXT: %[[V110:.*]] = llvm.load %[[V108]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V111:.*]] = llvm.getelementptr %[[V108]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V112:.*]] = llvm.load %[[V111]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V113:.*]] = llvm.getelementptr %[[V108]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V114:.*]] = llvm.load %[[V113]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V115:.*]] = llvm.getelementptr %[[V108]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V116:.*]] = llvm.load %[[V115]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V117:.*]] = llvm.load %[[V109]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V118:.*]] = llvm.getelementptr %[[V109]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V119:.*]] = llvm.load %[[V118]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V120:.*]] = llvm.load %arg0 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V121:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V122:.*]] = llvm.load %[[V121]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V123:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V124:.*]] = llvm.load %[[V123]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V125:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V126:.*]] = llvm.load %[[V125]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V127:.*]] = nvvm.mma.sync A[%[[V110]], %[[V112]], %[[V114]], %[[V116]]]  B[%[[V117]], %[[V119]]]  C[%[[V120]], %[[V122]], %[[V124]], %[[V126]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V128:.*]] = llvm.extractvalue %[[V127]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V128]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V129:.*]] = llvm.extractvalue %[[V127]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V130:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V129]], %[[V130]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V131:.*]] = llvm.extractvalue %[[V127]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V132:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V131]], %[[V132]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V133:.*]] = llvm.extractvalue %[[V127]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V134:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V133]], %[[V134]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V135:.*]] = llvm.getelementptr %arg1[24] : (!llvm.ptr) -> !llvm.ptr, i16
// BASE-NEXT: %[[V136:.*]] = llvm.load %[[V135]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V137:.*]] = llvm.getelementptr %[[V135]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V138:.*]] = llvm.load %[[V137]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V139:.*]] = llvm.getelementptr %[[V135]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V140:.*]] = llvm.load %[[V139]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V141:.*]] = llvm.getelementptr %[[V135]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V142:.*]] = llvm.load %[[V141]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V143:.*]] = llvm.load %[[V109]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V144:.*]] = llvm.getelementptr %[[V109]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V145:.*]] = llvm.load %[[V144]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V146:.*]] = llvm.load %[[V25]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V147:.*]] = llvm.getelementptr %[[V25]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V148:.*]] = llvm.load %[[V147]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V149:.*]] = llvm.getelementptr %[[V25]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V150:.*]] = llvm.load %[[V149]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V151:.*]] = llvm.getelementptr %[[V25]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V152:.*]] = llvm.load %[[V151]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V153:.*]] = nvvm.mma.sync A[%[[V136]], %[[V138]], %[[V140]], %[[V142]]]  B[%[[V143]], %[[V145]]]  C[%[[V146]], %[[V148]], %[[V150]], %[[V152]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V154:.*]] = llvm.extractvalue %[[V153]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V154]], %[[V25]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V155:.*]] = llvm.extractvalue %[[V153]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V156:.*]] = llvm.getelementptr %[[V25]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V155]], %[[V156]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V157:.*]] = llvm.extractvalue %[[V153]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V158:.*]] = llvm.getelementptr %[[V25]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V157]], %[[V158]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V159:.*]] = llvm.extractvalue %[[V153]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V160:.*]] = llvm.getelementptr %[[V25]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V159]], %[[V160]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V161:.*]] = llvm.getelementptr %arg2[12] : (!llvm.ptr) -> !llvm.ptr, i16
// BASE-NEXT: %[[V162:.*]] = llvm.load %[[V135]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V163:.*]] = llvm.getelementptr %[[V135]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V164:.*]] = llvm.load %[[V163]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V165:.*]] = llvm.getelementptr %[[V135]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V166:.*]] = llvm.load %[[V165]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V167:.*]] = llvm.getelementptr %[[V135]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V168:.*]] = llvm.load %[[V167]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V169:.*]] = llvm.load %[[V161]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V170:.*]] = llvm.getelementptr %[[V161]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V171:.*]] = llvm.load %[[V170]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V172:.*]] = llvm.load %[[V53]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V173:.*]] = llvm.getelementptr %[[V53]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V174:.*]] = llvm.load %[[V173]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V175:.*]] = llvm.getelementptr %[[V53]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V176:.*]] = llvm.load %[[V175]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V177:.*]] = llvm.getelementptr %[[V53]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V178:.*]] = llvm.load %[[V177]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V179:.*]] = nvvm.mma.sync A[%[[V162]], %[[V164]], %[[V166]], %[[V168]]]  B[%[[V169]], %[[V171]]]  C[%[[V172]], %[[V174]], %[[V176]], %[[V178]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V180:.*]] = llvm.extractvalue %[[V179]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V180]], %[[V53]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V181:.*]] = llvm.extractvalue %[[V179]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V182:.*]] = llvm.getelementptr %[[V53]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V181]], %[[V182]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V183:.*]] = llvm.extractvalue %[[V179]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V184:.*]] = llvm.getelementptr %[[V53]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V183]], %[[V184]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V185:.*]] = llvm.extractvalue %[[V179]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V186:.*]] = llvm.getelementptr %[[V53]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V185]], %[[V186]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V187:.*]] = llvm.load %[[V108]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V188:.*]] = llvm.getelementptr %[[V108]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V189:.*]] = llvm.load %[[V188]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V190:.*]] = llvm.getelementptr %[[V108]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V191:.*]] = llvm.load %[[V190]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V192:.*]] = llvm.getelementptr %[[V108]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V193:.*]] = llvm.load %[[V192]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V194:.*]] = llvm.load %[[V161]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V195:.*]] = llvm.getelementptr %[[V161]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V196:.*]] = llvm.load %[[V195]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V197:.*]] = llvm.load %[[V81]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V198:.*]] = llvm.getelementptr %[[V81]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V199:.*]] = llvm.load %[[V198]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V200:.*]] = llvm.getelementptr %[[V81]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V201:.*]] = llvm.load %[[V200]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V202:.*]] = llvm.getelementptr %[[V81]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V203:.*]] = llvm.load %[[V202]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V204:.*]] = nvvm.mma.sync A[%[[V187]], %[[V189]], %[[V191]], %[[V193]]]  B[%[[V194]], %[[V196]]]  C[%[[V197]], %[[V199]], %[[V201]], %[[V203]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V205:.*]] = llvm.extractvalue %[[V204]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V205]], %[[V81]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V206:.*]] = llvm.extractvalue %[[V204]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V207:.*]] = llvm.getelementptr %[[V81]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V206]], %[[V207]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V208:.*]] = llvm.extractvalue %[[V204]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V209:.*]] = llvm.getelementptr %[[V81]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V208]], %[[V209]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V210:.*]] = llvm.extractvalue %[[V204]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V211:.*]] = llvm.getelementptr %[[V81]][12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V210]], %[[V211]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @mnk(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),2,2):((1,2),4,8)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">) {
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),2,2):((1,2,4),8,16)">, !cute.memref<f16, rmem, align<8>, "((2,2),2,2):((1,2),4,8)">, !cute.memref<f32, rmem, align<16>, "((2,2),2,2):((1,2),4,8)">)
  return
}

// Without a mode K there is one step along it.
// CHECK-LABEL: @mn(
// CHECK: cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),1):((1,2,4),0)">, !cute.memref<f16, rmem, align<8>, "((2,2),1):((1,2),0)">, !cute.memref<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">)
// BASE-LABEL: @mn(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V2:.*]] = llvm.load %[[V1]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V3:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V4:.*]] = llvm.load %[[V3]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg1[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V6:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V7:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V8:.*]] = llvm.getelementptr %arg2[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V8]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V10:.*]] = llvm.load %arg3 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg3[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V12:.*]] = llvm.load %[[V11]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V13:.*]] = llvm.getelementptr %arg3[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V14:.*]] = llvm.load %[[V13]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V15:.*]] = llvm.getelementptr %arg3[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V16:.*]] = llvm.load %[[V15]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V17:.*]] = nvvm.mma.sync A[%[[V0]], %[[V2]], %[[V4]], %[[V6]]]  B[%[[V7]], %[[V9]]]  C[%[[V10]], %[[V12]], %[[V14]], %[[V16]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V18:.*]] = llvm.extractvalue %[[V17]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V18]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V19:.*]] = llvm.extractvalue %[[V17]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V20:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V19]], %[[V20]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V21:.*]] = llvm.extractvalue %[[V17]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V22:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V21]], %[[V22]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V23:.*]] = llvm.extractvalue %[[V17]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V24:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V23]], %[[V24]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @mn(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2),1):((1,2,4),0)">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2),1):((1,2),0)">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">) {
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),1):((1,2,4),0)">, !cute.memref<f16, rmem, align<8>, "((2,2),1):((1,2),0)">, !cute.memref<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">)
  return
}

// CHECK-LABEL: @one(
// CHECK: cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">)
// BASE-LABEL: @one(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V1:.*]] = llvm.getelementptr %arg1[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V2:.*]] = llvm.load %[[V1]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V3:.*]] = llvm.getelementptr %arg1[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V4:.*]] = llvm.load %[[V3]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg1[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V6:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V7:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V8:.*]] = llvm.getelementptr %arg2[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V8]] {alignment = 4 : i64} : !llvm.ptr -> vector<2xf16>
// BASE-NEXT: %[[V10:.*]] = llvm.load %arg3 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg3[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V12:.*]] = llvm.load %[[V11]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V13:.*]] = llvm.getelementptr %arg3[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V14:.*]] = llvm.load %[[V13]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V15:.*]] = llvm.getelementptr %arg3[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: %[[V16:.*]] = llvm.load %[[V15]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V17:.*]] = nvvm.mma.sync A[%[[V0]], %[[V2]], %[[V4]], %[[V6]]]  B[%[[V7]], %[[V9]]]  C[%[[V10]], %[[V12]], %[[V14]], %[[V16]]]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V18:.*]] = llvm.extractvalue %[[V17]][0] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: llvm.store %[[V18]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V19:.*]] = llvm.extractvalue %[[V17]][1] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V20:.*]] = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V19]], %[[V20]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V21:.*]] = llvm.extractvalue %[[V17]][2] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V22:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V21]], %[[V22]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V23:.*]] = llvm.extractvalue %[[V17]][3] : !llvm.struct<(f32, f32, f32, f32)>
// BASE-NEXT: %[[V24:.*]] = llvm.getelementptr %arg0[12] : (!llvm.ptr) -> !llvm.ptr, i8
// BASE-NEXT: llvm.store %[[V23]], %[[V24]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @one(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, %arg2: !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, %arg3: !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, %arg4: !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">) {
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">)
  return
}

// An outer product of single elements.
// CHECK-LABEL: @outer(
// CHECK: cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f32, rmem, "2:1">, !cute.memref<f32, rmem, "2:1">, !cute.memref<f32, rmem, "(2,2):(1,2)">)
// BASE-LABEL: @outer(
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V1:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V2:.*]] = llvm.load %arg3 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V3:.*]] = llvm.intr.fma(%[[V0]], %[[V1]], %[[V2]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V3]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg0[1] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg1[1] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V6:.*]] = llvm.getelementptr %arg3[1] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V7:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V8:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V6]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V10:.*]] = llvm.intr.fma(%[[V7]], %[[V8]], %[[V9]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V10]], %[[V4]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg0[3] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V12:.*]] = llvm.getelementptr %arg2[1] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V13:.*]] = llvm.getelementptr %arg3[3] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V14:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V15:.*]] = llvm.load %[[V12]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V16:.*]] = llvm.load %[[V13]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V17:.*]] = llvm.intr.fma(%[[V14]], %[[V15]], %[[V16]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V17]], %[[V11]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V18:.*]] = llvm.getelementptr %arg0[2] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V19:.*]] = llvm.getelementptr %arg3[2] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V20:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V21:.*]] = llvm.load %[[V12]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V22:.*]] = llvm.load %[[V19]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V23:.*]] = llvm.intr.fma(%[[V20]], %[[V21]], %[[V22]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V23]], %[[V18]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @outer(%arg0: !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, %arg1: !cute.memref<f32, rmem, "(2,2):(1,2)">, %arg2: !cute.memref<f32, rmem, "2:1">, %arg3: !cute.memref<f32, rmem, "2:1">, %arg4: !cute.memref<f32, rmem, "(2,2):(1,2)">) {
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "(2,2):(1,2)">, !cute.memref<f32, rmem, "2:1">, !cute.memref<f32, rmem, "2:1">, !cute.memref<f32, rmem, "(2,2):(1,2)">)
  return
}

// A product of matrices of single elements, straight from memory.
// CHECK-LABEL: @elements(
// CHECK: cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "(1,2):(0,1)">, !cute.memref<f32, smem, "(1,2):(0,1)">, !cute.memref<f32, gmem, "(2,2):(1,?{i64})">, !cute.memref<f32, rmem, "(1,2):(0,1)">)
// BASE-LABEL: @elements(
// BASE-NEXT: %[[C1I64:.*]] = arith.constant 1 : i64
// BASE-NEXT: %[[V0:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// BASE-NEXT: %[[V1:.*]] = llvm.load %arg2 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: %[[V2:.*]] = llvm.load %arg4 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V3:.*]] = llvm.intr.fma(%[[V0]], %[[V1]], %[[V2]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V3]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V4:.*]] = llvm.getelementptr %arg0[1] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V5:.*]] = llvm.getelementptr %arg2[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V6:.*]] = llvm.getelementptr %arg4[1] : (!llvm.ptr) -> !llvm.ptr, i32
// BASE-NEXT: %[[V7:.*]] = llvm.load %arg1 {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// BASE-NEXT: %[[V8:.*]] = llvm.load %[[V5]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: %[[V9:.*]] = llvm.load %[[V6]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V10:.*]] = llvm.intr.fma(%[[V7]], %[[V8]], %[[V9]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V10]], %[[V4]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V11:.*]] = llvm.getelementptr %arg1[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
// BASE-NEXT: %[[V12:.*]] = llvm.getelementptr %arg2[%arg3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V13:.*]] = llvm.load %[[V11]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// BASE-NEXT: %[[V14:.*]] = llvm.load %[[V12]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: %[[V15:.*]] = llvm.load %arg0 {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V16:.*]] = llvm.intr.fma(%[[V13]], %[[V14]], %[[V15]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V16]], %arg0 {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: %[[V17:.*]] = arith.addi %arg3, %[[C1I64]] overflow<nsw> : i64
// BASE-NEXT: %[[V18:.*]] = llvm.getelementptr %arg2[%[[V17]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: %[[V19:.*]] = llvm.load %[[V11]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// BASE-NEXT: %[[V20:.*]] = llvm.load %[[V18]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// BASE-NEXT: %[[V21:.*]] = llvm.load %[[V4]] {alignment = 4 : i64} : !llvm.ptr -> f32
// BASE-NEXT: %[[V22:.*]] = llvm.intr.fma(%[[V19]], %[[V20]], %[[V21]]) : (f32, f32, f32) -> f32
// BASE-NEXT: llvm.store %[[V22]], %[[V4]] {alignment = 4 : i64} : f32, !llvm.ptr
// BASE-NEXT: return
func.func @elements(%arg0: !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, %arg1: !cute.memref<f32, rmem, "(1,2):(0,1)">, %arg2: !cute.memref<f32, smem, "(1,2):(0,1)">, %arg3: !cute.memref<f32, gmem, "(2,2):(1,?{i64})">, %arg4: !cute.memref<f32, rmem, "(1,2):(0,1)">) {
  cute.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, !cute.memref<f32, rmem, "(1,2):(0,1)">, !cute.memref<f32, smem, "(1,2):(0,1)">, !cute.memref<f32, gmem, "(2,2):(1,?{i64})">, !cute.memref<f32, rmem, "(1,2):(0,1)">)
  return
}

