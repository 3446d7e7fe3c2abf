/// What a kind of store can do beyond what every store must: the only way in which stores may differ.
///
/// The contract suite of `StoreContract` asks for it, and leaves out what a store does not claim.
public struct StoreCapabilities: OptionSet, Sendable {
    /// The value by which it is stored and compared.
    public let rawValue: UInt
    /// Makes the value of a raw one; unknown bits are kept and mean nothing.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Records outlive the coordinator: opening the same URL later finds them.
    public static let durable = StoreCapabilities(rawValue: 1 << 0)
    /// Several coordinators, also of several processes, may use the store at a time and see each other's saves.
    public static let shared = StoreCapabilities(rawValue: 1 << 1)
    /// Decimals keep all 38 digits; else 15 of them.
    public static let exactDecimals = StoreCapabilities(rawValue: 1 << 2)
    /// Reals keep their bits; else what is not a number becomes nil, and negative zero may become zero.
    public static let exactReals = StoreCapabilities(rawValue: 1 << 3)
    /// The store computes derived attributes when it saves; else they keep what they have.
    public static let derivedAttributes = StoreCapabilities(rawValue: 1 << 4)
    /// The store refuses values that must be unique and are there already; else uniqueness constraints mean nothing.
    public static let uniqueValues = StoreCapabilities(rawValue: 1 << 5)
    /// The store names its records itself; new objects get these names before they are written, and keep them.
    public static let namesRecords = StoreCapabilities(rawValue: 1 << 6)
}
