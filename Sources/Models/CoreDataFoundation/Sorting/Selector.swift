/// The name of a comparison method, as Objective-C writes it; it names one of a closed list and is never sent.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name with its colons, such as `caseInsensitiveCompare:`.
    public let name: String

    /// Makes a selector of a name with its colons.
    public init(_ name: String) {
        self.name = name
    }

    /// The name as it stands in the source.
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
