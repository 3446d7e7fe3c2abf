extension UInt64 {
    /// The result of the finalizer of SplitMix64: each bit of the number affects all bits; different numbers stay
    /// different.
    var mixedBits: UInt64 {
        var number = (self ^ (self >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
