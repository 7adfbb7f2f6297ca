//! A row per device.
//!
//! Sources:
//! * multiprocessors, bus, clock rates, L2 cache: NVIDIA's data sheets and architecture white
//!   papers, and TechPowerUp's GPU database
//! * memory: what published outputs of `deviceQuery`, PyTorch and vLLM show, which is some
//!   percent less than the data sheet has
//! * PCI numbers: the PCI ID Repository (pci.ids)
//! * GPCs: see [`super::clusters`]

use cute_arch::Target;

use super::{Device, Kind};

const MIB: u64 = 1 << 20;

macro_rules! devices {
    ($($name:literal $title:literal $target:ident $kind:ident: $sms:literal SMs $gpcs:expr,
        $memory:literal MiB, $l2:literal KiB L2, $clock:literal MHz, $memory_clock:literal MHz $bus:literal bits, $pci:literal;
    )*) => {
        pub(super) const DEVICES: &[Device] = &[$(Device {
            name: $name,
            title: $title,
            target: Target::$target,
            multiprocessors: $sms,
            gpcs: &$gpcs,
            memory: $memory * MIB,
            l2: $l2 << 10,
            clock: $clock * 1000,
            memory_clock: $memory_clock * 1000,
            bus: $bus,
            pci: $pci,
            kind: Kind::$kind,
        }),*];
    };
}

/// Where only the number of GPCs is public, or the GPCs of single chips differ, pairs of
/// multiprocessors are dealt out evenly.
const GH100_OF_132: [u32; 8] = [16, 16, 16, 16, 18, 18, 18, 14];

devices! {
    "a100" "NVIDIA A100-SXM4-80GB" Sm80 Server: 108 SMs [],
        81251 MiB, 40960 KiB L2, 1410 MHz, 1593 MHz 5120 bits, 0x20b2;
    "a100-40gb" "NVIDIA A100-SXM4-40GB" Sm80 Server: 108 SMs [],
        40339 MiB, 40960 KiB L2, 1410 MHz, 1215 MHz 5120 bits, 0x20b0;
    "rtx3090" "NVIDIA GeForce RTX 3090" Sm86 Desktop: 82 SMs [],
        24268 MiB, 6144 KiB L2, 1695 MHz, 9751 MHz 384 bits, 0x2204;
    "a6000" "NVIDIA RTX A6000" Sm86 Server: 84 SMs [],
        48669 MiB, 6144 KiB L2, 1800 MHz, 8001 MHz 384 bits, 0x2230;
    "orin" "NVIDIA Orin" Sm87 Integrated: 16 SMs [],
        62841 MiB, 4096 KiB L2, 1300 MHz, 1600 MHz 256 bits, 0x2300;
    "l4" "NVIDIA L4" Sm89 Server: 58 SMs [],
        22558 MiB, 49152 KiB L2, 2040 MHz, 6251 MHz 192 bits, 0x27b8;
    "l40s" "NVIDIA L40S" Sm89 Server: 142 SMs [],
        45466 MiB, 98304 KiB L2, 2520 MHz, 9001 MHz 384 bits, 0x26b9;
    "rtx4090" "NVIDIA GeForce RTX 4090" Sm89 Desktop: 128 SMs [],
        24217 MiB, 73728 KiB L2, 2520 MHz, 10501 MHz 384 bits, 0x2684;
    "h100" "NVIDIA H100 80GB HBM3" Sm90a Server: 132 SMs GH100_OF_132,
        81090 MiB, 51200 KiB L2, 1980 MHz, 2619 MHz 5120 bits, 0x2330;
    "h100-pcie" "NVIDIA H100 PCIe" Sm90a Server: 114 SMs [14, 14, 14, 14, 14, 14, 14, 16],
        81008 MiB, 51200 KiB L2, 1755 MHz, 1593 MHz 5120 bits, 0x2331;
    "h200" "NVIDIA H200" Sm90a Server: 132 SMs GH100_OF_132,
        143166 MiB, 61440 KiB L2, 1980 MHz, 3201 MHz 6144 bits, 0x2335;
    "gh200" "NVIDIA GH200 480GB" Sm90a Server: 132 SMs GH100_OF_132,
        96768 MiB, 61440 KiB L2, 1980 MHz, 2619 MHz 6144 bits, 0x2342;
    "b200" "NVIDIA B200" Sm100a Server: 148 SMs [18, 18, 18, 18, 18, 18, 20, 20],
        182630 MiB, 129536 KiB L2, 1965 MHz, 3996 MHz 7680 bits, 0x2901;
    "gb200" "NVIDIA GB200" Sm100a Server: 152 SMs [18, 18, 18, 18, 20, 20, 20, 20],
        188733 MiB, 129536 KiB L2, 2062 MHz, 3996 MHz 7680 bits, 0x2941;
    "b300" "NVIDIA B300 SXM6 AC" Sm103a Server: 148 SMs [18, 18, 18, 18, 18, 18, 20, 20],
        274115 MiB, 129536 KiB L2, 2032 MHz, 3996 MHz 7680 bits, 0x3182;
    "gb300" "NVIDIA GB300" Sm103a Server: 152 SMs [18, 18, 18, 18, 20, 20, 20, 20],
        283700 MiB, 129536 KiB L2, 2062 MHz, 3996 MHz 7680 bits, 0x31c2;
    "thor" "NVIDIA Thor" Sm110a Integrated: 20 SMs [8, 6, 6],
        125771 MiB, 32768 KiB L2, 1575 MHz, 4266 MHz 256 bits, 0x2b00;
    "rtx5080" "NVIDIA GeForce RTX 5080" Sm120a Desktop: 84 SMs [12, 12, 12, 12, 12, 12, 12],
        15880 MiB, 65536 KiB L2, 2617 MHz, 15001 MHz 256 bits, 0x2c02;
    "rtx5090" "NVIDIA GeForce RTX 5090" Sm120a Desktop: 170 SMs [16, 16, 16, 16, 16, 16, 16, 16, 14, 14, 14],
        32120 MiB, 98304 KiB L2, 2407 MHz, 14001 MHz 512 bits, 0x2b85;
    "rtxpro6000" "NVIDIA RTX PRO 6000 Blackwell Workstation Edition" Sm120a Server:
        188 SMs [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 14, 14],
        97250 MiB, 131072 KiB L2, 2617 MHz, 14001 MHz 512 bits, 0x2bb1;
    "gb10" "NVIDIA GB10" Sm121a Integrated: 48 SMs [12, 12, 12, 12],
        124610 MiB, 24576 KiB L2, 2418 MHz, 4266 MHz 256 bits, 0x2e12;
}
