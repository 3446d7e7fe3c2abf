/// What a type of store can do beyond the operations that every type has: types may differ in nothing else.
///
/// The test suite `StoreContract` reads the set, and skips the tests of capabilities that a type does not have.
public struct StoreCapabilities: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt
    /// Makes a set of bits; unknown bits are preserved and have no meaning.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Records survive the coordinator: a coordinator that opens the same URL later finds them.
    public static let durable = StoreCapabilities(rawValue: 1 << 0)
    /// Several coordinators, also in several processes, may use the store at once and see each other's saves.
    public static let shared = StoreCapabilities(rawValue: 1 << 1)
    /// Decimals keep all 38 digits; without it they keep 15 digits.
    public static let exactDecimals = StoreCapabilities(rawValue: 1 << 2)
    /// Floating-point numbers keep their exact bits; without it NaN becomes nil, and negative zero may become zero.
    public static let exactReals = StoreCapabilities(rawValue: 1 << 3)
    /// The store computes derived attributes when it saves; without it a save leaves them as they are.
    public static let derivedAttributes = StoreCapabilities(rawValue: 1 << 4)
    /// The store refuses a save that violates a uniqueness constraint; without it uniqueness constraints have no
    /// effect.
    public static let uniqueValues = StoreCapabilities(rawValue: 1 << 5)
    /// The store chooses the keys of records itself, and gives each new object its permanent identifier before the
    /// object is written.
    public static let namesRecords = StoreCapabilities(rawValue: 1 << 6)
}
