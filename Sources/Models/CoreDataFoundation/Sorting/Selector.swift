/// The name of a comparison method, as in Objective-C. It only selects a predefined or registered comparison.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name with its colons, such as `caseInsensitiveCompare:`.
    public let name: String

    /// Makes a selector of a name with its colons.
    public init(_ name: String) {
        self.name = name
    }

    /// Makes a selector from a string literal.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// The text for messages and logs.
    public var description: String { name }
}

/// The selector of a name, as Apple's function of this name gives it.
public func NSSelectorFromString(_ name: String) -> Selector {
    Selector(name)
}

/// The name of a selector, as Apple's function of this name gives it.
public func NSStringFromSelector(_ selector: Selector) -> String {
    selector.name
}
