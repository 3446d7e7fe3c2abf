extension UInt64 {
    /// The number with each of its bits spread over all of them, as SplitMix64 does it; different numbers stay different.
    var mixedBits: UInt64 {
        var number = (self ^ (self >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
