/// The placeholder of an argument in a parsed template.
///
/// It is always the value of a constant expression: a text in which an argument affects anything else, such as the sign
/// before it, cannot be a template.
final class FormatPlaceholder: Sendable {
    /// The kind of argument that a token of a format string needs.
    enum Kind {
        case object
        case number
        case text
        case key

        /// Whether a value can be the argument of such a token.
        func accepts(_ value: Any?) -> Bool {
            switch self {
            case .object: !(value is NSPredicate || value is any BoundedRange)
            case .number: value is FormatPlaceholder || ExactNumber(value) != nil
            case .text: value is FormatPlaceholder || value is String
            case .key: (value as? String).map { !$0.isEmpty } ?? false
            }
        }
    }

    /// The place of the argument among the arguments.
    let place: Int
    let kind: Kind

    init(place: Int, kind: Kind) {
        self.place = place
        self.kind = kind
    }
}
