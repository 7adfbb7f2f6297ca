//! Every error of the runtime and the driver: its number, its names, and the text that programs
//! print.
//!
//! Numbers and names are those of `cudaError_t` and `CUresult` in CUDA 13. The texts are the ones
//! that programs print, letter by letter, as far as they are widely known; the others, of errors
//! that are new or rare, are our own.

use std::ffi::CStr;

use super::Error;

/// The names and the text of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The number that functions return.
    pub number: i32,
    /// The name in the runtime, if it has the error: `cudaErrorInvalidValue`.
    pub runtime: Option<&'static CStr>,
    /// The name in the driver, if it has the error: `CUDA_ERROR_INVALID_VALUE`.
    pub driver: Option<&'static CStr>,
    /// The text for people.
    pub text: &'static CStr,
}

/// The text as C has it.
const fn terminated(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a text of the table contains a NUL"),
    }
}

macro_rules! errors {
    ($($number:literal $name:ident $runtime:tt $driver:tt $text:literal;)*) => {
        impl Error {
            $(
                #[doc = concat!("\"", $text, "\"")]
                pub const $name: Self = Self($number);
            )*
        }

        /// All errors, by number.
        pub const ERRORS: &[Row] = &[$(Row {
            number: $number,
            runtime: errors!(@name $runtime),
            driver: errors!(@name $driver),
            text: terminated(concat!($text, "\0")),
        }),*];
    };
    (@name -) => { None };
    (@name $name:literal) => { Some(terminated(concat!($name, "\0"))) };
}

errors! {
    0 SUCCESS "cudaSuccess" "CUDA_SUCCESS" "no error";
    1 INVALID_VALUE "cudaErrorInvalidValue" "CUDA_ERROR_INVALID_VALUE" "invalid argument";
    2 OUT_OF_MEMORY "cudaErrorMemoryAllocation" "CUDA_ERROR_OUT_OF_MEMORY" "out of memory";
    3 NOT_INITIALIZED "cudaErrorInitializationError" "CUDA_ERROR_NOT_INITIALIZED" "initialization error";
    4 DEINITIALIZED "cudaErrorCudartUnloading" "CUDA_ERROR_DEINITIALIZED" "driver shutting down";
    5 PROFILER_DISABLED "cudaErrorProfilerDisabled" "CUDA_ERROR_PROFILER_DISABLED"
        "profiler disabled while using external profiling tool";
    6 PROFILER_NOT_INITIALIZED "cudaErrorProfilerNotInitialized" "CUDA_ERROR_PROFILER_NOT_INITIALIZED"
        "profiler not initialized: call cudaProfilerInitialize()";
    7 PROFILER_ALREADY_STARTED "cudaErrorProfilerAlreadyStarted" "CUDA_ERROR_PROFILER_ALREADY_STARTED"
        "profiler already started";
    8 PROFILER_ALREADY_STOPPED "cudaErrorProfilerAlreadyStopped" "CUDA_ERROR_PROFILER_ALREADY_STOPPED"
        "profiler already stopped";
    9 INVALID_CONFIGURATION "cudaErrorInvalidConfiguration" - "invalid configuration argument";
    12 INVALID_PITCH_VALUE "cudaErrorInvalidPitchValue" - "invalid pitch argument";
    13 INVALID_SYMBOL "cudaErrorInvalidSymbol" - "invalid device symbol";
    16 INVALID_HOST_POINTER "cudaErrorInvalidHostPointer" - "invalid host pointer";
    17 INVALID_DEVICE_POINTER "cudaErrorInvalidDevicePointer" - "invalid device pointer";
    18 INVALID_TEXTURE "cudaErrorInvalidTexture" - "invalid texture reference";
    19 INVALID_TEXTURE_BINDING "cudaErrorInvalidTextureBinding" - "texture is not bound to a pointer";
    20 INVALID_CHANNEL_DESCRIPTOR "cudaErrorInvalidChannelDescriptor" - "invalid channel descriptor";
    21 INVALID_MEMCPY_DIRECTION "cudaErrorInvalidMemcpyDirection" - "invalid copy direction for memcpy";
    22 ADDRESS_OF_CONSTANT "cudaErrorAddressOfConstant" - "cannot take the address of constant data";
    23 TEXTURE_FETCH_FAILED "cudaErrorTextureFetchFailed" - "fetch from texture failed";
    24 TEXTURE_NOT_BOUND "cudaErrorTextureNotBound" - "cannot fetch from a texture that is not bound";
    25 SYNCHRONIZATION_ERROR "cudaErrorSynchronizationError" - "incorrect use of __syncthreads()";
    26 INVALID_FILTER_SETTING "cudaErrorInvalidFilterSetting" -
        "linear filtering not supported for non-float type";
    27 INVALID_NORM_SETTING "cudaErrorInvalidNormSetting" -
        "read as normalized float not supported for 32-bit non float type";
    28 MIXED_DEVICE_EXECUTION "cudaErrorMixedDeviceExecution" -
        "device emulation mode and device execution mode cannot be mixed";
    31 NOT_YET_IMPLEMENTED "cudaErrorNotYetImplemented" - "feature not yet implemented";
    32 MEMORY_VALUE_TOO_LARGE "cudaErrorMemoryValueTooLarge" -
        "memory size or pointer value too large to fit in 32 bit";
    34 STUB_LIBRARY "cudaErrorStubLibrary" "CUDA_ERROR_STUB_LIBRARY" "CUDA driver is a stub library";
    35 INSUFFICIENT_DRIVER "cudaErrorInsufficientDriver" -
        "CUDA driver version is insufficient for CUDA runtime version";
    36 CALL_REQUIRES_NEWER_DRIVER "cudaErrorCallRequiresNewerDriver" "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER"
        "API call is not supported in the installed CUDA driver";
    37 INVALID_SURFACE "cudaErrorInvalidSurface" - "invalid surface reference";
    43 DUPLICATE_VARIABLE_NAME "cudaErrorDuplicateVariableName" -
        "duplicate global variable looked up by string name";
    44 DUPLICATE_TEXTURE_NAME "cudaErrorDuplicateTextureName" -
        "duplicate texture looked up by string name";
    45 DUPLICATE_SURFACE_NAME "cudaErrorDuplicateSurfaceName" -
        "duplicate surface looked up by string name";
    46 DEVICE_UNAVAILABLE "cudaErrorDevicesUnavailable" "CUDA_ERROR_DEVICE_UNAVAILABLE"
        "CUDA-capable device(s) is/are busy or unavailable";
    49 INCOMPATIBLE_DRIVER_CONTEXT "cudaErrorIncompatibleDriverContext" - "incompatible driver context";
    52 MISSING_CONFIGURATION "cudaErrorMissingConfiguration" -
        "__global__ function call is not configured";
    53 PRIOR_LAUNCH_FAILURE "cudaErrorPriorLaunchFailure" - "unspecified launch failure in prior launch";
    65 LAUNCH_MAX_DEPTH_EXCEEDED "cudaErrorLaunchMaxDepthExceeded" -
        "launch would exceed maximum depth of nested launches";
    66 LAUNCH_FILE_SCOPED_TEX "cudaErrorLaunchFileScopedTex" -
        "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)";
    67 LAUNCH_FILE_SCOPED_SURF "cudaErrorLaunchFileScopedSurf" -
        "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)";
    68 SYNC_DEPTH_EXCEEDED "cudaErrorSyncDepthExceeded" -
        "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth";
    69 LAUNCH_PENDING_COUNT_EXCEEDED "cudaErrorLaunchPendingCountExceeded" -
        "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount";
    98 INVALID_DEVICE_FUNCTION "cudaErrorInvalidDeviceFunction" - "invalid device function";
    100 NO_DEVICE "cudaErrorNoDevice" "CUDA_ERROR_NO_DEVICE" "no CUDA-capable device is detected";
    101 INVALID_DEVICE "cudaErrorInvalidDevice" "CUDA_ERROR_INVALID_DEVICE" "invalid device ordinal";
    102 DEVICE_NOT_LICENSED "cudaErrorDeviceNotLicensed" "CUDA_ERROR_DEVICE_NOT_LICENSED"
        "device doesn't have valid Grid license";
    103 SOFTWARE_VALIDITY_NOT_ESTABLISHED "cudaErrorSoftwareValidityNotEstablished" -
        "integrity checks failed";
    127 STARTUP_FAILURE "cudaErrorStartupFailure" - "startup failure in cuda runtime";
    200 INVALID_IMAGE "cudaErrorInvalidKernelImage" "CUDA_ERROR_INVALID_IMAGE"
        "device kernel image is invalid";
    201 INVALID_CONTEXT "cudaErrorDeviceUninitialized" "CUDA_ERROR_INVALID_CONTEXT"
        "invalid device context";
    202 CONTEXT_ALREADY_CURRENT - "CUDA_ERROR_CONTEXT_ALREADY_CURRENT" "context already current";
    205 MAP_FAILED "cudaErrorMapBufferObjectFailed" "CUDA_ERROR_MAP_FAILED"
        "mapping of buffer object failed";
    206 UNMAP_FAILED "cudaErrorUnmapBufferObjectFailed" "CUDA_ERROR_UNMAP_FAILED"
        "unmapping of buffer object failed";
    207 ARRAY_IS_MAPPED "cudaErrorArrayIsMapped" "CUDA_ERROR_ARRAY_IS_MAPPED" "array is mapped";
    208 ALREADY_MAPPED "cudaErrorAlreadyMapped" "CUDA_ERROR_ALREADY_MAPPED" "resource already mapped";
    209 NO_BINARY_FOR_GPU "cudaErrorNoKernelImageForDevice" "CUDA_ERROR_NO_BINARY_FOR_GPU"
        "no kernel image is available for execution on the device";
    210 ALREADY_ACQUIRED "cudaErrorAlreadyAcquired" "CUDA_ERROR_ALREADY_ACQUIRED"
        "resource already acquired";
    211 NOT_MAPPED "cudaErrorNotMapped" "CUDA_ERROR_NOT_MAPPED" "resource not mapped";
    212 NOT_MAPPED_AS_ARRAY "cudaErrorNotMappedAsArray" "CUDA_ERROR_NOT_MAPPED_AS_ARRAY"
        "resource not mapped as array";
    213 NOT_MAPPED_AS_POINTER "cudaErrorNotMappedAsPointer" "CUDA_ERROR_NOT_MAPPED_AS_POINTER"
        "resource not mapped as pointer";
    214 ECC_UNCORRECTABLE "cudaErrorECCUncorrectable" "CUDA_ERROR_ECC_UNCORRECTABLE"
        "uncorrectable ECC error encountered";
    215 UNSUPPORTED_LIMIT "cudaErrorUnsupportedLimit" "CUDA_ERROR_UNSUPPORTED_LIMIT"
        "limit is not supported on this architecture";
    216 CONTEXT_ALREADY_IN_USE "cudaErrorDeviceAlreadyInUse" "CUDA_ERROR_CONTEXT_ALREADY_IN_USE"
        "exclusive-thread device already in use by a different thread";
    217 PEER_ACCESS_UNSUPPORTED "cudaErrorPeerAccessUnsupported" "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"
        "peer access is not supported between these two devices";
    218 INVALID_PTX "cudaErrorInvalidPtx" "CUDA_ERROR_INVALID_PTX" "a PTX JIT compilation failed";
    219 INVALID_GRAPHICS_CONTEXT "cudaErrorInvalidGraphicsContext" "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT"
        "invalid OpenGL or DirectX context";
    220 NVLINK_UNCORRECTABLE "cudaErrorNvlinkUncorrectable" "CUDA_ERROR_NVLINK_UNCORRECTABLE"
        "uncorrectable NVLink error detected during the execution";
    221 JIT_COMPILER_NOT_FOUND "cudaErrorJitCompilerNotFound" "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"
        "PTX JIT compiler library not found";
    222 UNSUPPORTED_PTX_VERSION "cudaErrorUnsupportedPtxVersion" "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
        "the provided PTX was compiled with an unsupported toolchain.";
    223 JIT_COMPILATION_DISABLED "cudaErrorJitCompilationDisabled" "CUDA_ERROR_JIT_COMPILATION_DISABLED"
        "PTX JIT compilation was disabled";
    224 UNSUPPORTED_EXEC_AFFINITY "cudaErrorUnsupportedExecAffinity" "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY"
        "the provided execution affinity is not supported";
    225 UNSUPPORTED_DEVSIDE_SYNC "cudaErrorUnsupportedDevSideSync" "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC"
        "the provided PTX contains unsupported call to cudaDeviceSynchronize";
    226 CONTAINED "cudaErrorContained" "CUDA_ERROR_CONTAINED" "contained error encountered";
    300 INVALID_SOURCE "cudaErrorInvalidSource" "CUDA_ERROR_INVALID_SOURCE"
        "device kernel image is invalid";
    301 FILE_NOT_FOUND "cudaErrorFileNotFound" "CUDA_ERROR_FILE_NOT_FOUND" "file not found";
    302 SHARED_OBJECT_SYMBOL_NOT_FOUND "cudaErrorSharedObjectSymbolNotFound" "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND"
        "shared object symbol not found";
    303 SHARED_OBJECT_INIT_FAILED "cudaErrorSharedObjectInitFailed" "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"
        "shared object initialization failed";
    304 OPERATING_SYSTEM "cudaErrorOperatingSystem" "CUDA_ERROR_OPERATING_SYSTEM"
        "OS call failed or operation not supported on this OS";
    400 INVALID_HANDLE "cudaErrorInvalidResourceHandle" "CUDA_ERROR_INVALID_HANDLE"
        "invalid resource handle";
    401 ILLEGAL_STATE "cudaErrorIllegalState" "CUDA_ERROR_ILLEGAL_STATE"
        "the operation cannot be performed in the present state";
    402 LOSSY_QUERY "cudaErrorLossyQuery" "CUDA_ERROR_LOSSY_QUERY"
        "attempted introspection would be semantically lossy";
    500 NOT_FOUND "cudaErrorSymbolNotFound" "CUDA_ERROR_NOT_FOUND" "named symbol not found";
    600 NOT_READY "cudaErrorNotReady" "CUDA_ERROR_NOT_READY" "device not ready";
    700 ILLEGAL_ADDRESS "cudaErrorIllegalAddress" "CUDA_ERROR_ILLEGAL_ADDRESS"
        "an illegal memory access was encountered";
    701 LAUNCH_OUT_OF_RESOURCES "cudaErrorLaunchOutOfResources" "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
        "too many resources requested for launch";
    702 LAUNCH_TIMEOUT "cudaErrorLaunchTimeout" "CUDA_ERROR_LAUNCH_TIMEOUT"
        "the launch timed out and was terminated";
    703 LAUNCH_INCOMPATIBLE_TEXTURING "cudaErrorLaunchIncompatibleTexturing" "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING"
        "launch uses incompatible texturing mode";
    704 PEER_ACCESS_ALREADY_ENABLED "cudaErrorPeerAccessAlreadyEnabled" "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"
        "peer access is already enabled";
    705 PEER_ACCESS_NOT_ENABLED "cudaErrorPeerAccessNotEnabled" "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED"
        "peer access has not been enabled";
    708 PRIMARY_CONTEXT_ACTIVE "cudaErrorSetOnActiveProcess" "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE"
        "cannot set while device is active in this process";
    709 CONTEXT_IS_DESTROYED "cudaErrorContextIsDestroyed" "CUDA_ERROR_CONTEXT_IS_DESTROYED"
        "context is destroyed";
    710 ASSERT "cudaErrorAssert" "CUDA_ERROR_ASSERT" "device-side assert triggered";
    711 TOO_MANY_PEERS "cudaErrorTooManyPeers" "CUDA_ERROR_TOO_MANY_PEERS"
        "peer mapping resources exhausted";
    712 HOST_MEMORY_ALREADY_REGISTERED "cudaErrorHostMemoryAlreadyRegistered" "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"
        "part or all of the requested memory range is already mapped";
    713 HOST_MEMORY_NOT_REGISTERED "cudaErrorHostMemoryNotRegistered" "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"
        "pointer does not correspond to a registered memory region";
    714 HARDWARE_STACK_ERROR "cudaErrorHardwareStackError" "CUDA_ERROR_HARDWARE_STACK_ERROR"
        "hardware stack error";
    715 ILLEGAL_INSTRUCTION "cudaErrorIllegalInstruction" "CUDA_ERROR_ILLEGAL_INSTRUCTION"
        "an illegal instruction was encountered";
    716 MISALIGNED_ADDRESS "cudaErrorMisalignedAddress" "CUDA_ERROR_MISALIGNED_ADDRESS"
        "misaligned address";
    717 INVALID_ADDRESS_SPACE "cudaErrorInvalidAddressSpace" "CUDA_ERROR_INVALID_ADDRESS_SPACE"
        "operation not supported on global/shared address space";
    718 INVALID_PC "cudaErrorInvalidPc" "CUDA_ERROR_INVALID_PC" "invalid program counter";
    719 LAUNCH_FAILED "cudaErrorLaunchFailure" "CUDA_ERROR_LAUNCH_FAILED" "unspecified launch failure";
    720 COOPERATIVE_LAUNCH_TOO_LARGE "cudaErrorCooperativeLaunchTooLarge" "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"
        "too many blocks in cooperative launch";
    721 TENSOR_MEMORY_LEAK "cudaErrorTensorMemoryLeak" "CUDA_ERROR_TENSOR_MEMORY_LEAK"
        "tensor memory was not completely deallocated";
    800 NOT_PERMITTED "cudaErrorNotPermitted" "CUDA_ERROR_NOT_PERMITTED" "operation not permitted";
    801 NOT_SUPPORTED "cudaErrorNotSupported" "CUDA_ERROR_NOT_SUPPORTED" "operation not supported";
    802 SYSTEM_NOT_READY "cudaErrorSystemNotReady" "CUDA_ERROR_SYSTEM_NOT_READY"
        "system not yet initialized";
    803 SYSTEM_DRIVER_MISMATCH "cudaErrorSystemDriverMismatch" "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"
        "system has unsupported display driver / cuda driver combination";
    804 COMPAT_NOT_SUPPORTED_ON_DEVICE "cudaErrorCompatNotSupportedOnDevice" "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"
        "forward compatibility was attempted on non supported HW";
    805 MPS_CONNECTION_FAILED "cudaErrorMpsConnectionFailed" "CUDA_ERROR_MPS_CONNECTION_FAILED"
        "MPS client failed to connect to the MPS control daemon or the MPS server";
    806 MPS_RPC_FAILURE "cudaErrorMpsRpcFailure" "CUDA_ERROR_MPS_RPC_FAILURE"
        "the remote procedural call between the MPS server and the MPS client failed";
    807 MPS_SERVER_NOT_READY "cudaErrorMpsServerNotReady" "CUDA_ERROR_MPS_SERVER_NOT_READY"
        "MPS server is not ready to accept new MPS client requests";
    808 MPS_MAX_CLIENTS_REACHED "cudaErrorMpsMaxClientsReached" "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED"
        "the hardware resources required to create MPS client have been exhausted";
    809 MPS_MAX_CONNECTIONS_REACHED "cudaErrorMpsMaxConnectionsReached" "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED"
        "the hardware resources required to support device connections have been exhausted";
    810 MPS_CLIENT_TERMINATED "cudaErrorMpsClientTerminated" "CUDA_ERROR_MPS_CLIENT_TERMINATED"
        "the MPS client has been terminated by the server";
    811 CDP_NOT_SUPPORTED "cudaErrorCdpNotSupported" "CUDA_ERROR_CDP_NOT_SUPPORTED"
        "CUDA dynamic parallelism is not supported by the current configuration";
    812 CDP_VERSION_MISMATCH "cudaErrorCdpVersionMismatch" "CUDA_ERROR_CDP_VERSION_MISMATCH"
        "CUDA dynamic parallelism: version mismatch of the module and the driver";
    900 STREAM_CAPTURE_UNSUPPORTED "cudaErrorStreamCaptureUnsupported" "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"
        "operation not permitted when stream is capturing";
    901 STREAM_CAPTURE_INVALIDATED "cudaErrorStreamCaptureInvalidated" "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"
        "operation failed due to a previous error during capture";
    902 STREAM_CAPTURE_MERGE "cudaErrorStreamCaptureMerge" "CUDA_ERROR_STREAM_CAPTURE_MERGE"
        "operation would result in a merge of separate capture sequences";
    903 STREAM_CAPTURE_UNMATCHED "cudaErrorStreamCaptureUnmatched" "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"
        "capture was not ended in the same stream as it began";
    904 STREAM_CAPTURE_UNJOINED "cudaErrorStreamCaptureUnjoined" "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"
        "capturing stream has unjoined work";
    905 STREAM_CAPTURE_ISOLATION "cudaErrorStreamCaptureIsolation" "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"
        "dependency created on uncaptured work in another stream";
    906 STREAM_CAPTURE_IMPLICIT "cudaErrorStreamCaptureImplicit" "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"
        "operation would make the legacy stream depend on a capturing blocking stream";
    907 CAPTURED_EVENT "cudaErrorCapturedEvent" "CUDA_ERROR_CAPTURED_EVENT"
        "operation not permitted on an event last recorded in a capturing stream";
    908 STREAM_CAPTURE_WRONG_THREAD "cudaErrorStreamCaptureWrongThread" "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD"
        "attempt to terminate a thread-local capture sequence from another thread";
    909 TIMEOUT "cudaErrorTimeout" "CUDA_ERROR_TIMEOUT" "wait operation timed out";
    910 GRAPH_EXEC_UPDATE_FAILURE "cudaErrorGraphExecUpdateFailure" "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"
        "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update";
    911 EXTERNAL_DEVICE "cudaErrorExternalDevice" "CUDA_ERROR_EXTERNAL_DEVICE"
        "an async error has occured in external entity outside of CUDA";
    912 INVALID_CLUSTER_SIZE "cudaErrorInvalidClusterSize" "CUDA_ERROR_INVALID_CLUSTER_SIZE"
        "a kernel launch error has occurred due to cluster misconfiguration";
    913 FUNCTION_NOT_LOADED "cudaErrorFunctionNotLoaded" "CUDA_ERROR_FUNCTION_NOT_LOADED"
        "the function handle was not loaded";
    914 INVALID_RESOURCE_TYPE "cudaErrorInvalidResourceType" "CUDA_ERROR_INVALID_RESOURCE_TYPE"
        "the resource type is invalid for the operation";
    915 INVALID_RESOURCE_CONFIGURATION "cudaErrorInvalidResourceConfiguration" "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION"
        "the resources are insufficient or otherwise invalid for the operation";
    916 KEY_ROTATION - "CUDA_ERROR_KEY_ROTATION" "an error happened in key rotation sequence";
    999 UNKNOWN "cudaErrorUnknown" "CUDA_ERROR_UNKNOWN" "unknown error";
    10000 API_FAILURE_BASE "cudaErrorApiFailureBase" - "api failure base";
}
