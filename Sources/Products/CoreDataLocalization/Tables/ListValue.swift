/// A value of a property list, as far as files of texts have any.
indirect enum ListValue: Sendable, Equatable {
    case text(String)
    case number(Int64)
    case real(Double)
    case flag(Bool)
    case array([ListValue])
    /// In the order of the file; of a key that is there twice the last one counts.
    case dictionary([(key: String, value: ListValue)])
    /// Data, a date or a UID, which no text has.
    case opaque

    /// The value under a key of a dictionary.
    subscript(_ key: String) -> ListValue? {
        guard case .dictionary(let pairs) = self else { return nil }
        return pairs.last { $0.key == key }?.value
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    static func == (one: ListValue, other: ListValue) -> Bool {
        switch (one, other) {
        case (.text(let a), .text(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.flag(let a), .flag(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value }
        case (.opaque, .opaque): true
        default: false
        }
    }
}
