/// A random number generator (SplitMix64) whose sequence is determined by a seed, so that a failure can be reproduced.
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next number of 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns the next number in `0..<limit`; `limit` must be positive.
    public mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
