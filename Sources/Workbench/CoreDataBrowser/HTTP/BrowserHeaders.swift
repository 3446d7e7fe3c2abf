/// The header fields of a request or an answer, in their order; names are compared case-insensitively.
public struct BrowserHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// The fields, with their names as given.
    public private(set) var fields: [(name: String, value: String)]

    /// Makes header fields in an order.
    public init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

    /// Makes header fields as a literal writes them; a name may come twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The value of the only field of a name; nil if it does not occur exactly once.
    ///
    /// Programs disagree about what a repeated field means, so it counts as missing.
    public subscript(name: String) -> String? {
        let found = values(of: name)
        return found.count == 1 ? found[0] : nil
    }

    /// The values of all fields of a name.
    public func values(of name: String) -> [String] {
        let key = name.lowercased()
        return fields.filter { $0.name.lowercased() == key }.map(\.value)
    }

    /// Replaces all fields of a name by one with a value, at the end.
    public mutating func set(_ name: String, _ value: String) {
        let key = name.lowercased()
        fields.removeAll { $0.name.lowercased() == key }
        fields.append((name, value))
    }

    /// Adds a field beside those of the same name.
    public mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }
}
