/// The random numbers of samples (SplitMix64): equal seeds give equal numbers, and so equal objects.
struct SampleRandom: RandomNumberGenerator {
    private var state: UInt64

    /// Starts the sequence of random numbers that the seed determines.
    init(seed: UInt64) { state = seed }

    /// The next number of 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return state.mixedBits
    }

    /// The next number from 0 up to, but not including, a limit, which must be positive.
    mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
