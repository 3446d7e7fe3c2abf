import Synchronization

/// The numbers of the versions of staged changes.
///
/// Invariants:
/// 1. No number is given twice, and each is greater than those before it, whatever the system's clock says.
/// 2. The bits above the lowest 32 are random and the same until the program ends, so a page that still has a number of
///    an ended program sees that the server is another.
/// 3. A number has at most 53 bits, which JavaScript's numbers represent exactly, and is not 0.
///
/// May be used from any thread.
enum StagedVersion {
    private static let start = Int.random(in: 1..<1 << 21) << 32
    private static let count = Atomic(0)

    /// The number of a new version.
    static func next() -> Int { start + count.add(1, ordering: .relaxed).newValue }
}
