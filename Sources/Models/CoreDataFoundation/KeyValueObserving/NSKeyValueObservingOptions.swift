/// What an observer is notified of, and when.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The bits, with Apple's values.
    public let rawValue: UInt

    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The new value comes with the change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The former value comes with the change; it is read, and kept, only if an observer asks for it.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The observer is called at once with the present value, before the call that adds it returns.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// The observer is called before each change too.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
